#include "io/geo_source.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

namespace {

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  require_input(in.good(), [&] { return message("{}: cannot be read: {}", file.string(), std::strerror(errno)); });
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_quote(char c) { return c == '"' || c == '\''; }

/// A .geo text without its comments and with empty strings, and what the strings were.
struct Code {
  std::string text;
  std::vector<std::string> strings;
};

Code code_of(const std::string& text) {
  Code code;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = text.find('\n', i);
    } else if (text.compare(i, 2, "/*") == 0) {
      i = text.find("*/", i + 2);
      i = i == std::string::npos ? i : i + 2;
    } else if (is_quote(text[i])) {
      const std::size_t end = std::min(text.find(text[i], i + 1), text.size() - 1);
      code.strings.push_back(text.substr(i + 1, end - i - 1));
      code.text += "\"\"";
      i = end + 1;
    } else {
      code.text += text[i++];
    }
    if (i == std::string::npos) break;
  }
  return code;
}

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Position behind the next whole word `word` of `text` at or after `from`; npos if there is none.
std::size_t after_word(const std::string& text, const std::string& word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_name_character(text[at - 1]);
    if (starts && (end == text.size() || !is_name_character(text[end]))) return end;
  }
  return std::string::npos;
}

/// The first character of `text` at or after `from` that is not in `skipped`; 0 at the end.
char next_character(const std::string& text, std::size_t from, const char* skipped) {
  const std::size_t at = text.find_first_not_of(skipped, from);
  return at == std::string::npos ? '\0' : text[at];
}

bool computes_file_name(const std::string& code) {
  for (const char* keyword : {"Include", "Merge", "ShapeFromFile"}) {
    for (std::size_t at = after_word(code, keyword, 0); at != std::string::npos; at = after_word(code, keyword, at)) {
      if (!is_quote(next_character(code, at, " \t\r\n("))) return true;
    }
  }
  return false;
}

bool exits(const std::string& code) {
  for (std::size_t at = after_word(code, "Exit", 0); at != std::string::npos; at = after_word(code, "Exit", at)) {
    if (next_character(code, at, " \t\r\n") == ';') return true;
  }
  return false;
}

bool declares_size(const std::string& code) {
  for (std::size_t at = after_word(code, "DefineConstant", 0); at != std::string::npos;
       at = after_word(code, "DefineConstant", at)) {
    const std::string statement = code.substr(at, code.find(';', at) - at);
    for (std::size_t lc = after_word(statement, "lc", 0); lc != std::string::npos;
         lc = after_word(statement, "lc", lc)) {
      if (next_character(statement, lc, " \t\r\n") == '=') return true;
    }
  }
  return false;
}

void visit(const std::filesystem::path& file, std::set<std::filesystem::path>& seen, GeoSource& source) {
  const std::string text = slurp(file);
  source.hash = fnv1a(text, source.hash);
  const Code code = code_of(text);
  require_input(!exits(code.text), [&] {
    return message("{}: has `Exit;`, which ends the program that meshes it, Solenoid; remove it", file.string());
  });
  if (computes_file_name(code.text)) source.complete = false;
  if (declares_size(code.text)) source.declares_size = true;
  for (const std::string& name : code.strings) {
    const std::filesystem::path named = file.parent_path() / name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(named, ignored) || !seen.insert(named.lexically_normal()).second) continue;
    source.hash = fnv1a(name, source.hash);
    visit(named, seen, source);
  }
}

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

GeoSource read_geo_source(const std::filesystem::path& file) {
  GeoSource source{.hash = fnv1a(""), .complete = true, .declares_size = false};
  std::set<std::filesystem::path> seen{file.lexically_normal()};
  visit(file, seen, source);
  return source;
}

}  // namespace solenoid
