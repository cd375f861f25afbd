/// Characters of external text: what a terminal shows and what a UTF-8 file can hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace solenoid {

/// Whether `text` is well-formed UTF-8: no overlong forms, surrogates, or values beyond U+10FFFF.  RFC 3629.
bool is_utf8(std::string_view text);

/// Whether UTF-8 `text` has a control character in it, line ends and tabs among them: U+0000 to U+001F, U+007F to
/// U+009F.
bool has_control_character(std::string_view text);

/// `text`, which is in Windows-1252 (Latin-1 with letters and signs where Latin-1 has control characters), as UTF-8;
/// nothing if it has one of the five bytes that stand for nothing there.
std::optional<std::string> utf8_of_windows_1252(std::string_view text);

/// `text` as it may be shown: control characters other than line ends and tabs, and bytes that are not UTF-8, appear as
/// \x1b, so that nothing in it moves the cursor, changes colours or rings.
std::string printable(std::string_view text);

/// `text` as XML and HTML have it, whatever is in it: printable, with entities for what means something there.
std::string escaped(std::string_view text);

}  // namespace solenoid
