#include "physics/rebuilt_momentum.hpp"

#include <utility>

#include "field/assign.hpp"
#include "parallel/backend.hpp"
#include "physics/boundary_velocity.hpp"

namespace solenoid {

namespace {

/// Gradients of the four barycentric coordinates.
struct Shape {
  Vec3 gradient[4];
  SOLENOID_HD Shape(const Vec3* points, const int* at) {
    const Vec3 a = points[at[1]] - points[at[0]], b = points[at[2]] - points[at[0]], c = points[at[3]] - points[at[0]];
    const Vec3 bc = cross(b, c);
    const real factor = 1 / dot(a, bc);
    gradient[1] = factor * bc, gradient[2] = factor * cross(c, a), gradient[3] = factor * cross(a, b);
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
  }
};

/// A matrix by its columns, [k] what it makes of the unit vector k.
SOLENOID_HD real trace(const Vec3* matrix) { return matrix[0].x + matrix[1].y + matrix[2].z; }
SOLENOID_HD void take_off_trace(Vec3* matrix) {
  const real third = trace(matrix) / 3;
  matrix[0].x -= third, matrix[1].y -= third, matrix[2].z -= third;
}
/// += u along^T.
SOLENOID_HD void add_product(const Vec3& u, const Vec3& along, Vec3* matrix) {
  matrix[0] += along.x * u, matrix[1] += along.y * u, matrix[2] += along.z * u;
}
SOLENOID_HD Vec3 times(const Vec3* matrix, const Vec3& n) {
  return n.x * matrix[0] + n.y * matrix[1] + n.z * matrix[2];
}

}  // namespace

RebuiltMomentum::RebuiltMomentum(const LocalMesh& mesh, const WideMesh& wide, const FlowBoundaries& boundaries)
    : mesh_(mesh),
      tables_(mesh, boundaries),
      fit_(mesh, wide, boundaries),
      given_velocity_(std::vector<Vec3>(tables_.given_node.size())),
      boundary_velocity_(std::vector<Vec3>(tables_.boundary_face.size())),
      inverse_area_(mesh),
      sliding_node_(tables_.sliding_node),
      viscosity_(mesh),
      penalty_(mesh),
      average_(mesh),
      excess_(mesh),
      phi_(mesh),
      at_nodes_(mesh),
      psi_(mesh),
      on_faces_(mesh),
      rebuilt_(mesh),
      face_terms_(mesh),
      carried_(mesh),
      cell_terms_(mesh),
      corner_terms_(mesh) {
  std::vector<real> inverse_areas;
  for (const real area : tables_.reacting_area) inverse_areas.push_back(area > 0 ? 1 / area : 0);
  for (const int n : tables_.sliding_node) inverse_areas[n] = -inverse_areas[n];
  inverse_area_.from_host(inverse_areas);
  halo(inverse_area_);
  lacks_ = DeviceArray<Vec3>(constants_lack());
  viscosity_.from_host(std::vector<real>(mesh.owned<Cell>(), 1));
  set_viscosity(halo(viscosity_));
}

void RebuiltMomentum::set_viscosity(Exchanged<Cell> viscosity) {
  if (&viscosity.field() != &viscosity_) viscosity_.copy_from(viscosity.field());
  const std::vector<real> nu = viscosity.field().all_to_host();
  const IncidenceRows& cells = mesh_.G.host();
  std::vector<real> penalty, average;
  for (int f = 0; f < mesh_.owned<Face>(); ++f) {
    const FaceKind kind = tables_.kinds[f];
    real of_face = nu[cells.index[cells.offset[f]]];
    if (kind == FaceKind::inside) {
      const real other = nu[cells.index[cells.offset[f] + 1]];
      of_face = of_face + other > 0 ? 2 * of_face * other / (of_face + other) : 0;
    }
    const real gamma = kind == FaceKind::inside ? gamma_inside : kind == FaceKind::sticking ? gamma_at_walls : 0;
    penalty.push_back(gamma * of_face * mesh_.geometry().face_area[f] / mesh_.dual_length()[f]);
    average.push_back(gamma > 0 ? theta * of_face / (kind == FaceKind::inside ? 2 : 1) : 0);
  }
  penalty_.from_host(penalty);
  average_.from_host(average);
  halo(average_);
}

void RebuiltMomentum::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> values;
  for (const auto& sources : tables_.sources) {
    Vec3 sum;
    for (const auto& [place, weight] : sources) sum += weight * velocity[place];
    values.push_back(sum);
  }
  given_velocity_.from_host(values);
  values.clear();
  for (const int place : tables_.boundary_places) values.push_back(mean_on_face(mesh_, velocity, place));
  boundary_velocity_.from_host(values);
}

void RebuiltMomentum::find(Exchanged<Face> flux, const Terms& terms, Field<Face>& along_faces) {
  const real moves = terms.at_rest ? 0 : 1;
  rebuild_at_nodes(flux, moves);
  rebuild_in_cells();
  find_face_terms(flux, terms, moves);
  find_cell_terms(flux, terms);
  sum_on_faces();
  sum_at_nodes();
  along_faces = 1 * phi_;  // 8. phi + N^T psi
  fit_.add_transposed(psi_, along_faces);
}

