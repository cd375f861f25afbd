/// Scanner of .geo text: the same words, strings and signs as Gmsh's own.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

enum class GeoTokenKind { word, text, number, sign, comment, end };

struct GeoToken {
  GeoTokenKind kind = GeoTokenKind::end;
  std::string text;  ///< strings: without quotes
  int line = 0;

  bool is(const char* wanted) const { return kind != GeoTokenKind::text && text == wanted; }
};

struct GeoTokens {
  std::vector<GeoToken> code;    ///< words, strings, numbers and signs
  std::vector<GeoToken> hidden;  ///< comments and strings, which Gmsh does not execute
  /// Why Gmsh 4.8 may execute some of `hidden` nevertheless, with its line; empty: it does not. Gmsh skips inactive
  /// branches of `If` and `For`, and the body of a `Macro`, with a cruder scanner that strings can mislead.
  std::string trap;

  /// The token of the code at `place`; a token of kind `end` beyond the last one.
  const GeoToken& at(std::size_t place) const;
};

GeoTokens geo_tokens(const std::string& text);

}  // namespace solenoid
