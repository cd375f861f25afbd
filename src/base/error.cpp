#include "base/error.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/host_memory.hpp"

namespace solenoid {

std::string format_message(std::string_view format, const std::vector<MessageValue>& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const MessageValue& value : values) {
    std::visit([&](const auto& v) { arguments.push_back(v); }, value);
  }
  return fmt::vformat(fmt::string_view(format.data(), format.size()), arguments);
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string result;
  for (const std::string& text : texts) {
    if (!result.empty()) result += between;
    result += text;
  }
  return result;
}

namespace {
/// The first `most` texts, separated by `between`, and the number of the others.
std::string first_of(std::vector<std::string> texts, std::size_t most, std::string_view between) {
  if (texts.size() <= most) return joined(texts, between);
  const std::size_t more = texts.size() - most;
  texts.resize(most);
  return joined(texts, between) + message("{}and {} more", between, more);
}
}  // namespace

std::string fault_list(const std::vector<std::string>& faults) { return first_of(faults, 20, "\n"); }

std::string name_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("`" + name + "`");
  return quoted.empty() ? "none" : first_of(std::move(quoted), 20, ", ");
}

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc& refusal) {
    return {ExitCode::failure, text_of_refusal(refusal)};
  } catch (const std::exception& error) {
    return {ExitCode::failure, error.what()};
  } catch (const std::string& text) {  // Gmsh throws these
    return {ExitCode::failure, text};
  } catch (...) {
    return {ExitCode::failure, "an unknown error inside a library"};
  }
}

}  // namespace solenoid
