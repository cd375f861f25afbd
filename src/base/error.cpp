#include "base/error.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

namespace solenoid {

std::string format_message(std::string_view format, const std::vector<MessageValue>& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const MessageValue& value : values) {
    std::visit([&](const auto& v) { arguments.push_back(v); }, value);
  }
  return fmt::vformat(fmt::string_view(format.data(), format.size()), arguments);
}

}  // namespace solenoid
