/// Depth of the keys of a TOML text, checked before it is parsed: the parser makes a table of each part of a key,
/// without limit, and destroys them by recursion, which exhausts the stack.
#pragma once

#include <optional>
#include <string_view>

namespace solenoid {

/// The line of the first key with more than `most` parts (`a.b.c` has three); nullopt if there is none. In invalid TOML
/// it may report a false key.
std::optional<int> line_of_long_key(std::string_view text, int most);

}  // namespace solenoid
