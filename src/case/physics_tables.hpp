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
  std::string name;                                  ///< of the table: flow
  std::string what;                                  ///< in words: heat conduction
  std::string required;                              ///< keys without a default
  std::vector<std::string> boundary_types, solvers;  ///< its words, those not available in this version too
  bool has_usual_outputs;                            ///< ten of them, where [output] asks for none
  /// Reads [NAME], [time], [boundary.*], [initial] and [solver.*] of a case in `file`.
  std::unique_ptr<ModelSetup> (*read)(TomlSection& root, const std::filesystem::path& file);
};

std::unique_ptr<ModelSetup> read_flow_case(TomlSection& root, const std::filesystem::path& file);
std::unique_ptr<ModelSetup> read_heat_case(TomlSection& root, const std::filesystem::path& file);
std::unique_ptr<ModelSetup> read_wave_case(TomlSection& root, const std::filesystem::path& file);

/// All of them; a case without any is taken for one of the first.
const std::vector<PhysicsTable>& physics_tables();

/// What a case may have instead of `own`, for messages: "; or, for heat conduction, [heat] with `conductivity`".
std::string or_else_than(const std::string& own);
/// The words for boundary conditions that belong to the other physics than `own`.
std::vector<RefusedWord> boundary_types_beside(const std::string& own);
/// Refuses the tables [solver.NAME] of the other physics than `own`, but for one that it takes too.
void refuse_solvers_beside(const std::string& own, TomlSection& solver, const std::string& taken = "");

}  // namespace solenoid
