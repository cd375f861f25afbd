/// A case file as typed settings, checked, with every default filled in.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "case/point_values.hpp"
#include "model/model_setup.hpp"

namespace solenoid {

struct Case {
  std::filesystem::path file;
  std::string name;   ///< folder name; for VARIANT.toml, any but case.toml, FOLDER-VARIANT
  std::string title;  ///< `name` if the file has none
  MeshSettings mesh;
  bool reproducible = false;          ///< [run]: the same bits on any number of ranks
  std::unique_ptr<ModelSetup> setup;  ///< the physics
  OutputSettings output;
  std::optional<CheckpointSettings> checkpoint;
  std::vector<ProbeSettings> probes;
  std::vector<LineSettings> lines;
  std::vector<IntegralSettings> integrals;
  std::vector<ForceSettings> forces;
  std::vector<SectionSettings> sections;
  std::vector<PlaneSettings> planes;
  std::vector<IsosurfaceSettings> isosurfaces;
  std::vector<AverageSettings> averages;
  std::vector<ProfileSettings> profiles;
  std::vector<TracerSettings> tracers;
  std::vector<FunctionTable> functions;
  std::vector<PointValuesFile> point_tables;
  double last_time_of_functions = std::numeric_limits<double>::infinity();  ///< up to which they have values [s]
  nlohmann::ordered_json effective;  ///< every key with its effective value, for summary.json; null: off

  /// The same with the checksum of each file with a function or values at points: all that a restart may find changed.
  nlohmann::ordered_json settings() const;
};

/// Where a run begins: at t = 0 or the time of an earlier run, as the case says, or at a checkpoint of its own.
enum class Beginning { of_case, of_checkpoint };

/// Reads a case file and overrides its values by those of `--set` ("key.path=value"). Serial, and the same on every
/// rank that calls it. Throws one Error (bad input) that lists all faults of the file, one per line: invalid TOML,
/// unknown and missing keys, wrong types and values, and features that this version lacks.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& sets,
               Beginning beginning = Beginning::of_case);

}  // namespace solenoid
