/// The report as one HTML page: headings, tables and figures, with all that a browser needs.
#pragma once

#include <string>
#include <vector>

#include "base/user_text.hpp"

namespace solenoid::report {

/// `text` as HTML with powers as superscripts: m^2/s is m²/s.
std::string typeset(const std::string& text);

/// A name in words: underscores become blanks.
std::string words_of(std::string name);

/// A number with at most six significant digits.
std::string number_text(double value);

/// "23.4 MB".
std::string bytes_text(double bytes);

/// A table; each cell is HTML; the first column is left-aligned, the others right.
std::string table_of(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);

/// A key figure.
struct Figure {
  std::string name, value;  ///< as plain text
};
std::string figures_of(const std::vector<Figure>& figures);

/// A section of the page; omitted if its `html` is empty.
struct Section {
  std::string id, heading;  ///< `id`: one word
  std::string html;
};

/// The whole page. `title` and `subtitle` are plain text.
std::string page_of(const std::string& title, const std::string& subtitle, const std::vector<Section>& sections);

}  // namespace solenoid::report
