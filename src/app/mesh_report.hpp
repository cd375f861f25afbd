/// Findings on a mesh before anything is solved, those of `solenoid check`, and their text.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/setup_trial.hpp"
#include "base/vec3.hpp"
#include "case/case_file.hpp"
#include "mesh/domain.hpp"
#include "mesh/quality.hpp"
#include "mesh/refinement.hpp"

namespace solenoid {

struct PatchReport {
  std::string name;
  std::int64_t faces = 0;
  real area = 0;          ///< [m^2]; 2D: length [m]
  std::string condition;  ///< description; empty without a case
};

struct PartitionPreview {
  PartitionReport partition;
  std::optional<Bytes> memory;  ///< upper bound for the largest rank; absent if the set-up could not be tried
};

/// Estimated size of the field outputs of a run, without lines and probes.
struct OutputEstimate {
  double count = 0;  ///< outputs, including those of the start and the end
  double bytes = 0;  ///< per output
  double cells = 0;  ///< shown; estimated if the findings are not those of the refined mesh
  bool shows_all = true;
};

/// The refinement of the mesh by its case.
struct RefinementReport {
  int times = 0;
  EntityCounts read, refined;  ///< counts of the mesh in the file, and of that of the run
  bool is_examined = false;    ///< the findings are those of the refined mesh; else of the one in the file
};

struct MeshFindings {
  explicit MeshFindings(GlobalMesh examined) : mesh(std::move(examined)), geometry(mesh) {}

  GlobalMesh mesh;
  Geometry geometry;
  RefinementReport refinement;
  Domain domain;
  std::vector<QualityMeasure> quality;
  std::vector<PatchReport> patches;
  std::vector<ZoneReport> zones;    ///< of the case; empty where it does not fit the mesh
  std::vector<std::string> drives;  ///< drive of the flow through each periodic pair; empty without a case
  std::vector<PartitionPreview> previews;
  std::vector<int> preview_owner;  ///< rank of each cell in the last preview
  SetupTrial trial;
  std::optional<StepForecast> step;
  std::optional<OutputEstimate> outputs;
  Box box;                                         ///< the corners of the mesh's bounding box [m]
  real edge_min = 0, edge_mean = 0, edge_max = 0;  ///< lengths [m]
  real volume = 0;                                 ///< [m^3]; 2D: area [m^2]
  std::vector<std::string> problems;               ///< faults that no run accepts, with their remedies
  std::vector<std::string> warnings;               ///< findings worth a look
};

/// Examines a mesh, alone or with its case and as refined by it, unless it then has more than a million cells: then
/// only counts, partitions, memory and sizes of outputs are those of the refined mesh. `ranks`: numbers of ranks to
/// preview, ascending; `program_bytes`: peak memory of this process before it read the mesh. Serial.
MeshFindings examine(const MeshSource& source, const Case* wanted, const std::vector<int>& ranks,
                     std::size_t program_bytes);

/// The findings as lines of at most 120 columns or so.
std::vector<std::string> check_text(const MeshFindings& found);

/// The same as the content of check.json.
nlohmann::ordered_json check_summary(const MeshFindings& found);

}  // namespace solenoid
