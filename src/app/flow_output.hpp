/// What a flow run writes while it goes on: ParaView fields, line profiles, and the history of its steps.
#pragma once

#include <filesystem>
#include <optional>

#include "io/case_file.hpp"
#include "io/csv.hpp"
#include "io/vtk_writer.hpp"
#include "physics/exact_step.hpp"
#include "physics/point_sampler.hpp"
#include "physics/velocity_fit.hpp"

namespace solenoid {

/// A row of history.csv.
struct StepRecord {
  int step = 0;
  real time = 0, dt = 0, cfl = 0, max_divergence = 0, kinetic_energy = 0;
  double wall_seconds = 0;  ///< since the first step began
};

/// Fields and profiles at output times, from the node velocities of the quadratic fit.
class FlowOutput {
 public:
  /// `wide`: the partition of `mesh` with VelocityFit::layers layers of halo. Collective. Throws a collective Error
  /// (exit code 2) where a line leaves the mesh.
  FlowOutput(const Case& wanted, const LocalMesh& mesh, MeshPart wide);

  /// Writes into `folder` from here on. Collective.
  void open(const std::filesystem::path& folder);

  /// Writes fields_<step> and a file per line. Collective.
  void write(int step, ExactStep& flow);

 private:
  void write_fields(int step, ExactStep& flow);
  void write_lines(int step, const std::vector<NodeVelocity>& nodes);
  bool wants(const std::string& field) const;

  const Case& case_;
  const LocalMesh& mesh_;
  std::filesystem::path folder_;
  VelocityFit fit_;
  Field<Node, NodeVelocity> node_velocity_;
  std::vector<PointSampler> samplers_;  // one per line
  VtkPiece piece_;
  std::vector<int> piece_nodes_;  // the local node of each point of the piece
  std::optional<VtkSeries> series_;
};

/// history.csv: a row a step.
class History {
 public:
  /// `vorticity`: the run has a vorticity solver, and so its columns.
  History(const std::filesystem::path& folder, bool vorticity);
  void write(const StepRecord& record, const SolveLog& solves);

 private:
  bool vorticity_;
  CsvFile file_;
};

}  // namespace solenoid
