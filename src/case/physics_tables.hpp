/// The kinds of physics of a case file, each by its table, for the reader.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "case/toml_section.hpp"
#include "model/model_setup.hpp"

namespace solenoid {

struct PhysicsTable {
  std::string name;                                  ///< table name: flow
  std::string what;                                  ///< description: heat conduction
  std::string required;                              ///< keys without a default
  std::vector<std::string> boundary_types, solvers;  ///< its words, including those not available in this version
  bool has_usual_outputs;                            ///< ten outputs by default, if [output] requests none
  /// Reads [NAME], [time], [boundary.*], [initial] and [solver.*] of a case in `file`.
  std::unique_ptr<ModelSetup> (*read)(TomlSection& root, const std::filesystem::path& file);
};

std::unique_ptr<ModelSetup> read_flow_case(TomlSection& root, const std::filesystem::path& file);
std::unique_ptr<ModelSetup> read_heat_case(TomlSection& root, const std::filesystem::path& file);
std::unique_ptr<ModelSetup> read_wave_case(TomlSection& root, const std::filesystem::path& file);
std::unique_ptr<ModelSetup> read_water_waves_case(TomlSection& root, const std::filesystem::path& file);

/// All of them. A case with none of these tables counts as one of the first.
const std::vector<PhysicsTable>& physics_tables();

/// Alternatives to the table `own`, for messages: "; or, for heat conduction, [heat] with `conductivity`".
std::string or_else_than(const std::string& own);
/// Boundary-condition words of all physics but `own`.
std::vector<RefusedWord> boundary_types_beside(const std::string& own);
/// Refuses the tables [solver.NAME] of all physics but `own`, except the one named `taken`.
void refuse_solvers_beside(const std::string& own, TomlSection& solver, const std::string& taken = "");

}  // namespace solenoid
