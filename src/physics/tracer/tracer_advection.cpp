#include "physics/tracer/tracer_advection.hpp"

#include <limits>

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

constexpr real tolerance_of_faces = 1e4 * std::numeric_limits<real>::epsilon();  // of a barycentric coordinate
constexpr int most_crossings = 10000;                                            // of faces on one path
constexpr int straight_crossings = 100;  // beyond these, the walk heads for the target and leaves the line
constexpr int most_slides = 8;           // along boundary faces in one step

std::vector<char> open_patches(const LocalMesh& mesh, const AdvectingVelocity& carrier) {
  std::vector<char> is_open;
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) is_open.push_back(carrier.is_open(p));
  return is_open;
}

}  // namespace

/// Velocity at x from the quadratic of a cell, at a fraction of the step.
struct VelocityInCell {
  CellNeighbours::View ways;
  View<Node, const NodeVelocity> before, after;

  SOLENOID_HD Vec3 operator()(int cell, const Vec3& x, real part) const {
    Vec3 position[4];
    NodeVelocity node[4];
    real weight[4];
    for (int k = 0; k < ways.corners; ++k) {
      const Index<Node> n{ways.nodes[cell * ways.corners + k]};
      position[k] = ways.corner(cell, k);
      node[k] = {};
      if (part < 1) node[k].add(1 - part, before[n]);
      if (part > 0) node[k].add(part, after[n]);
    }
    ways.weights(cell, x, weight);
    return interpolate_velocity(ways.corners, position, node, weight, x);
  }
};

/// Advances one tracer as far as this rank's cells reach.
struct TracerStep {
  CellNeighbours::View ways;
  VelocityInCell velocity;
  const char* is_open;
  real dt;
  Tracer* tracers;

  enum class Walk { arrived, at_boundary, at_unknown, endless };

  /// Walks to the cell that contains tracer.to, or to the boundary, met at `exit` on `side`.
  SOLENOID_HD Walk walk(Tracer& tracer, Vec3& exit, int& side) const {
    for (int crossing = 0; crossing < most_crossings; ++crossing) {
      real begin[4], end[4];
      ways.weights(tracer.cell, tracer.from, begin);
      ways.weights(tracer.cell, tracer.to, end);
      side = -1;
      bool is_inside = true;
      real first = 2, deepest = 0;  // fraction of the path at which the line leaves through a side
      for (int k = 0; k < ways.corners; ++k) {
        is_inside = is_inside && end[k] >= -tolerance_of_faces;
        if (!(end[k] < -tolerance_of_faces)) continue;
        const real ahead = begin[k] > 0 ? begin[k] : 0, part = ahead / (ahead - end[k]);
        if (crossing < straight_crossings ? part < first : end[k] < deepest) side = k, first = part, deepest = end[k];
      }
      if (is_inside) return Walk::arrived;
      if (side < 0) return Walk::endless;  // not a number
      const int beyond = ways.beyond(tracer.cell, side);
      if (beyond == CellNeighbours::View::unknown) return Walk::at_unknown;
      if (beyond < 0) {
        tracer.patch = -2 - beyond;
        exit = tracer.from + first * (tracer.to - tracer.from);
        return Walk::at_boundary;
      }
      const Vec3 shift = ways.shift(tracer.cell, side);
      tracer.place += shift, tracer.from += shift, tracer.to += shift;
      tracer.cell = beyond;
    }
    return Walk::endless;
  }

  SOLENOID_HD void ask_velocity(Tracer& tracer) const {
    const int stage = static_cast<int>(tracer.stage);  // classical scheme: Kutta 1901
    const real part[] = {0, real{1} / 2, real{1} / 2, 1},
               share[] = {real{1} / 6, real{1} / 3, real{1} / 3, real{1} / 6}, next[] = {real{1} / 2, real{1} / 2, 1};
    const real left = 1 - tracer.begin;
    const Vec3 moved = (left * dt) * velocity(tracer.cell, tracer.to, tracer.begin + part[stage] * left);
    tracer.way += share[stage] * moved;
    tracer.to = tracer.place + (stage < 3 ? next[stage] * moved : tracer.way);
    tracer.stage = static_cast<TracerStage>(stage + 1);
  }

  SOLENOID_HD void operator()(int i) const {
    Tracer tracer = tracers[i];
    int slides = 0;
    while (tracer.stage < TracerStage::done) {
      Vec3 exit;
      int side = -1;
      const Walk ended = walk(tracer, exit, side);
      if (ended == Walk::at_unknown) break;
      if (ended == Walk::endless) {
        tracer.stage = TracerStage::lost;
      } else if (tracer.stage < TracerStage::end) {
        const Vec3 here = ended == Walk::arrived ? tracer.to : exit;
        ask_velocity(tracer);
        tracer.from = here;
      } else if (ended == Walk::arrived) {
        tracer.place = tracer.to;
        tracer.stage = TracerStage::done;
      } else if (is_open[tracer.patch]) {
        tracer.place = exit;
        tracer.stage = TracerStage::left;
      } else if (slides++ == most_slides) {
        tracer.place = exit;
        tracer.stage = TracerStage::done;
      } else {
        const Vec3 n = ways.normal(tracer.cell, side), rest = tracer.to - exit;
        tracer.from = exit;
        tracer.to = exit + rest - dot(rest, n) * n;
      }
    }
    tracers[i] = tracer;
  }
};

TracerAdvection::TracerAdvection(const LocalMesh& mesh, const AdvectingVelocity& carrier, const MemoryOf& /*scope*/)
    : ways_(mesh), is_open_(open_patches(mesh, carrier)) {}

void TracerAdvection::advance(std::vector<Tracer>& tracers, const CarryingStep& step) const {
  if (tracers.empty()) return;
  const CellNeighbours::View ways = ways_.view();
  DeviceArray<Tracer> on_device(tracers);
  forall(static_cast<int>(tracers.size()),
         TracerStep{ways, {ways, step.before.view(), step.after.view()}, is_open_.data(), step.dt, on_device.data()});
  tracers = on_device.to_host();
}

std::vector<Vec3> TracerAdvection::velocities(const std::vector<Tracer>& tracers,
                                              Exchanged<Node, NodeVelocity> nodes) const {
  if (tracers.empty()) return {};
  const DeviceArray<Tracer> on_device(tracers);
  DeviceArray<Vec3> result(tracers.size());
  const VelocityInCell velocity{ways_.view(), nodes.view(), nodes.view()};
  const Tracer* const tracer = on_device.data();
  Vec3* const u = result.data();
  forall(
      static_cast<int>(tracers.size()),
      SOLENOID_KERNEL(int i) { u[i] = velocity(tracer[i].cell, tracer[i].place, 1); });
  return result.to_host();
}

}  // namespace solenoid
