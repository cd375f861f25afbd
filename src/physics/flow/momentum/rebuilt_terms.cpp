/// Terms of the rebuilt velocity's momentum in cells and on faces: kernels 2 to 4 of RebuiltMomentum::compute.
#include <cmath>
#include <utility>

#include "mesh/incidence.hpp"
#include "parallel/reduce_later.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "physics/flow/momentum/velocity_gradient.hpp"

namespace solenoid {

namespace {

/// arm(k) = x_f - x_c, the mean of the opposite face's values less that of all four, as for any linear function.
template <int d>
struct Corners {
  Vec3 middle;
  Vec3 of[d + 1];
  SOLENOID_HD Corners(const Vec3* points, const int* places) {
    for (int k = 0; k <= d; ++k) of[k] = points[places[k]], middle += of[k];
    middle = real{1} / (d + 1) * middle;
  }
  SOLENOID_HD Vec3 arm(int k) const { return real{1} / d * (middle - of[k]); }
};

/// Sum over the nodes of a face.
template <int d>
SOLENOID_HD Vec3 sum_on_face(View<Node, const Vec3> v, const int* nodes) {
  Vec3 sum = v[Index<Node>{nodes[0]}];
  for (int k = 1; k < d; ++k) sum = sum + v[Index<Node>{nodes[k]}];
  return sum;
}

/// The first of two sums.
template <class Kernel>
struct OfFriction {
  Kernel kernel;
  SOLENOID_HD real operator()(int i) const { return kernel(i)[0]; }
};

/// T n.
template <bool symmetric>
SOLENOID_HD Vec3 stress_on(const Vec3* gradient, const Vec3& n) {
  return symmetric ? times(gradient, n) + transposed_times(gradient, n) : times(gradient, n);
}

}  // namespace

/// kernel(i) for 0 <= i < count; adds its results to the losses of energy if `terms` ask for them.
template <class Kernel>
void RebuiltMomentum::sum_where_asked(const Terms& terms, int count, const Kernel& kernel) {
  if (!terms.dissipates) {
    forall(count, kernel);
  } else if (terms.eddies) {
    with_eddies_.push_back(begin_sums<2>(count, kernel));
  } else {
    dissipation_.push_back(begin_sum(count, OfFriction<Kernel>{kernel}));
  }
}

/// 2. U - Pi v on each face, from it a_c and d_c, and grad w: grad lambda is -A n / (3 V) of the opposite face.
template <int d, bool has_eddies>
void RebuiltMomentum::rebuild_in_cells(Exchanged<Face> flux, const Terms& terms) {
  const auto v = halo(at_nodes_).view();
  const auto U = flux.view();
  const auto V = mesh_.cell_volume();
  const auto nu = std::as_const(viscosity_).view();
  const auto faces = mesh_.D.view();
  const Vec3 *const area = tables_.area.data(), *const points = tables_.points.data();
  const int *const nodes = tables_.opposite_node.data(), *const places = tables_.opposite_point();
  const auto result = rebuilt_.view();
  const real transposed = stress_ == Stress::symmetric ? 1 : 0;
  const EddyViscosity model = has_eddies ? eddies_->model : EddyViscosity{};
  const real* const squared_length = has_eddies ? eddies_->squared_length.data() : nullptr;
  real* const of_eddies = has_eddies ? eddies_->viscosity.view().data : nullptr;
  count_traffic(mesh_.D.bytes() + tables_.corner_bytes());
  count_owned(rebuilt_, viscosity_);
  if (has_eddies)
    count_owned(eddies_->viscosity),
        count_traffic(static_cast<std::int64_t>(eddies_->squared_length.size() * sizeof(real)));
  count_gathered(at_nodes_, flux.field());
  sum_where_asked(
      terms, mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        constexpr real inverse = real{1} / d;
        const Corners<d> at(points, places + (d + 1) * i);
        Vec3 of_nodes[d + 1], sum{};
        for (int k = 0; k <= d; ++k) of_nodes[k] = v[Index<Node>{nodes[(d + 1) * i + k]}], sum += of_nodes[k];
        Rebuilt w{};
        for (int k = 0; k <= d; ++k) {
          const auto [f, sign, slot] = faces[c][k];
          const Vec3 outward = sign * area[f.value];
          const real excess = sign * U[f] - inverse * dot(outward, sum - of_nodes[k]);
          w.a += excess * at.arm(k);
          w.d += excess;
          add_product(of_nodes[k], outward, w.change);
        }
        const real per_volume = 1 / V[c];
        w.a = per_volume * w.a;
        w.d *= inverse * per_volume;
        remove_trace<d>(w.change);
        real square = 0;
        for (Vec3& column : w.change) column = (-inverse * per_volume) * column, square += dot(column, column);
        result[c] = w;
        const real of_friction = nu[c] * V[c] * (square + transposed * square_with_transposed(w.change));
        real of_model = 0;
        if (has_eddies) {
          const real eddy = squared_length[i] * model.rate(w.change);
          of_eddies[i] = eddy;
          of_model = eddy * V[c] * (square + square_with_transposed(w.change));
        }
        return Sums<2>{{of_friction, of_model}};
      });
}

