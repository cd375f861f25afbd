#include "run/loop/run_requests.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

volatile std::sig_atomic_t last = 0;

void note(int signal) { last = signal; }

}  // namespace

StopRequest::StopRequest() {
  last = 0;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    if (signals[k] != SIGUSR1) action.sa_flags |= SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(signals[k], &action, &before_[k]);
  }
}

StopRequest::~StopRequest() {
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
}

int StopRequest::received() const { return last; }

namespace {

constexpr std::size_t longest = 4096;  // bytes

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

/// Parses `write`, `stop`, `end = 20` and `every = 0.5`, one per line, with comments from # on. `name`: file name for
/// messages. Throws Error (exit code 2) with the line, the text found and the text expected.
ControlRequest read_control(const std::string& text, const std::string& name) {
  const std::vector<std::string> words{"write", "stop", "end", "every"};
  ControlRequest request;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = std::string(trimmed(line.substr(0, line.find('#'))));
    if (line.empty()) continue;
    const std::size_t sign = line.find('=');
    const std::string word(trimmed(line.substr(0, sign))),
        value(sign == line.npos ? std::string_view() : trimmed(std::string_view(line).substr(sign + 1)));
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

}  // namespace

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

namespace {

const char* signal_name(int signal) {
  return signal == SIGUSR1 ? "SIGUSR1" : signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "a signal";
}

/// The lines of a control file joined into one, for the log.
std::string in_a_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
  return line;
}

}  // namespace

void RunRequests::open(const OutputFolder& folder, Log& log) {
  if (!comm_.is_root()) return;
  file_ = ControlFile(folder.path());
  if (file_.was_there()) {
    log.line(message("warning: {} was there before the run and is ignored; write it anew to send its request",
                     file_.path().string()));
  }
}

RunRequest RunRequests::take(Log& log) {
  constexpr std::int64_t is_there = 1'000;  // beyond any signal number: one maximum carries both
  const bool has_file = comm_.is_root() && file_.is_there();
  std::int64_t told = comm_.max(signals_.received() + (has_file ? is_there : 0));
  RunRequest request;
  if (told >= is_there) {
    told = comm_.max(std::int64_t{signals_.received()});
    try {
      std::string text;
      comm_.guard([&] {
        if (comm_.is_root()) text = file_.take();
      });
      text = comm_.broadcast(text);
      comm_.guard([&] { static_cast<ControlRequest&>(request) = read_control(text, "control"); });
      log.line(message("control  {}", in_a_line(text)));
      if (request.stop) request.stopped_by = "control file";
    } catch (const Error& error) {
      if (!error.collective()) throw;
      request = {};
      log.line(message("warning: {}; nothing of it is done", error.what()));
    }
  }
  if (told != 0) request.stopped_by = signal_name(static_cast<int>(told));
  return request;
}

}  // namespace solenoid
