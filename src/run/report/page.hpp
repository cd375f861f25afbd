/// The report as one HTML page: headings, tables and figures, with all that a browser needs.
#pragma once

#include <string>
#include <vector>

#include "base/characters.hpp"

namespace solenoid::report {

/// `text` as HTML with its powers raised: m^2/s is m²/s.
std::string typeset(const std::string& text);

/// A name in words: its underscores are blanks.
std::string words_of(std::string name);

/// A number with six digits at most.
std::string number_text(double value);

/// "23.4 MB".
std::string bytes_text(double bytes);

/// A row per entry, each cell HTML already; the first column left, the others right.
std::string table_of(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);

/// What a person reads at a glance.
struct Figure {
  std::string name, value;  ///< as plain text
};
std::string figures_of(const std::vector<Figure>& figures);

/// A part of the page; nothing is shown where it is empty.
struct Section {
  std::string id, heading;  ///< `id` is a word
  std::string html;
};

/// The whole page. `title` and `subtitle` are plain text.
std::string page_of(const std::string& title, const std::string& subtitle, const std::vector<Section>& sections);

}  // namespace solenoid::report