/// 3. Jumps and fluxes at faces.
template <int d, RebuiltMomentum::Stress T, bool has_eddies>
void RebuiltMomentum::compute_face_terms(Exchanged<Face> flux, const Terms& terms) {
  const auto v = std::as_const(at_nodes_).view();
  const auto w = halo(rebuilt_).view();
  const auto U = flux.view();
  const auto cells = mesh_.G.view();  // the sign of G is the opposite of D's
  const Vec3 *const cell_arm = mesh_.cell_arm(), *const area = tables_.area.data();
  const int* const corners = tables_.corners.data();
  const auto penalty = std::as_const(penalty_).view(), average = std::as_const(average_).view();
  const auto result = face_terms_.view();
  const real nu = terms.viscosity, carries = terms.convection, upwind = terms.upwind;
  const real* const of_eddies = has_eddies ? halo(eddies_->viscosity).view().data : nullptr;
  real* const average_of_eddies = has_eddies ? eddies_->average.view().data : nullptr;
  const int count = mesh_.owned<Face>();
  if (has_eddies) count_gathered(eddies_->viscosity), count_owned(eddies_->average);
  count_traffic(mesh_.G.bytes());
  count_owned(face_terms_, flux.field(), penalty_, average_);
  count_gathered(at_nodes_, rebuilt_);
  sum_where_asked(
      terms, count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        fetch_ahead(cells, i, count, w);
        Vec3 jump{}, stress{}, mean{}, of_model{};
        real sum_of_eddies = 0, product_of_eddies = 1;
        int sides = 0;
        for (const auto [c, sign, k] : cells[f]) {
          const Rebuilt& of = w[c];
          const Vec3 beyond_nodes = of.a + of.d * cell_arm[k];
          jump -= sign * beyond_nodes;
          mean += beyond_nodes;
          stress += stress_on<T == Stress::symmetric>(of.change, area[i]);
          if (has_eddies) {
            of_model += stress_on<true>(of.change, area[i]);
            sum_of_eddies += of_eddies[c.value], product_of_eddies *= of_eddies[c.value];
          }
          ++sides;
        }
        if (sides < 2) return Sums<2>{};
        const Vec3 sum = sum_on_face<d>(v, corners + d * i);
        const real convective = carries * U[f] / 2;
        Vec3 push = (nu * penalty[f] + upwind * std::fabs(U[f]) / 2) * jump - (nu * average[f]) * stress;
        real taken = 0;
        if (has_eddies) {
          const real eddy = sum_of_eddies > 0 ? 2 * product_of_eddies / sum_of_eddies : 0;
          average_of_eddies[i] = eddy * average[f];
          push += (eddy * penalty[f]) * jump - average_of_eddies[i] * of_model;
          taken = eddy * dot(penalty[f] * jump - 2 * average[f] * of_model, jump);
        }
        result[f] = {jump, push + convective * (real{1} / d * sum + mean / 2)};
        return Sums<2>{{dot(penalty[f] * jump - 2 * average[f] * stress, jump), taken}};
      });
}

