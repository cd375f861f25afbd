#include "physics/flow/momentum/buoyancy.hpp"

#include <cmath>
#include <utility>

#include "field/assign.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

namespace solenoid {

namespace {

/// By slot of G (cells of owned faces): the node opposite the face.
std::vector<int> opposite_nodes(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const IncidenceRows& cells = mesh.G.host();
  std::vector<int> nodes;
  for (int f = 0; f < cells.rows(); ++f) {
    for (int slot = cells.offset[f]; slot < cells.offset[f + 1]; ++slot) {
      const int cell = cells.index[slot];
      for (int k = 0; k < part.corners(); ++k) {
        if (part.cell_faces_of(cell)[k] == f) nodes.push_back(part.cell_nodes_of(cell)[k]);
      }
    }
  }
  return nodes;
}

std::vector<real> areas_by_length(const LocalMesh& mesh) {
  std::vector<real> factors;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    factors.push_back(mesh.geometry().face_area[f] / mesh.dual_length()[f]);
  }
  return factors;
}

/// (x_f - x_c) . pull times the mean of T at both ends, for the cell before the face less that for the cell behind it.
struct AlongDual {
  int corners;
  Vec3 pull;
  real reference;
  IncidenceView<Face, Cell> cells;
  const Vec3* arm;
  const int* opposite;
  View<Cell, const real> middle;
  View<Node, const real> values;
  View<Face> result;

  SOLENOID_HD void operator()(int i) const {
    real sum = 0;
    for (const auto [c, sign, slot] : cells[Index<Face>{i}]) {  // the sign of G is the opposite of D's
      const real in_middle = middle[c], across = values[Index<Node>{opposite[slot]}] - reference;
      const real on_face = (static_cast<real>(corners) * in_middle - across) / static_cast<real>(corners - 1);
      sum -= sign * dot(arm[slot], pull) * ((in_middle + on_face) / 2);
    }
    result[Index<Face>{i}] = sum;
  }
};

}  // namespace

Buoyancy::Buoyancy(const LocalMesh& mesh, const BuoyancySettings& settings)
    : mesh_(mesh),
      reference_(settings.reference),
      pull_(-settings.expansion * settings.gravity),
      opposite_(opposite_nodes(mesh)),
      per_length_(areas_by_length(mesh)),
      gradient_(mesh),
      in_middle_(mesh),
      along_duals_(mesh),
      in_cells_(mesh),
      slope_(mesh) {}

void Buoyancy::compute(Exchanged<Node> temperature) {
  const int corners = mesh_.part().corners();
  const int* const nodes = mesh_.cell_nodes();
  const real reference = reference_;
  const Vec3 pull = pull_;
  const auto T = temperature.view();
  const auto middle = in_middle_.view();
  const auto acceleration = in_cells_.view();
  count_gathered(temperature.field());
  count_owned(in_middle_, in_cells_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        real sum = 0;
        for (int k = 0; k < corners; ++k) sum += T[Index<Node>{nodes[corners * i + k]}] - reference;
        middle[Index<Cell>{i}] = sum / static_cast<real>(corners);
        acceleration[Index<Cell>{i}] = (sum / static_cast<real>(corners)) * pull;
      });
  const auto in_middle = halo(in_middle_);
  count_traffic(mesh_.G.bytes());
  count_gathered(in_middle_, temperature.field());
  count_owned(along_duals_);
  forall(mesh_.owned<Face>(), AlongDual{corners, pull, reference, mesh_.G.view(), mesh_.cell_arm(), opposite_.data(),
                                        in_middle.view(), T, along_duals_.view()});
  gradient_.apply(temperature, slope_);
}

real Buoyancy::frequency() const {
  const auto slope = slope_.view();
  const Vec3 pull = pull_;
  return std::sqrt(mesh_.comm().max(reduce_max(
      slope_.owned(), 0, SOLENOID_KERNEL(int i) {
        const real rate = dot(pull, slope[Index<Cell>{i}]);
        return std::fabs(rate);
      })));
}

real Buoyancy::courant_rate_from_rest() {
  Field<Face> flux(mesh_);
  const auto along = std::as_const(along_duals_).view();
  const auto U = flux.view();
  const real* const factor = per_length_.data();
  forall(
      flux.owned(), SOLENOID_KERNEL(int i) { U[Index<Face>{i}] = factor[i] * along[Index<Face>{i}]; });
  return courant_rate(flux);
}

}  // namespace solenoid
