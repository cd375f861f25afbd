/// A case as the user wrote it: the typed content of a case file, checked, with every default filled in.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/case_settings.hpp"

namespace solenoid {

struct Case {
  std::filesystem::path file;
  std::string name;   ///< that of its folder; for VARIANT.toml, any but case.toml, FOLDER-VARIANT
  std::string title;  ///< the name where the file has none
  MeshSettings mesh;
  std::optional<FlowSettings> flow;  ///< either this or heat is there
  std::optional<HeatSettings> heat;
  std::optional<TimeSettings> time;                  ///< absent where the steady state of heat conduction is asked for
  std::map<std::string, BoundarySettings> boundary;  ///< by the mesh's boundary group; not empty
  std::array<Formula, 3> initial_velocity;           ///< [m/s]
  Formula initial_temperature;                       ///< [K]
  std::map<std::string, SolverSettings> solver;      ///< potential, pressure and vorticity, or heat
  OutputSettings output;
  std::vector<ProbeSettings> probes;
  std::vector<LineSettings> lines;
  nlohmann::ordered_json effective;  ///< every key with the value in effect, for summary.json; null: off
};

/// Reads a case file with the values of `--set` ("key.path=value") laid over it. Serial, and the same on every rank
/// that calls it. Throws one Error (bad input) that lists everything wrong with the file, a line each: what is not
/// TOML, unknown and missing keys, wrong types and values, and what this version does not offer yet.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace solenoid
