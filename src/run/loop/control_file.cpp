#include "run/loop/control_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/nearest_name.hpp"

namespace solenoid {

namespace {

constexpr std::size_t longest = 4096;  // bytes

std::string trimmed(const std::string& text) {
  const char* const blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::optional<double> positive_number(const std::string& text) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return read == text.size() && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(longest, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

}  // namespace

ControlRequest read_control(const std::string& text, const std::string& name) {
  const std::vector<std::string> words{"write", "stop", "end", "every"};
  ControlRequest request;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t sign = line.find('=');
    const std::string word = trimmed(line.substr(0, sign)),
                      value = sign == line.npos ? "" : trimmed(line.substr(sign + 1));
    const bool takes_number = word == "end" || word == "every";
    require_input(std::find(words.begin(), words.end(), word) != words.end(), [&] {
      const auto near = nearest_name(word, words);
      return message("{}:{}: found `{}`, expected `write`, `stop`, `end = SECONDS` or `every = SECONDS`{}", name,
                     number, word, near ? ": did you mean `" + *near + "`?" : "");
    });
    require_input(takes_number || sign == line.npos,
                  [&] { return message("{}:{}: `{}` stands alone, found `{}`", name, number, word, line); });
    const std::optional<double> seconds = takes_number ? positive_number(value) : std::nullopt;
    require_input(!takes_number || seconds, [&] {
      return message("{}:{}: `{}`: found `{}`, expected a number of seconds greater than 0, as in `{} = 2.5`", name,
                     number, word, value, word);
    });
    if (word == "write") request.write = true;
    if (word == "stop") request.stop = true;
    if (word == "end") request.end = seconds;
    if (word == "every") request.every = seconds;
  }
  return request;
}

bool ControlFile::Stamp::operator==(const Stamp& other) const {
  return inode == other.inode && size == other.size && written.tv_sec == other.written.tv_sec &&
         written.tv_nsec == other.written.tv_nsec;
}

ControlFile::ControlFile(const std::filesystem::path& folder) : path_(folder / "control"), before_(stamp()) {}

/// nullopt for an empty file, which its writer may have created but not filled yet.
std::optional<ControlFile::Stamp> ControlFile::stamp() const {
  struct stat found {};
  if (lstat(path_.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0) return std::nullopt;
  return Stamp{found.st_ino, found.st_mtim, found.st_size};
}

bool ControlFile::is_there() {
  constexpr double between_looks = 0.1;  // [s]
  if (path_.empty() || since_look_.seconds() < between_looks) return false;
  since_look_ = Stopwatch();
  const std::optional<Stamp> now = stamp();
  if (!now || now == before_) return false;
  if (text_of(path_).ends_with('\n') || now == unfinished_) return true;
  unfinished_ = now;
  return false;
}

std::string ControlFile::take() {
  before_ = stamp();
  const std::string text = text_of(path_);
  require_input(text.size() < longest, [&] {
    return message(
        "{}: is longer than {} bytes, expected some lines of `write`, `stop`, `end = SECONDS` or `every = "
        "SECONDS`",
        path_.string(), longest - 1);
  });
  std::error_code code;
  std::filesystem::remove(path_, code);
  require(!code, [&] { return message("{}: cannot be removed: {}", path_.string(), code.message()); });
  before_.reset();
  return text;
}

}  // namespace solenoid