/// 1. v = N U, and the given velocities. 2. U - Pi v.
void RebuiltMomentum::rebuild_at_nodes(Exchanged<Face> flux, real moves) {
  const int* const node = tables_.given_node.data();
  const Vec3* const given = given_velocity_.data();
  const auto set = at_nodes_.view();
  forall(
      static_cast<int>(tables_.given_node.size()),
      SOLENOID_KERNEL(int i) { set[Index<Node>{node[i]}] = moves * given[i]; });
  fit_.find(flux, at_nodes_);

  const auto v = halo(at_nodes_).view();
  const auto U = flux.view();
  const auto excess = excess_.view();
  const Vec3* const area = tables_.area.data();
  const int* const corners = tables_.corners.data();
  count_owned(excess_, flux.field());
  count_gathered(at_nodes_);
  forall(
      mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
        const int* const at = corners + 3 * i;
        const Vec3 sum = v[Index<Node>{at[0]}] + v[Index<Node>{at[1]}] + v[Index<Node>{at[2]}];
        excess[Index<Face>{i}] = U[Index<Face>{i}] - dot(area[i], sum) / 3;
      });
}

/// 3. a_c, d_c and grad w.
void RebuiltMomentum::rebuild_in_cells() {
  const auto excess = halo(excess_).view();
  const auto v = std::as_const(at_nodes_).view();
  const auto V = mesh_.cell_volume();
  const auto faces = mesh_.D.view();
  const Vec3 *const arm = mesh_.face_arm(), *const points = tables_.points.data();
  const int *const nodes = mesh_.cell_nodes(), *const places = mesh_.cell_points();
  const auto result = rebuilt_.view();
  count_owned(rebuilt_);
  count_gathered(at_nodes_, excess_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        Rebuilt w{};
        for (const auto [f, sign, k] : faces[c]) {
          w.a += (sign * excess[f]) * arm[k];
          w.d += sign * excess[f];
        }
        w.a = w.a / V[c];
        w.d /= 3 * V[c];
        const Shape shape(points, places + 4 * i);
        for (int k = 0; k < 4; ++k) add_product(v[Index<Node>{nodes[4 * i + k]}], shape.gradient[k], w.change);
        take_off_trace(w.change);
        result[c] = w;
      });
}

/// 4. What jumps and fluxes do at faces.
void RebuiltMomentum::find_face_terms(Exchanged<Face> flux, const Terms& terms, real moves) {
  const auto v = std::as_const(at_nodes_).view();
  const auto w = halo(rebuilt_).view();
  const auto U = flux.view();
  const auto cells = mesh_.G.view();  // the sign of G is the opposite of D's
  const Vec3 *const cell_arm = mesh_.cell_arm(), *const area = tables_.area.data();
  const int* const corners = tables_.corners.data();
  const auto penalty = std::as_const(penalty_).view(), average = std::as_const(average_).view();
  const auto result = face_terms_.view();
  const auto carried = carried_.view();
  const real nu = terms.viscosity, carries = terms.convection, upwind = terms.upwind;
  count_owned(face_terms_, carried_, flux.field(), penalty_, average_);
  count_gathered(at_nodes_, rebuilt_);
  forall(
      mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        Vec3 jump{}, stress{}, mean{};
        int count = 0;
        for (const auto [c, sign, k] : cells[f]) {
          const Rebuilt& of = w[c];
          const Vec3 beyond_nodes = of.a + of.d * cell_arm[k];
          jump -= sign * beyond_nodes;
          mean += beyond_nodes;
          stress += times(of.change, area[i]);
          ++count;
        }
        if (count == 2) {
          const int* const at = corners + 3 * i;
          const Vec3 sum = v[Index<Node>{at[0]}] + v[Index<Node>{at[1]}] + v[Index<Node>{at[2]}];
          const real convective = carries * U[f] / 2;
          const Vec3 push =
              (nu * penalty[f] + upwind * (U[f] < 0 ? -U[f] : U[f]) / 2) * jump - (nu * average[f]) * stress;
          result[f] = {jump, push + convective * (sum / 3 + mean / 2)};
          carried[f] = (-convective / 2) * jump;
        }
      });

  const int* const face = tables_.boundary_face.data();
  const Vec3* const velocity = boundary_velocity_.data();
  const FaceKind* const kind = tables_.kind.data();
  forall(
      static_cast<int>(tables_.boundary_face.size()), SOLENOID_KERNEL(int i) {
        const Index<Face> f{face[i]};
        const int* const at = corners + 3 * f.value;
        const Vec3 sum = v[Index<Node>{at[0]}] + v[Index<Node>{at[1]}] + v[Index<Node>{at[2]}];
        for (const auto [c, sign, k] : cells[f]) {
          const Rebuilt& of = w[c];
          const Vec3 inside = of.a + of.d * cell_arm[k] + sum / 3, given = moves * velocity[i];
          const Vec3 jump = -sign * (inside - given);
          const real out = -carries * sign * U[f];
          const bool enters = out < 0, is_open = kind[f.value] == FaceKind::open;
          result[f] = {jump, (nu * penalty[f]) * jump - (nu * average[f]) * times(of.change, area[f.value])};
          carried[f] = !enters ? (out / 2) * inside : is_open ? Vec3{} : (-out / 2) * inside + out * given;
        }
      });
}

