/// The [[probe]]s of a run: time series at points, one CSV each.
#pragma once

#include <deque>
#include <optional>

#include "app/flow_samples.hpp"
#include "base/output_folder.hpp"
#include "case/case_file.hpp"
#include "io/csv.hpp"
#include "physics/point_sampler.hpp"

namespace solenoid {

/// Velocity and vorticity cost the fit at the nodes around the points; pressure costs what it does in an output of the
/// fields: the fit at every node and a Poisson solve.
class ProbeOutput {
 public:
  /// Collective. Throws a collective Error (exit code 2) where a point lies outside the mesh.
  ProbeOutput(const Case& wanted, const LocalMesh& mesh, FlowSamples& samples);

  /// Writes into `folder`/probes from here on. Collective.
  void open(const OutputFolder& folder);

  /// Adds the rows of the probes whose turn it is after step `step`, 0 being the start. Collective.
  void write(int step, ExactStep& flow);

 private:
  struct Probe {
    const ProbeSettings& settings;
    PointSampler sampler;
    NodeFit fit;
    std::optional<CsvFile> file;  // on rank 0
    Probe(const ProbeSettings& wanted, PointSampler found, VelocityFit& velocity_fit)
        : settings(wanted), sampler(std::move(found)), fit(velocity_fit, sampler.nodes()) {}
    bool wants(const std::string& field) const;
  };
  void write(Probe& probe, int step, ExactStep& flow);

  const Comm& comm_;
  FlowSamples& samples_;
  std::deque<Probe> probes_;
};

}  // namespace solenoid
