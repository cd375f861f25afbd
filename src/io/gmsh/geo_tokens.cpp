#include "io/gmsh/geo_tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/error.hpp"

namespace solenoid {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

std::size_t end_of_word(const std::string& text, std::size_t i) {
  while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]))) ++i;
  return i;
}

std::size_t end_of_digits(const std::string& text, std::size_t i) {
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

/// End of the number at `i`: 12, 1.5e-3, .5; `i` itself if there is none.
std::size_t end_of_number(const std::string& text, std::size_t i) {
  std::size_t end = end_of_digits(text, i);
  if (end < text.size() && text[end] == '.' && (end > i || end_of_digits(text, end + 1) > end + 1)) {
    end = end_of_digits(text, end + 1);
  }
  if (end == i || end == text.size() || std::tolower(text[end]) != 'e') return end;
  const std::size_t digits = end + 1 + (end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-'));
  return end_of_digits(text, digits) > digits ? end_of_digits(text, digits) : end;
}

/// End of the comment at `i`; `i` itself if there is none.
std::size_t end_of_comment(const std::string& text, std::size_t i) {
  const auto behind = [&](const char* mark) {
    const std::size_t found = text.find(mark, i + 2);
    return found == std::string::npos ? text.size() : found + std::strlen(mark);
  };
  if (text.compare(i, 2, "//") == 0) return behind("\n");
  return text.compare(i, 2, "/*") == 0 ? behind("*/") : i;
}

/// Why Gmsh may read part of this string as code; empty: it does not.
std::string trap_in_string(const GeoToken& string) {
  constexpr std::size_t longest = 1022;  // Gmsh reads the rest as code
  if (string.text.size() > longest) return message("line {} has a string of {} bytes", string.line, string.text.size());
  for (const char* mark : {"/*", "//", "EndIf", "Else", "EndFor", "Return"}) {
    if (string.text.find(mark) != std::string::npos) return message("line {} has `{}` in a string", string.line, mark);
  }
  return "";
}

/// Whether Gmsh's skipping scanner drops the first character of the string or comment at `i`: it does so after a letter
/// that starts one of its keywords.
bool follows_a_dropping_letter(const std::string& text, std::size_t i) {
  return i > 0 && std::strchr("EFIR", text[i - 1]) && (i == 1 || !is_letter(text[i - 2]));
}

}  // namespace

const GeoToken& GeoTokens::at(std::size_t place) const {
  static const GeoToken end;
  return place < code.size() ? code[place] : end;
}

GeoTokens geo_tokens(const std::string& text) {
  GeoTokens tokens;
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    GeoToken token{GeoTokenKind::sign, "", line};
    std::size_t end = i + 1;
    if (const std::size_t comment = end_of_comment(text, i); comment > i) {
      token.kind = GeoTokenKind::comment;
      end = comment;
    } else if (is_quote(text[i])) {
      token.kind = GeoTokenKind::text;
      end = std::min(text.find(text[i], i + 1), text.size() - 1) + 1;
    } else if (is_letter(text[i])) {
      token.kind = GeoTokenKind::word;
      end = end_of_word(text, i);
    } else if (const std::size_t number = end_of_number(text, i); number > i) {
      token.kind = GeoTokenKind::number;
      end = number;
    }
    const bool is_text = token.kind == GeoTokenKind::text, is_hidden = is_text || token.kind == GeoTokenKind::comment;
    token.text = text.substr(i, end - i);
    line += static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
    if (is_text) token.text = token.text.substr(1, token.text.size() - std::min<std::size_t>(token.text.size(), 2));
    if (is_hidden && tokens.trap.empty()) {
      if (is_text) tokens.trap = trap_in_string(token);
      if (follows_a_dropping_letter(text, i)) tokens.trap = message("line {} has a letter before a quote", token.line);
    }
    if (is_hidden) tokens.hidden.push_back(token);
    const bool is_blank = token.kind == GeoTokenKind::sign && std::isspace(static_cast<unsigned char>(text[i]));
    if (token.kind != GeoTokenKind::comment && !is_blank) tokens.code.push_back(token);
    i = end;
  }
  return tokens;
}

}  // namespace solenoid
