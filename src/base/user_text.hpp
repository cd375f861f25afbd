/// Text from outside: the characters that a terminal shows and a UTF-8 file can hold, and the valid name nearest to a
/// mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace solenoid {

/// Whether `text` is well-formed UTF-8: no overlong forms, surrogates, or values beyond U+10FFFF.  RFC 3629.
bool is_utf8(std::string_view text);

/// Whether UTF-8 `text` contains a control character, line ends and tabs included: U+0000 to U+001F, U+007F to U+009F.
bool has_control_character(std::string_view text);

/// Converts Windows-1252 (Latin-1 with letters and signs in place of some control characters) to UTF-8; nullopt if
/// `text` contains one of its five undefined bytes.
std::optional<std::string> utf8_of_windows_1252(std::string_view text);

/// Escapes control characters other than line ends and tabs, and bytes that are not UTF-8, as \x1b: the text cannot
/// move the cursor, change colours or ring.
std::string printable(std::string_view text);

/// Text for XML and HTML: printable, with entities for the characters &, <, >, " and '.
std::string escaped(std::string_view text);

/// Without blanks, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

/// The candidate nearest to `wanted`: fewest letters changed, missing, added or swapped with a neighbour (restricted
/// Damerau-Levenshtein distance; upper and lower case count as equal). The first one if several are equally near;
/// nullopt if more than a third of the letters of the longer name differ (one letter is always allowed).
std::optional<std::string> nearest_name(const std::string& wanted, const std::vector<std::string>& candidates);

}  // namespace solenoid
