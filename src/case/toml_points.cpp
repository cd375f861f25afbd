/// The keys of TomlSection that hold values at points, as { file = "inlet.csv" }.
#include <algorithm>

#include "base/error.hpp"
#include "case/case_words.hpp"
#include "case/point_values.hpp"
#include "case/toml_section_state.hpp"

namespace solenoid {

bool TomlSection::is_at_points(const TomlNode* node) const {
  return node && std::holds_alternative<TomlTable>(node->value) && !path_.empty() && path_.front() == "boundary";
}

std::vector<Formula> TomlSection::at_points(const std::string& key, const TomlNode& node, const NumberRange* range) {
  const bool is_vector = range == nullptr;
  record(key, nlohmann::ordered_json::object());
  TomlSection section = child(key, &node);
  const std::string file = section.text("file");
  std::vector<std::string> columns;
  if (!is_vector) {
    columns.push_back(section.text("value"));
  } else if (section.has("values")) {
    columns = section.names("values", 2, 3);
  }
  const std::vector<Formula> none(is_vector ? 3 : 1);
  if (file.empty() || (is_vector && section.has("values") && columns.empty())) return none;
  PointValuesFile table{section.path_, state_->folder / file, "", nullptr};
  try {
    const CaseTable content = read_case_table(table.file);
    if (columns.empty()) columns = {"u", "v"};
    const bool has_third =
        is_vector && columns.size() == 2 && !section.has("values") && column_of(content.columns, "w");
    if (has_third) columns.emplace_back("w");
    if (is_vector) section.record("values", columns);
    table.checksum = content.checksum;
    table.values = std::make_shared<const PointValues>(content.columns, columns);
  } catch (const Error& error) {
    section.wrong("file", std::string("values at points (") + error.what() + ")");
    return none;
  }
  if (range && !std::all_of(table.values->all().begin(), table.values->all().end(), range->holds)) {
    section.wrong("value", std::string("a column of numbers, each ") + range->expected);
  }
  state_->point_tables.push_back({section, table});
  std::vector<Formula> formulas;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    formulas.emplace_back(table.values, k, message("{} of {}", columns[k], file));
  }
  formulas.resize(none.size());
  return formulas;
}

std::vector<PointValuesFile> TomlDocument::point_tables() const {
  std::vector<PointValuesFile> tables;
  for (const auto& read : state_->point_tables) tables.push_back(read.table);
  return tables;
}

void TomlDocument::require_times_of_points(double begin, double end) {
  for (auto& [section, table] : state_->point_tables) {
    const auto times = table.values->times();
    if (!times || (times->first <= begin && times->second >= end)) continue;
    section.wrong("file", message("values at points with times {}, found {} to {} s", times_of_run(begin, end),
                                  times->first, times->second));
  }
}

}  // namespace solenoid
