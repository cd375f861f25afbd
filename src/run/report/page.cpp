#include "run/report/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"

namespace solenoid::report {

namespace {

// Columns of figures fold into one on a phone; wide parts scroll by themselves, never the page.
constexpr const char* style = R"(
:root { --ink: #1d2429; --soft: #5b6670; --line: #d9dee2; --back: #f5f6f7; --accent: #0072b2; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink);
       background: var(--back); overflow-wrap: anywhere; }
header, main { max-width: 1200px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 24px; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.25; }
h2 { margin: 0 0 12px; font-size: 1.2rem; }
h3 { margin: 20px 0 8px; font-size: 1rem; }
.grid h3 { margin-top: 0; }
p, ul { margin: 8px 0; } ul { padding-left: 20px; }
.soft { color: var(--soft); font-size: .9rem; }
nav { display: flex; flex-wrap: wrap; gap: 4px 14px; margin: 12px 0 16px; font-size: .9rem; }
a { color: var(--accent); }
section { background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; margin: 0 0 16px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 8px; }
.figures div { background: var(--back); border-radius: 6px; padding: 8px 10px; }
.figures b { display: block; font-size: 1.05rem; }
.figures span { color: var(--soft); font-size: .85rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 20px; }
figure { margin: 0; min-width: 0; } .wide { grid-column: 1 / -1; }
figcaption { font-weight: 600; margin-bottom: 4px; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, Helvetica, Arial, sans-serif; }
img { display: block; width: 100%; height: auto; max-height: 640px; object-fit: contain; object-position: left; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: .85rem; }
.legend i { display: inline-block; width: 18px; height: 0; border-top: 3px solid; margin-right: 5px; vertical-align: middle; }
.legend i.dot { width: 9px; height: 9px; border: 2px solid; border-radius: 50%; }
.tables { columns: 420px; column-gap: 20px; } .tables > div { break-inside: avoid; padding-bottom: 16px; } .tables h3 { margin-top: 0; }
.slices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); gap: 10px; align-items: end; }
.ramp { height: 12px; border-radius: 3px; margin-top: 8px; }
.ends { display: flex; justify-content: space-between; font-size: .85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 6em; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
td .bar { display: inline-block; height: 9px; background: var(--accent); border-radius: 2px; vertical-align: baseline; }
td .of { display: inline-block; width: 70px; text-align: left; background: var(--back); margin-left: 6px; line-height: 9px; }
pre, code { font: .85rem/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre { white-space: pre-wrap; background: var(--back); padding: 10px; border-radius: 6px; margin: 8px 0; }
summary { cursor: pointer; color: var(--accent); }
.warning { border-left: 4px solid #d55e00; padding: 2px 10px; margin: 8px 0; background: #fdf3ec; }
@media (max-width: 600px) { header, main { padding: 0 8px; } header { padding-top: 12px; } section { padding: 12px 10px; }
  th, td { padding: 4px 5px; } table { font-size: .8rem; } td .of { display: none; } }
@media print { body { background: #fff; font-size: 12px; print-color-adjust: exact; -webkit-print-color-adjust: exact; } nav { display: none; }
  section { border: 0; padding: 0; } figure, tr, .figures { break-inside: avoid; } h2, h3 { break-after: avoid; } }
)";

}  // namespace

std::string typeset(const std::string& text) {
  constexpr std::array powers{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string html = escaped(text);
  std::string result;
  for (std::size_t k = 0; k < html.size(); ++k) {
    const bool is_raised = html[k] == '^' && k + 1 < html.size() && html[k + 1] >= '0' && html[k + 1] <= '9';
    result += is_raised ? powers[html[++k] - '0'] : std::string(1, html[k]);
  }
  return result;
}

std::string words_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string number_text(double value) { return message("{:.6g}", value); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; std::abs(bytes) >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return message("{:.3g} {}", bytes, std::string(units[unit]));
}

std::string table_of(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"scroll\"><table>";
  const auto row = [&](const std::vector<std::string>& cells, const std::string& tag) {
    html += "<tr>";
    for (const std::string& cell : cells) html += "<" + tag + ">" + cell + "</" + tag + ">";
    html += "</tr>\n";
  };
  if (!head.empty()) row(head, "th");
  for (const auto& cells : rows) row(cells, "td");
  return html + "</table></div>\n";
}

std::string figures_of(const std::vector<Figure>& figures) {
  std::string html = "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    html += "<div><b>" + escaped(figure.value) + "</b><span>" + escaped(figure.name) + "</span></div>\n";
  }
  return html + "</div>\n";
}

std::string page_of(const std::string& title, const std::string& subtitle, const std::vector<Section>& sections) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"  // or browsers request one from the server
      "<title>" +
      escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<header>\n<h1>" + escaped(title) +
      "</h1>\n<p class=\"soft\">" + escaped(subtitle) + "</p>\n<nav>\n";
  for (const Section& section : sections) {
    if (!section.html.empty()) html += "<a href=\"#" + section.id + "\">" + escaped(section.heading) + "</a>\n";
  }
  html += "</nav>\n</header>\n<main>\n";
  for (const Section& section : sections) {
    if (section.html.empty()) continue;
    html += "<section id=\"" + section.id + "\">\n<h2>" + escaped(section.heading) + "</h2>\n" + section.html +
            "</section>\n";
  }
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace solenoid::report
