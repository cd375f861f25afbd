/// Scanner of .geo text: the same words, strings and signs as Gmsh's own.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

enum class GeoTokenKind { word, text, number, sign, comment, end };

struct GeoToken {
  GeoTokenKind kind = GeoTokenKind::end;
  std::string text;  ///< of a string: without its quotes
  int line = 0;

  bool is(const char* wanted) const { return kind != GeoTokenKind::text && text == wanted; }
};

struct GeoTokens {
  std::vector<GeoToken> code;    ///< words, strings, numbers and signs
  std::vector<GeoToken> hidden;  ///< comments and strings: what Gmsh does not carry out
  /// What makes Gmsh 4.8 carry out some of `hidden` all the same, with its line; empty: nothing. It skips what an `If`
  /// or a `For` leaves out, and the body of a `Macro`, with a cruder scanner that strings can lead astray.
  std::string trap;

  /// The token at `place` of the code, or one of the kind `end`.
  const GeoToken& at(std::size_t place) const;
};

GeoTokens geo_tokens(const std::string& text);

}  // namespace solenoid
