#include "io/foreign/foam_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "io/msh/msh_input.hpp"

namespace solenoid {

namespace {

constexpr std::string_view signs = "(){};";

/// Bytes of a number that the header's `arch` names, as in "LSB;label=32;scalar=64"; 0: neither 4 nor 8.
std::size_t width_in(const std::string& arch, const std::string& kind, std::size_t usual) {
  const std::size_t found = arch.find(kind + "=");
  if (found == std::string::npos) return usual;
  const std::string bits = arch.substr(found + kind.size() + 1, 2);
  return bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

template <class T>
T stored_number(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace

FoamFile::FoamFile(const std::filesystem::path& file, std::string name) : name_(std::move(name)) {
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  require_input(in.good() && std::filesystem::is_regular_file(file, ignored), [&] {
    const bool is_packed = std::filesystem::exists(file.string() + ".gz", ignored);
    return message("{}: cannot be read{}", name_, is_packed ? ", but its .gz is there: unpack it with gunzip" : "");
  });
  text_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (word("`FoamFile`") != "FoamFile") fail("starts without `FoamFile`, expected a file of OpenFOAM");
  std::map<std::string, std::string> header = entries();
  is_binary_ = header["format"] == "binary";
  is_compact_ = header["class"] == "faceCompactList";
  const std::string& arch = header["arch"];
  label_bytes_ = width_in(arch, "label", 4), real_bytes_ = width_in(arch, "scalar", 8);
  const bool is_foreign =
      arch.find(std::endian::native == std::endian::little ? "MSB" : "LSB") != std::string::npos && is_binary_;
  if (is_foreign || label_bytes_ == 0 || real_bytes_ == 0) {
    fail(
        message("its `arch` is `{}`, expected numbers of 32 or 64 bits in this machine's byte order; write it as text "
                "(foamFormatConvert with writeFormat ascii)",
                excerpt(arch)));
  }
}

void FoamFile::fail(const std::string& fault) const {
  const std::string where =
      is_binary_ ? message("byte {}", at_)
                 : message("{}", 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  throw Error(ExitCode::bad_input, message("{}:{}{}: {}", name_, is_binary_ ? " " : "", where, fault));
}

void FoamFile::skip_space() {
  for (;;) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const bool is_line = text_.compare(at_, 2, "//") == 0, is_block = text_.compare(at_, 2, "/*") == 0;
    if (!is_line && !is_block) return;
    const std::size_t end = text_.find(is_line ? "\n" : "*/", at_ + 2);
    at_ = end == std::string::npos ? text_.size() : end + (is_line ? 1 : 2);
  }
}

std::string_view FoamFile::token(const char* expected) {
  skip_space();
  const std::size_t begin = at_;
  if (at_ < text_.size() && text_[at_] == '"') {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string::npos) fail("a text in quotes does not end");
    at_ = end + 1;
    return std::string_view(text_).substr(begin + 1, end - begin - 1);
  }
  while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
         signs.find(text_[at_]) == std::string_view::npos) {
    ++at_;
  }
  if (at_ == begin) {
    fail(at_ == text_.size()
             ? message("the file ends, expected {}: it was cut off; write it again", expected)
             : message("found `{}`, expected {}", excerpt(std::string_view(text_).substr(at_, 30)), expected));
  }
  return std::string_view(text_).substr(begin, at_ - begin);
}

std::string FoamFile::word(const char* expected) { return std::string(token(expected)); }

bool FoamFile::take(char sign) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != sign) return false;
  ++at_;
  return true;
}

void FoamFile::expect(char sign) {
  if (take(sign)) return;
  fail(at_ == text_.size()
           ? message("the file ends, expected `{}`: it was cut off; write it again", std::string(1, sign))
           : message("found `{}`, expected `{}`", excerpt(std::string_view(text_).substr(at_, 30)),
                     std::string(1, sign)));
}

template <class T>
T FoamFile::number(const char* expected) {
  const std::string_view found = token(expected);
  T value{};
  const auto [stop, code] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (code != std::errc() || stop != found.data() + found.size()) {
    fail(message("found `{}`, expected {}", excerpt(found), expected));
  }
  return value;
}

std::int64_t FoamFile::count() {
  const auto items = number<std::int64_t>("the length of a list");
  if (items < 0) fail(message("found {} for the length of a list, expected 0 or more", items));
  return items;
}

