#include "case/toml_depth.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace solenoid {

namespace {

/// Position behind the string whose opening quote is at `begin`. An unterminated one ends with its line, or with the
/// text if it is a multi-line string.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool is_long = text.substr(begin, 3) == three;
  const std::string_view mark = is_long ? three : text.substr(begin, 1);
  for (std::size_t at = begin + mark.size(); at < text.size(); ++at) {
    if (text[at] == '\n' && !is_long) return at;
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text.substr(at, mark.size()) == mark) {
      at += mark.size();
      return is_long ? std::min(text.find_first_not_of(quote, at), text.size()) : at;  // a string may end in quotes
    }
  }
  return text.size();
}

bool may_be_between_dots(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' || c == '\t';
}

}  // namespace

std::optional<int> line_of_long_key(std::string_view text, int most) {
  int line = 1, parts = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '.' && (at == 0 || text[at - 1] != '.')) {  // not the .. of paths
      ++at;
      if (++parts > most) return line;
    } else {
      ++at;
      if (!may_be_between_dots(c)) parts = 1;
    }
    line += static_cast<int>(std::count(text.data() + begin, text.data() + at, '\n'));
  }
  return std::nullopt;
}

}  // namespace solenoid
