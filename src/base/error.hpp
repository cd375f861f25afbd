/// The error type of the program, its exit codes, and messages that are formatted only when needed.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace solenoid {

/// Exit codes of the program; docs/commands.md tells users what they mean.
enum class ExitCode : int { done = 0, failure = 1, bad_input = 2, stopped_early = 3 };

/// The cause of a failure, in words for the user, and the exit code that follows.
/// `collective` is true when every rank throws the same error, so that rank 0 alone prints it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& text, bool collective = false)
      : std::runtime_error(text), code_(code), collective_(collective) {}
  ExitCode code() const { return code_; }
  bool collective() const { return collective_; }

 private:
  ExitCode code_;
  bool collective_;
};

/// One value of a message; keeps the formatting library out of every header (nvcc cannot compile it).
using MessageValue = std::variant<std::int64_t, double, std::string>;

std::string format_message(std::string_view format, const std::vector<MessageValue>& values);

template <class T>
MessageValue message_value(const T& value) {
  if constexpr (std::integral<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::floating_point<T>) {
    return static_cast<double>(value);
  } else {
    return std::string(value);
  }
}

/// Formats {}-placeholders (syntax of std::format) with integers, reals and strings.
template <class... Values>
std::string message(std::string_view format, const Values&... values) {
  return format_message(format, {message_value(values)...});
}

/// Joins the texts, separated by `between`.
std::string joined(const std::vector<std::string>& texts, std::string_view between);

/// Faults, one per line; of a long list the first ones and the number of the others.
std::string fault_list(const std::vector<std::string>& faults);

/// Names in backquotes for messages, of many the first ones; "none" for an empty list.
std::string name_list(const std::vector<std::string>& names);

/// Throws an Error of exit code 1 (the computation failed) with the text that `text()` returns unless `condition`.
template <std::invocable Text>
void require(bool condition, Text&& text) {
  if (!condition) throw Error(ExitCode::failure, text());
}

/// Throws an Error of exit code 2 (the input is wrong) with the text that `text()` returns unless `condition`.
template <std::invocable Text>
void require_input(bool condition, Text&& text) {
  if (!condition) throw Error(ExitCode::bad_input, text());
}

/// The same for a condition that has the same value on every rank: a collective Error, which rank 0 alone prints.
template <std::invocable Text>
void require_on_all_ranks(bool condition, Text&& text, ExitCode code = ExitCode::failure) {
  if (!condition) throw Error(code, text(), true);
}

/// Converts the current exception to an Error; for use inside a catch block.
Error current_error();

}  // namespace solenoid