/// The same on the boundary, and what the fluid carries through it.
template <int d, RebuiltMomentum::Stress T>
void RebuiltMomentum::compute_boundary_terms(Exchanged<Face> flux, const Terms& terms, real moves) {
  const auto v = std::as_const(at_nodes_).view();
  const auto w = std::as_const(rebuilt_).view();
  const auto U = flux.view();
  const auto cells = mesh_.G.view();
  const Vec3 *const cell_arm = mesh_.cell_arm(), *const area = tables_.area.data();
  const int* const corners = tables_.corners.data();
  const auto penalty = std::as_const(penalty_).view(), average = std::as_const(average_).view();
  const auto of_cells = std::as_const(viscosity_).view();
  const auto result = face_terms_.view();
  const real nu = terms.viscosity, carries = terms.convection, open = terms.open;
  const int* const face = tables_.boundary_face.data();
  const Vec3 *const velocity = boundary_velocity_.data(), *const entering = entering_.data(),
                    *const drift = drift_.data();
  const FaceKind* const kind = tables_.kind.data();
  Vec3* const carried = carried_.data();
  const bool has_eddies = terms.eddies;
  const real* const of_eddies = has_eddies ? std::as_const(eddies_->viscosity).view().data : nullptr;
  real* const average_of_eddies = has_eddies ? eddies_->average.view().data : nullptr;
  sum_where_asked(
      terms, static_cast<int>(tables_.boundary_face.size()), SOLENOID_KERNEL(int i) {
        const Index<Face> f{face[i]};
        Sums<2> taken{};
        const Vec3 sum = sum_on_face<d>(v, corners + d * f.value);
        for (const auto [c, sign, k] : cells[f]) {
          const Rebuilt& of = w[c];
          const Vec3 inside = of.a + of.d * cell_arm[k] + real{1} / d * sum, given = moves * velocity[i];
          const Vec3 jump = -sign * (inside - given);
          const real out = -carries * sign * U[f];
          const bool enters = out < 0, is_open = kind[f.value] == FaceKind::open,
                     is_directed = kind[f.value] == FaceKind::directed;
          const Vec3 brought = is_directed ? -sign * dot(inside, area[f.value]) * entering[i] + drift[i] : given;
          const Vec3 stress = stress_on<T == Stress::symmetric>(of.change, area[f.value]);
          carried[i] = !enters ? (out / 2) * inside : is_open ? Vec3{} : (-out / 2) * inside + out * brought;
          if ((is_open || is_directed) && open != 0) {
            carried[i] += (sign * open * of_cells[c]) * transposed_times(of.change, area[f.value]);
          }
          result[f] = {jump, (nu * penalty[f]) * jump - (nu * average[f]) * stress};
          taken[0] += dot(penalty[f] * jump - 2 * average[f] * stress, jump);
          if (!has_eddies) continue;
          const Vec3 of_model = stress_on<true>(of.change, area[f.value]);
          const real eddy = of_eddies[c.value];
          average_of_eddies[f.value] = eddy * average[f];
          result[f].push += eddy * (penalty[f] * jump - average[f] * of_model);
          taken[1] += eddy * dot(penalty[f] * jump - 2 * average[f] * of_model, jump);
        }
        return taken;
      });
}

