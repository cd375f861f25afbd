#include "base/error.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <new>

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

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ExitCode::failure, "out of memory: use more ranks, a coarser mesh, or a machine with more memory"};
  } catch (const std::exception& error) {
    return {ExitCode::failure, error.what()};
  } catch (const std::string& text) {  // Gmsh throws these
    return {ExitCode::failure, text};
  } catch (...) {
    return {ExitCode::failure, "an unknown error inside a library"};
  }
}

}  // namespace solenoid