std::int64_t FoamFile::stored_label(const char* bytes) const {
  return label_bytes_ == 8 ? stored_number<std::int64_t>(bytes) : stored_number<std::int32_t>(bytes);
}

double FoamFile::stored_real(const char* bytes) const {
  return real_bytes_ == 8 ? stored_number<double>(bytes) : static_cast<double>(stored_number<float>(bytes));
}

/// The bytes of that many items between ( and ).
std::string_view FoamFile::stored(std::int64_t items, std::size_t bytes_each) {
  expect('(');
  if (static_cast<std::uint64_t>(items) > left() / bytes_each) {
    fail(message("tells of {} items of {} bytes, but {} bytes are left: the file was cut off; write it again", items,
                 bytes_each, left()));
  }
  const std::string_view bytes = std::string_view(text_).substr(at_, static_cast<std::size_t>(items) * bytes_each);
  at_ += bytes.size();
  expect(')');
  return bytes;
}

std::vector<std::int64_t> FoamFile::labels(std::int64_t most) {
  const std::int64_t items = count();
  if (items > most) fail(message("found a list of {} numbers, expected {} at most", items, most));
  std::vector<std::int64_t> values;
  if (items == 0) {
    if (take('(')) expect(')');
    return values;
  }
  if (take('{')) {  // all alike
    values.assign(static_cast<std::size_t>(items), number<std::int64_t>("a whole number"));
    expect('}');
  } else if (is_binary_) {
    const std::string_view bytes = stored(items, label_bytes_);
    for (std::size_t k = 0; k < bytes.size(); k += label_bytes_) values.push_back(stored_label(&bytes[k]));
  } else {
    expect('(');
    for (std::int64_t k = 0; k < items; ++k) values.push_back(number<std::int64_t>("a whole number"));
    expect(')');
  }
  return values;
}

std::vector<double> FoamFile::vectors() {
  const std::int64_t items = count();
  std::vector<double> values;
  if (is_binary_) {
    const std::string_view bytes = stored(items, 3 * real_bytes_);
    for (std::size_t k = 0; k < bytes.size(); k += real_bytes_) values.push_back(stored_real(&bytes[k]));
  } else {
    expect('(');
    for (std::int64_t k = 0; k < items; ++k) {
      expect('(');
      for (int axis = 0; axis < 3; ++axis) values.push_back(number<double>("a number"));
      expect(')');
    }
    expect(')');
  }
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad != values.end())
    fail(message("point {} is at {}, expected a finite number", (bad - values.begin()) / 3, *bad));
  return values;
}

FoamFile::Polygons FoamFile::faces() {
  const auto most = static_cast<std::int64_t>(text_.size());
  Polygons all;
  if (is_compact_) {
    all.begin = labels(most);
    all.nodes = labels(most);
    const bool is_sound = !all.begin.empty() && all.begin.front() == 0 && all.begin.back() == std::ssize(all.nodes) &&
                          std::is_sorted(all.begin.begin(), all.begin.end());
    if (!is_sound) fail("the places of the faces do not fit their nodes: the file is damaged; write it again");
    return all;
  }
  if (is_binary_) fail("is a faceList in binary, expected a faceCompactList; write it as text (foamFormatConvert)");
  const std::int64_t items = count();
  expect('(');
  all.begin.push_back(0);
  for (std::int64_t k = 0; k < items; ++k) {
    const std::vector<std::int64_t> nodes = labels(most - std::ssize(all.nodes));
    all.nodes.insert(all.nodes.end(), nodes.begin(), nodes.end());
    all.begin.push_back(std::ssize(all.nodes));
  }
  expect(')');
  return all;
}

void FoamFile::skip_entry() {
  if (take('{')) {
    for (int depth = 1; depth > 0;) {
      if (take('{'))
        ++depth;
      else if (take('}'))
        --depth;
      else if (!take(';') && !take('(') && !take(')'))
        token("`}`");
    }
    return;
  }
  while (!take(';')) {
    if (!take('(') && !take(')')) token("`;`");
  }
}

std::map<std::string, std::string> FoamFile::entries() {
  std::map<std::string, std::string> all;
  expect('{');
  while (!take('}')) {
    const std::string key = word("a key or `}`");
    skip_space();
    if (at_ < text_.size() && text_[at_] != '{' && text_[at_] != '(' && text_[at_] != ';') all[key] = word("a value");
    skip_entry();
  }
  return all;
}

}  // namespace solenoid
