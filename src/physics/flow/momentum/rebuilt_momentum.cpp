#include "physics/flow/momentum/rebuilt_momentum.hpp"

#include <utility>

#include "mesh/incidence.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

RebuiltMomentum::RebuiltMomentum(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                                 Stress stress, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      tables_(mesh, boundaries),
      fit_(mesh, wide, boundaries),
      entering_(entering_by_area(boundaries)),
      drift_(drift_of_entering(boundaries)),
      given_velocity_(std::vector<Vec3>(tables_.given_node.size())),
      boundary_velocity_(std::vector<Vec3>(tables_.boundary_face.size())),
      inverse_area_(mesh),
      sliding_node_(tables_.sliding_node),
      stress_(mesh.dimension() == 2 ? Stress::symmetric : stress),
      viscosity_(mesh),
      penalty_by_viscosity_(mesh),
      average_by_viscosity_(mesh),
      penalty_(mesh),
      average_(mesh),
      at_nodes_(mesh),
      psi_(mesh),
      rebuilt_(mesh),
      face_terms_(mesh),
      carried_(std::vector<Vec3>(tables_.boundary_face.size())),
      on_faces_(mesh),
      on_corners_(mesh) {
  std::vector<real> inverse_areas;
  for (const real area : tables_.reacting_area) inverse_areas.push_back(area > 0 ? 1 / area : 0);
  for (const int n : tables_.sliding_node) inverse_areas[n] = -inverse_areas[n];
  inverse_area_.from_host(inverse_areas);
  halo(inverse_area_);
  lacks_ = DeviceArray<Vec3>(constants_lack());
  set_penalties();
  viscosity_.from_host(std::vector<real>(mesh.owned<Cell>(), 1));
  set_viscosity(halo(viscosity_));
}

void RebuiltMomentum::compute(Exchanged<Face> flux, const Terms& terms, Field<Face>& along_faces) {
  const real moves = terms.at_rest ? 0 : 1;
  last_viscosity_ = terms.viscosity;
  last_open_ = terms.open;
  last_has_eddies_ = terms.eddies;
  compute_at_nodes(flux, moves);
  if (terms.dissipates) dissipation_.clear(), with_eddies_.clear();
  compute_terms(flux, terms, moves);
  if (mesh_.dimension() == 2) {
    sum_at_nodes<2>();
  } else {
    sum_at_nodes<3>();
  }
  sum_on_faces(along_faces);
}

/// 1. v = N U, and the prescribed velocities.
void RebuiltMomentum::compute_at_nodes(Exchanged<Face> flux, real moves) {
  const int* const node = tables_.given_node.data();
  const Vec3* const given = given_velocity_.data();
  const auto v = at_nodes_.view();
  forall(
      static_cast<int>(tables_.given_node.size()),
      SOLENOID_KERNEL(int i) { v[Index<Node>{node[i]}] = moves * given[i]; });
  fit_.compute(flux, at_nodes_);
}

/// 5. psi at each node, the sum over the cells around.
template <int d>
void RebuiltMomentum::sum_at_nodes() {
  const auto on_corners = halo(on_corners_).view();
  const int *const begin = tables_.corner_begin.data(), *const corner = tables_.corner_of_cell.data();
  const int count = static_cast<int>(tables_.corner_of_cell.size());
  const auto psi = psi_.view();
  count_owned(psi_);
  count_gathered(on_corners_);
  forall(
      mesh_.owned<Node>(), SOLENOID_KERNEL(int n) {
        constexpr int ahead = 48;
        Vec3 sum{};
        for (int k = begin[n]; k < begin[n + 1]; ++k) {
          if (k + ahead < count)
            start_to_fetch(on_corners.data[corner[k + ahead] / (d + 1)].of[corner[k + ahead] % (d + 1)]);
          sum += on_corners.data[corner[k] / (d + 1)].of[corner[k] % (d + 1)];
        }
        psi[Index<Node>{n}] = sum;
      });
}

/// 6. The sum of both cells' contributions on each face, plus N^T psi.
void RebuiltMomentum::sum_on_faces(Field<Face>& along_faces) {
  const auto on_faces = halo(on_faces_).view();
  const auto cells = mesh_.G.view();
  const signed char* const slot_in_cell = tables_.slot_in_cell.data();
  const auto phi = along_faces.view();
  const int count = mesh_.owned<Face>();
  count_traffic(mesh_.G.bytes());
  count_owned(along_faces);
  count_gathered(on_faces_);
  forall(
      count, SOLENOID_KERNEL(int i) {
        fetch_ahead(cells, i, count, on_faces);
        real sum = 0;
        for (const auto [c, sign, k] : cells[Index<Face>{i}]) sum -= sign * on_faces[c].of[slot_in_cell[k]];
        phi[Index<Face>{i}] = sum;
      });
  fit_.add_transposed(psi_, along_faces);
}

}  // namespace solenoid
