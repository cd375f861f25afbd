#include "app/case_points.hpp"

#include "base/error.hpp"

namespace solenoid {

PointSampler find_points(const Case& wanted, const LineSettings& line, const LocalMesh& mesh) {
  std::vector<Vec3> points;  // both ends among them
  for (int i = 0; i < line.points; ++i) {
    const real place = static_cast<real>(i) / (line.points - 1);
    points.push_back((1 - place) * line.from + place * line.to);
  }
  return {mesh, std::move(points), message("{}: [[line]] `{}`", wanted.file.string(), line.name)};
}

PointSampler find_points(const Case& wanted, const ProbeSettings& probe, const LocalMesh& mesh) {
  return {mesh, probe.points, message("{}: `points` of [[probe]] `{}`", wanted.file.string(), probe.name)};
}

}  // namespace solenoid
