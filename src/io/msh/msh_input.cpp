#include "io/msh/msh_input.hpp"

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.hpp"

namespace solenoid {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;  // also the longest line
constexpr const char* way_out = "; the file is damaged: write the mesh again";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string excerpt(std::string_view text) {
  std::string shown(text.substr(0, 30));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c > 126; }, '.');
  return shown + (text.size() > 30 ? "..." : "");
}

MshInput::MshInput(const std::filesystem::path& file, std::string name)
    : file_(std::fopen(file.c_str(), "rb")), name_(std::move(name)) {
  require_input(file_ != nullptr, [&] { return message("{}: cannot be read: {}", name_, std::strerror(errno)); });
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  std::error_code code;
  size_ = std::filesystem::file_size(file, code);
  require_input(!code, [&] { return message("{}: cannot be read: {}", name_, code.message()); });
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer_size, size_ + 1)));
}

void MshInput::enter(const std::string& section, bool binary) {
  section_ = section;
  binary_ = binary;
  file_is_binary_ = file_is_binary_ || binary;
  record_offset_ = offset();
  set_subject(nullptr);
}

void MshInput::fail(const std::string& fault) const {
  std::string where =
      name_ + (file_is_binary_ ? message(": byte {}: ", record_offset_) : message(":{}: ", line_number_));
  if (!section_.empty()) where += section_;
  if (subject_) where += std::string(section_.empty() ? "" : ", ") + subject_;
  if (subject_ && subject_id_ > 0) where += message(" {}", subject_id_);
  if (!section_.empty() || subject_) where += ": ";
  throw Error(ExitCode::bad_input, where + fault);
}

void MshInput::fail_at(const std::string& found, const char* what, const std::string& expected) const {
  fail(message("found `{}` for {}, expected {}{}", found, what, expected, way_out));
}

void MshInput::fail_at_end(const char* what) const {
  fail(message("the file ends after {} bytes, expected {}: it was cut off; write the mesh again", size_, what));
}

bool MshInput::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), &buffer_[begin_], end_ - begin_);
    base_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
  require_input(got > 0 || !std::ferror(file_.get()),
                [&] { return message("{}: cannot be read: {}", name_, std::strerror(errno)); });
  end_ += got;
  return got > 0;
}

bool MshInput::next_line() {
  for (;;) {
    std::size_t searched = 0;
    const void* found = nullptr;
    while (!(found = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched))) {
      searched = end_ - begin_;
      if (!fill()) break;
    }
    if (begin_ == end_) return false;
    ++line_number_;
    record_offset_ = offset();
    if (!found && end_ == buffer_.size() && begin_ == 0) fail(message("a line has more than {} bytes", buffer_.size()));
    const std::size_t newline =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : end_;
    word_ = begin_;
    line_end_ = newline;
    begin_ = std::min(newline + 1, end_);
    while (line_end_ > word_ && is_space(buffer_[line_end_ - 1])) --line_end_;
    if (line_end_ > word_) return true;
  }
}

void MshInput::skip_section() {
  const std::string mark = "$End" + section_.substr(1);
  if (binary_) {
    for (;;) {
      const std::string_view window(buffer_.data() + begin_, end_ - begin_);
      const std::size_t found = window.find(mark);
      begin_ += found != std::string_view::npos ? found : window.size() - std::min(window.size(), mark.size());
      if (found != std::string_view::npos) break;
      if (!fill()) fail_at_end(("`" + mark + "`").c_str());
    }
  }
  while (next_line()) {
    if (line() == mark) return;
  }
  fail_at_end(("`" + mark + "`").c_str());
}

void MshInput::end_section() {
  const std::string mark = "$End" + section_.substr(1);
  set_subject(nullptr);
  if (!next_line()) fail_at_end(("`" + mark + "`").c_str());
  if (line() != mark) fail(message("found `{}`, expected `{}`{}", excerpt(line()), mark, way_out));
}

void MshInput::begin_record() {
  record_offset_ = offset();
  if (!binary_ && !next_line()) fail_at_end("another line");
}