/// 4. Their moments in cells, alpha and delta, and stresses P; the contributions of both to each face and each node.
template <int d, RebuiltMomentum::Stress T, bool carries_any, bool has_eddies>
void RebuiltMomentum::compute_cell_terms(Exchanged<Face> flux, const Terms& terms) {
  const auto face_terms = halo(face_terms_).view();
  const auto U = flux.view();
  const auto v = std::as_const(at_nodes_).view();
  const auto w = std::as_const(rebuilt_).view();
  const auto V = mesh_.cell_volume();
  const auto faces = mesh_.D.view();
  const Vec3 *const area = tables_.area.data(), *const points = tables_.points.data();
  const int *const nodes = tables_.opposite_node.data(), *const places = tables_.opposite_point(),
                   *const place_on_boundary = tables_.place_on_boundary.data();
  const FaceKind* const kind = tables_.kind.data();
  const Vec3* const carried_by_boundary = carried_.data();
  const auto nu = std::as_const(viscosity_).view();
  const auto average = std::as_const(average_).view();
  const auto on_faces = on_faces_.view();
  const auto on_corners = on_corners_.view();
  const real viscosity = terms.viscosity, carries = terms.convection;
  const real* const of_eddies = has_eddies ? std::as_const(eddies_->viscosity).view().data : nullptr;
  const real* const average_of_eddies = has_eddies ? halo(eddies_->average).view().data : nullptr;
  const int count = mesh_.owned<Cell>();
  if (has_eddies) count_owned(eddies_->viscosity), count_gathered(eddies_->average);
  count_traffic(mesh_.D.bytes() + tables_.corner_bytes());
  count_owned(on_faces_, on_corners_, rebuilt_, viscosity_);
  count_gathered(face_terms_, average_);
  if (carries_any) {
    count_traffic(static_cast<std::int64_t>(tables_.kind.size() * sizeof(FaceKind)));
    count_gathered(at_nodes_, flux.field());
  }
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        const Rebuilt& of = w[c];
        fetch_ahead(faces, i, count, face_terms);
        constexpr real inverse = real{1} / d;
        const Corners<d> at(points, places + (d + 1) * i);
        Vec3 along{};         // alpha
        real across = 0;      // delta
        Vec3 stress[3] = {};  // P
        Vec3 of_model[3] = {};
        Vec3 velocity{};  // V I U
        Vec3 outward[d + 1], carried_by[d + 1] = {}, carried_sum{}, carried{};
        for (int k = 0; k <= d; ++k) {
          const auto [f, sign, slot] = faces[c][k];
          const FaceTerms& on = face_terms[f];
          const Vec3 arm = at.arm(k);
          Vec3 push = sign * on.push;
          if (carries_any) {
            carried_by[k] = kind[f.value] == FaceKind::inside ? (-carries / 4 * U[f]) * on.jump
                                                              : carried_by_boundary[place_on_boundary[f.value]];
            carried_sum += carried_by[k];
            push += carried_by[k];
            velocity += (sign * U[f]) * arm;
          }
          along += push;
          across += dot(push, arm);
          add_product((-viscosity * average[f]) * on.jump, area[f.value], stress);
          if (has_eddies) add_product((-average_of_eddies[f.value]) * on.jump, area[f.value], of_model);
          outward[k] = sign * area[f.value];
        }
        const real volume = V[c], per_volume = 1 / volume;
        if (T == Stress::symmetric) add_transposed(stress);
        if (has_eddies) {
          add_transposed(of_model);
          for (int k = 0; k < 3; ++k) stress[k] += of_model[k];
        }
        if (carries_any) {
          Vec3 mean = of.a;
          for (int k = 0; k <= d; ++k) mean += real{1} / (d + 1) * v[Index<Node>{nodes[(d + 1) * i + k]}];
          carried = (carries / 2) * times(of.change, velocity);
          along += carried;
          add_product((-carries / 2) * mean, velocity, stress);
        }
        along = per_volume * along;
        across = (inverse * per_volume) * (across + trace(stress));
        Vec3 of_friction[3] = {of.change[0], of.change[1], of.change[2]};
        if (T == Stress::symmetric) add_transposed(of_friction);
        for (int k = 0; k < 3; ++k) stress[k] += (viscosity * nu[c] * volume) * of_friction[k];
        if (has_eddies) {
          for (int k = 0; k < 3; ++k) of_model[k] = of.change[k];
          add_transposed(of_model);
          for (int k = 0; k < 3; ++k) stress[k] += (of_eddies[i] * volume) * of_model[k];
        }

        OnFaces of_faces{};
        for (int k = 0; k <= d; ++k) {
          const real taken = dot(at.arm(k), along) + across;
          of_faces.of[k] = taken;
          carried_by[k] -= taken * outward[k];
          carried_sum -= taken * outward[k];
        }
        on_faces[c] = of_faces;
        OnCorners of_corners{};
        for (int k = 0; k <= d; ++k) {
          of_corners.of[k] = inverse * (carried_sum - carried_by[k] - per_volume * times(stress, outward[k])) +
                             real{1} / (d + 1) * carried;
        }
        on_corners[c] = of_corners;
      });
}

void RebuiltMomentum::compute_squared_shear_rates(Exchanged<Face> flux, Field<Cell>& squares) {
  compute_at_nodes(flux, 1);
  if (mesh_.dimension() == 2) {
    rebuild_in_cells<2, false>(flux, {});
  } else {
    rebuild_in_cells<3, false>(flux, {});
  }
  const auto w = std::as_const(rebuilt_).view();
  const auto result = squares.view();
  count_owned(rebuilt_, squares);
  forall(
      mesh_.owned<Cell>(),
      SOLENOID_KERNEL(int i) { result[Index<Cell>{i}] = squared_shear_rate(w[Index<Cell>{i}].change); });
}

template <int d, RebuiltMomentum::Stress T, bool has_eddies>
void RebuiltMomentum::compute_terms(Exchanged<Face> flux, const Terms& terms, real moves) {
  rebuild_in_cells<d, has_eddies>(flux, terms);
  compute_face_terms<d, T, has_eddies>(flux, terms);
  compute_boundary_terms<d, T>(flux, terms, moves);
  if (terms.convection != 0 || terms.open != 0) {
    compute_cell_terms<d, T, true, has_eddies>(flux, terms);
  } else {
    compute_cell_terms<d, T, false, has_eddies>(flux, terms);
  }
}

void RebuiltMomentum::compute_terms(Exchanged<Face> flux, const Terms& terms, real moves) {
  if (mesh_.dimension() == 2) return compute_terms<2, Stress::symmetric, false>(flux, terms, moves);
  if (stress_ == Stress::symmetric) return compute_terms<3, Stress::symmetric, false>(flux, terms, moves);
  if (terms.eddies) return compute_terms<3, Stress::gradient, true>(flux, terms, moves);
  compute_terms<3, Stress::gradient, false>(flux, terms, moves);
}

}  // namespace solenoid