/// 5. Moments of these in cells, and stresses.
void RebuiltMomentum::find_cell_terms(Exchanged<Face> flux, const Terms& terms) {
  const auto face_terms = halo(face_terms_).view();
  const auto carried_by = halo(carried_).view();
  const auto U = flux.view();
  const auto v = std::as_const(at_nodes_).view();
  const auto w = std::as_const(rebuilt_).view();
  const auto V = mesh_.cell_volume();
  const auto faces = mesh_.D.view();
  const Vec3 *const arm = mesh_.face_arm(), *const area = tables_.area.data();
  const Vec3* const points = tables_.points.data();
  const int *const nodes = mesh_.cell_nodes(), *const places = mesh_.cell_points();
  const auto nu = std::as_const(viscosity_).view();
  const auto average = std::as_const(average_).view();
  const auto result = cell_terms_.view();
  const auto corners = corner_terms_.view();
  const real viscosity = terms.viscosity, carries = terms.convection;
  count_owned(cell_terms_, corner_terms_, rebuilt_, viscosity_);
  count_gathered(face_terms_, carried_, at_nodes_, average_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        const Rebuilt& of = w[c];
        CellTerms m{};
        Vec3 stress[3] = {};  // P
        Vec3 velocity{};      // V I U
        for (const auto [f, sign, k] : faces[c]) {
          const FaceTerms& on = face_terms[f];
          const Vec3 push = sign * on.push + carried_by[f];
          m.along += push;
          m.across += dot(push, arm[k]);
          add_product((-viscosity * average[f]) * on.jump, area[f.value], stress);
          velocity += (sign * U[f]) * arm[k];
        }
        Vec3 mean = of.a;
        for (int k = 0; k < 4; ++k) mean += v[Index<Node>{nodes[4 * i + k]}] / 4;
        const Vec3 carried = (carries / 2) * times(of.change, velocity);
        m.along = (m.along + carried) / V[c];
        add_product((-carries / 2) * mean, velocity, stress);
        m.across = (m.across + trace(stress)) / (3 * V[c]);
        for (int k = 0; k < 3; ++k) stress[k] += (viscosity * nu[c] * V[c]) * of.change[k];
        const Shape shape(points, places + 4 * i);
        for (int k = 0; k < 4; ++k) corners[c].of[k] = times(stress, shape.gradient[k]) + carried / 4;
        result[c] = m;
      });
}

/// 6. What the faces' own part of w' takes of them, and what is left to their nodes.
void RebuiltMomentum::sum_on_faces() {
  const auto m = halo(cell_terms_).view();
  const auto cells = mesh_.G.view();
  const Vec3 *const cell_arm = mesh_.cell_arm(), *const area = tables_.area.data();
  const auto carried_by = std::as_const(carried_).view();
  const auto phi = phi_.view();
  const auto on_faces = on_faces_.view();
  count_owned(phi_, carried_, on_faces_);
  count_gathered(cell_terms_);
  forall(
      mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real sum = 0;
        Vec3 carried{};
        for (const auto [c, sign, k] : cells[f]) {
          sum -= sign * (dot(cell_arm[k], m[c].along) + m[c].across);
          carried += carried_by[f];
        }
        phi[f] = sum;
        on_faces[f] = (carried - sum * area[i]) / 3;
      });
}

/// 7. And that of the nodes: psi.
void RebuiltMomentum::sum_at_nodes() {
  const auto on_faces = halo(on_faces_).view();
  const auto corners = halo(corner_terms_).view();
  const RebuiltTables::Rows &cells = tables_.cells_of_nodes, &faces = tables_.faces_of_nodes;
  const int *const begin = cells.begin.data(), *const cell = cells.entity.data(), *const corner = cells.corner.data(),
                   *const face_begin = faces.begin.data(), *const face = faces.entity.data();
  const auto psi = psi_.view();
  count_owned(psi_);
  count_gathered(corner_terms_, on_faces_);
  forall(
      mesh_.owned<Node>(), SOLENOID_KERNEL(int n) {
        Vec3 sum{};
        for (int k = begin[n]; k < begin[n + 1]; ++k) sum += corners[Index<Cell>{cell[k]}].of[corner[k]];
        for (int k = face_begin[n]; k < face_begin[n + 1]; ++k) sum += on_faces[Index<Face>{face[k]}];
        psi[Index<Node>{n}] = sum;
      });
}

}  // namespace solenoid
