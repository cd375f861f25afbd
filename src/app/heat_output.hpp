/// What a run of heat conduction writes: ParaView fields, line profiles, probes, and the history of its steps.
#pragma once

#include <deque>
#include <optional>

#include "case/case_file.hpp"
#include "io/csv.hpp"
#include "physics/heat_conduction.hpp"
#include "physics/point_sampler.hpp"
#include "run/mesh_piece.hpp"

namespace solenoid {

/// A row of history.csv.
struct HeatRecord {
  int step = 0;
  real time = 0, dt = 0;
  HeatConduction::Range range{0, 0};
  HeatBalance balance;
  double wall_seconds = 0;  ///< since the first step began
};

class HeatOutput {
 public:
  /// Collective. Throws a collective Error (exit code 2) where a line or a probe leaves the mesh.
  HeatOutput(const Case& wanted, const LocalMesh& mesh);

  /// Writes into `folder` from here on. Collective.
  void open(const OutputFolder& folder);

  /// After each step, 0 being the start: the probes; and where `is_due`, fields_<step>, the patches and a file per
  /// line. Collective.
  void write(int step, HeatConduction& heat, bool is_due);

 private:
  struct Probe {
    const ProbeSettings& settings;
    PointSampler sampler;
    std::optional<CsvFile> file;  // on rank 0
  };
  void write_fields(int step, HeatConduction& heat);
  void write_line(int step, const LineSettings& line, const PointSampler& sampler, HeatConduction& heat);
  void write_probe(Probe& probe, HeatConduction& heat);

  const Case& case_;
  const LocalMesh& mesh_;
  MeshPiece shown_;
  OutputFolder folder_;
  std::vector<PointSampler> lines_;
  std::deque<Probe> probes_;
  std::optional<VtkSeries> series_;
};

/// history.csv: a row a step, or one for a steady state.
class HeatHistory {
 public:
  /// `unit` of heat.
  HeatHistory(const OutputFolder& folder, const std::vector<std::string>& patches, const std::string& unit);
  void write(const HeatRecord& record, const SolveLog& solves);

 private:
  CsvFile file_;
};

/// What to say of temperatures beyond the bounds of the maximum principle, in a run with BDF2 or without.
std::string beyond_bounds_text(const MaximumPrinciple& found, bool with_bdf2);

}  // namespace solenoid
