/// Texts from outside: what is UTF-8, what Windows-1252 becomes, and what reaches a terminal.
#include "base/user_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace solenoid {
namespace {

TEST(Characters, KnowUtf8) {
  for (const char* text : {"", "plain", "\u00e9\u20ac", "\xf0\x9f\x8c\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\xe9", "a\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xe2(\xa1", "\xff"}) {
    EXPECT_FALSE(is_utf8(text)) << printable(text);
  }
}

TEST(Characters, BecomeUtf8FromWindows1252) {
  EXPECT_EQ(utf8_of_windows_1252("Entr\xe9"
                                 "e \xdf\xff"),
            "Entr\u00e9e \u00df\u00ff");
  EXPECT_EQ(utf8_of_windows_1252("\x80\x96\x9f"), "\u20ac\u2013\u0178");
  for (const char* nothing : {"\x81", "a\x8d", "\x8f", "\x90", "\x9d"}) EXPECT_FALSE(utf8_of_windows_1252(nothing));
}

TEST(Characters, ThatControlATerminalAreShown) {
  EXPECT_EQ(printable("a \x1b[31m\x07\r\x7f b"), "a \\x1b[31m\\x07\\x0d\\x7f b");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");  // the same escape as one character
  EXPECT_EQ(printable("\x9b"
                      "31m \xe9"),
            "\\x9b31m \\xe9");
  EXPECT_EQ(printable("two\nlines\tand \u00e9\u20ac"), "two\nlines\tand \u00e9\u20ac");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_TRUE(has_control_character("a\n") && has_control_character("\u0085"));
  EXPECT_FALSE(has_control_character("a \u00a0\u20ac") || has_control_character(""));
}

}  // namespace
}  // namespace solenoid
