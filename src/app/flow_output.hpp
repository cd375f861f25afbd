/// What a flow run writes while it goes on: ParaView fields, line profiles, and the history of its steps.
#pragma once

#include <optional>

#include "app/flow_samples.hpp"
#include "app/probe_output.hpp"
#include "case/case_file.hpp"
#include "io/csv.hpp"
#include "io/vtk_writer.hpp"
#include "physics/point_sampler.hpp"
#include "run/mesh_piece.hpp"
#include "run/patch_output.hpp"

namespace solenoid {

/// A row of history.csv.
struct StepRecord {
  int step = 0;
  real time = 0, dt = 0, cfl = 0, max_divergence = 0, kinetic_energy = 0;
  double wall_seconds = 0;  ///< since the first step began
};

/// Fields and profiles at output times and probes at every step, from the node velocities of the quadratic fit.
class FlowOutput {
 public:
  /// `wide`: the partition of `mesh` with VelocityFit::layers layers of halo. Collective. Throws a collective Error
  /// (exit code 2) where a line or a probe leaves the mesh.
  FlowOutput(const Case& wanted, const LocalMesh& mesh, MeshPart wide);

  /// Writes into `folder` from here on. Collective.
  void open(const OutputFolder& folder);

  /// After each step, 0 being the start: the probes; and where `is_due`, fields_<step>, the patches and a file per
  /// line. Collective.
  void write(int step, ExactStep& flow, bool is_due);

  /// fields_<step> and the patches but for what takes a solve: of a flow that diverges. Collective.
  void write_without_pressure(int step, ExactStep& flow) { write_fields(step, flow, false); }

 private:
  void write_fields(int step, ExactStep& flow, bool with_pressure);
  void write_lines(int step, ExactStep& flow);
  bool wants(const std::string& field) const;
  std::vector<real> divergence(ExactStep& flow) const;
  PatchQuantities wall_quantities(int step, ExactStep& flow, bool with_pressure);

  const Case& case_;
  const LocalMesh& mesh_;
  MeshPiece shown_;
  OutputFolder folder_;
  FlowSamples samples_;
  ProbeOutput probes_;
  std::vector<PointSampler> samplers_;  // one per line
  std::optional<VtkSeries> series_;
};

/// history.csv: a row a step.
class History {
 public:
  /// `vorticity`: the run has a vorticity solver, and so its columns.
  History(const OutputFolder& folder, bool vorticity);
  void write(const StepRecord& record, const SolveLog& solves);

 private:
  bool vorticity_;
  CsvFile file_;
};

}  // namespace solenoid
