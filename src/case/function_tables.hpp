/// The tables [[table]] of a case file: functions for its formulas, given by columns of a CSV file.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

/// Reads the tables [[table]], whose functions the formulas that are read later know.
class FunctionTables {
 public:
  /// `root`: of the document. `folder`: of the case, for relative paths.
  FunctionTables(TomlDocument& document, TomlSection& root, const std::filesystem::path& folder);

  const std::vector<FunctionTable>& all() const { return tables_; }
  /// Notes a fault for each function of `time` or `t` that has no values beyond its table, which does not cover
  /// [begin, end] [s].
  void require_times(double begin, double end);
  /// The time [s] up to which these functions have values; infinity without any.
  double last_time() const;

 private:
  struct Axes {
    TomlSection section;
    std::shared_ptr<const TabulatedFunction> function;
  };

  void read(TomlSection& section, const std::filesystem::path& folder, FormulaFunctions& functions);

  std::vector<FunctionTable> tables_;
  std::vector<Axes> axes_;
};

}  // namespace solenoid