void MshInput::end_record() {
  if (binary_ || word_ == line_end_) return;
  fail(message("found `{}` at the end of the line, expected nothing more{}", excerpt(word("")), way_out));
}

const char* MshInput::bytes(std::size_t size) {
  while (end_ - begin_ < size) {
    if (!fill()) fail_at_end("more binary numbers");
  }
  const char* at = &buffer_[begin_];
  begin_ += size;
  return at;
}

void MshInput::skip(std::uint64_t size) {
  if (size > size_ - std::min(size_, offset())) fail_at_end("more binary numbers");
  const std::uint64_t buffered = std::min<std::uint64_t>(size, end_ - begin_);
  begin_ += static_cast<std::size_t>(buffered);
  if (size == buffered) return;
  base_ = offset() + (size - buffered);
  begin_ = end_ = 0;
  require_input(::fseeko(file_.get(), static_cast<off_t>(base_), SEEK_SET) == 0,
                [&] { return message("{}: cannot be read: {}", name_, std::strerror(errno)); });
}

std::string_view MshInput::word(const char* what) {
  while (word_ < line_end_ && is_space(buffer_[word_])) ++word_;
  const std::size_t start = word_;
  while (word_ < line_end_ && !is_space(buffer_[word_])) ++word_;
  if (start == word_) fail(message("the line ends, expected {}{}", what, way_out));
  return {&buffer_[start], word_ - start};
}

template <class T>
T MshInput::parse(const char* what, const char* expected) {
  const std::string_view found = word(what);
  const char* const begin = found.data() + (found.size() > 1 && found[0] == '+' ? 1 : 0);
  const char* const end = found.data() + found.size();
  T value{};
  const auto [stop, code] = std::from_chars(begin, end, value);
  if constexpr (std::is_floating_point_v<T>) {
    if (code == std::errc::result_out_of_range && stop == end) return std::strtod(std::string(found).c_str(), nullptr);
  }
  if (code != std::errc() || stop != end) fail_at(excerpt(found), what, expected);
  return value;
}

template <class T>
T MshInput::binary_number() {
  T value;
  std::memcpy(&value, bytes(sizeof(T)), sizeof(T));
  return value;
}

int MshInput::integer(const char* what, int least) {
  const int value = binary_ ? binary_number<std::int32_t>() : parse<std::int32_t>(what, "an integer of 32 bits");
  if (value < least) fail_at(std::to_string(value), what, message("an integer of at least {}", least));
  return value;
}

std::int64_t MshInput::number(const char* what) {
  const std::int64_t value =
      binary_ ? binary_number<std::int64_t>() : parse<std::int64_t>(what, "an integer of 64 bits");
  if (value < 0) {
    fail_at(binary_ ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value), what,
            "an integer from 0 to 2^63 - 1");
  }
  return value;
}

std::int64_t MshInput::id(const char* what) {
  const std::int64_t value = number(what);
  if (value == 0) fail_at("0", what, "an integer of at least 1");
  return value;
}

double MshInput::real(const char* what) {
  const double value = binary_ ? binary_number<double>() : parse<double>(what, "a number");
  if (!std::isfinite(value)) fail_at(message("{}", value), what, "a finite number");
  return value;
}

std::int64_t MshInput::count(const char* what, std::uint64_t bytes_each) {
  const std::int64_t wanted = number(what);
  require_room(wanted, what, bytes_each);
  return wanted;
}

void MshInput::require_room(std::int64_t wanted, const char* what, std::uint64_t bytes_each) const {
  const std::uint64_t left = size_ - std::min(size_, base_ + (binary_ ? begin_ : word_));
  if (wanted >= 0 && static_cast<std::uint64_t>(wanted) <= left / bytes_each + 1) return;
  fail(
      message("tells of {} {}, but {} bytes are left, and each takes {} or more: the file was cut off or is damaged; "
              "write the mesh again",
              wanted, what, left, bytes_each));
}

}  // namespace solenoid
