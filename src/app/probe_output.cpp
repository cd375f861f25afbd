#include "app/probe_output.hpp"

#include <algorithm>

#include "app/case_points.hpp"
#include "base/error.hpp"

namespace solenoid {

bool ProbeOutput::Probe::wants(const std::string& field) const {
  return std::find(settings.fields.begin(), settings.fields.end(), field) != settings.fields.end();
}

ProbeOutput::ProbeOutput(const Case& wanted, const LocalMesh& mesh, FlowSamples& samples)
    : comm_(mesh.comm()), samples_(samples) {
  for (const ProbeSettings& settings : wanted.probes) {
    probes_.emplace_back(settings, find_points(wanted, settings, mesh), samples.fit());
  }
}

void ProbeOutput::open(const OutputFolder& folder) {
  comm_.guard([&] {
    if (!comm_.is_root() || probes_.empty()) return;
    for (Probe& probe : probes_) {
      std::vector<std::string> columns{"time [s]", "x [m]", "y [m]", "z [m]"};
      if (probe.wants("velocity")) columns.insert(columns.end(), {"u [m/s]", "v [m/s]", "w [m/s]"});
      if (probe.wants("pressure")) columns.push_back("pressure [m^2/s^2]");
      if (probe.wants("vorticity")) columns.push_back("vorticity [1/s]");
      probe.file.emplace(folder.file("probes/" + probe.settings.name + ".csv"), columns);
    }
  });
}

void ProbeOutput::write(int step, ExactStep& flow) {
  for (Probe& probe : probes_) {
    if (step % probe.settings.every_steps == 0) write(probe, step, flow);
  }
}

void ProbeOutput::write(Probe& probe, int step, ExactStep& flow) {
  std::vector<Vec3> velocity, vorticity;
  std::vector<real> pressure;
  if (probe.wants("velocity") || probe.wants("vorticity")) {
    const std::vector<NodeVelocity> nodes = probe.fit.fit(flow.state().flux, flow.walls(), flow.time());
    if (probe.wants("velocity")) velocity = probe.sampler.velocity(nodes);
    if (probe.wants("vorticity")) vorticity = probe.sampler.vorticity(nodes);
  }
  if (probe.wants("pressure")) pressure = probe.sampler.at_points(samples_.pressure(step, flow));
  comm_.guard([&] {
    if (!probe.file) return;
    for (std::size_t i = 0; i < probe.sampler.points().size(); ++i) {
      const Vec3& x = probe.sampler.points()[i];
      std::vector<CsvValue> row{flow.time(), x.x, x.y, x.z};
      if (!velocity.empty()) row.insert(row.end(), {velocity[i].x, velocity[i].y, velocity[i].z});
      if (!pressure.empty()) row.push_back(pressure[i]);
      if (!vorticity.empty()) row.push_back(vorticity[i].z);
      probe.file->row(row);
    }
  });
}

}  // namespace solenoid
