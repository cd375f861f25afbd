#include "physics/flow/momentum/vorticity_momentum_system.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "parallel/device_scalars.hpp"
#include "physics/flow/momentum/root_polynomial.hpp"
#include "physics/flow/momentum/vorticity_operators.hpp"
#include "solve/dense_system.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

/// Diagonal of L W^-1 L: sum_j L_ij^2 / W_j.
std::vector<real> diagonal_of_square(const MatrixRows& laplacian, Field<Edge>& inverse_mass) {
  halo(inverse_mass);
  const std::vector<real> inverse = inverse_mass.all_to_host();
  std::vector<real> diagonal(laplacian.rows(), 0);
  for (int i = 0; i < laplacian.rows(); ++i) {
    for (int k = laplacian.offset[i]; k < laplacian.offset[i + 1]; ++k) {
      diagonal[i] += laplacian.value[k] * laplacian.value[k] * inverse[laplacian.column[k]];
    }
  }
  return diagonal;
}

/// Loops in a preconditioner: solves for their unknowns alone and hides them meanwhile. Works in any gauge.
class LoopsAside {
 public:
  LoopsAside(const HarmonicFluxes* loops, const std::vector<real>& matrix, Field<Edge>& r) : loops_(loops), r_(r) {
    if (!loops_) return;
    known_ = loops_->slots().extract(r);
    loops_->slots().complete_rotation(r);
    solved_ = solve_dense(matrix, known_);
  }
  void complete(Field<Edge>& z) const {
    if (!loops_) return;
    loops_->slots().remove_gradients(z);
    loops_->slots().put(known_, r_);
    loops_->slots().put(solved_, z);
  }

 private:
  const HarmonicFluxes* loops_;
  Field<Edge>& r_;
  std::vector<real> known_, solved_;
};

}  // namespace

struct VorticityMomentumSystem::Parts {
  const Space<Edge>& unknowns;
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  NearInverse near_inverse;
  real rate;                    // largest eigenvalue of W^-1 L
  const HarmonicFluxes* loops;  // null, or not empty
  PotentialMomentumSystem* with_friction;
  PotentialDrag* drag;
  Field<Edge> laplacian_diagonal, viscous_diagonal;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge>& between;                              // alpha s + nu W^-1 L s
  OperatorSolver<Edge> solver;

  DeviceScalars<2> weights{};                                         // alpha, nu
  DeviceScalars<most_coefficients> coefficients{};                    // of the root
  std::vector<real> loop_friction{};                                  // between the H_k, of all friction
  std::vector<real> loop_shares{};                                    // H^T K'' H: K' and drag, without M C W^-1 R M
  std::vector<Field<Edge>> circulations_of_loops{};                   // R K'' H_k, if there is a K''
  std::optional<std::vector<Field<Edge>>> by_parts{};                 // with loops: images under both parts
  std::optional<SparseMatrix<Edge, Edge, float>> single_laplacian{};  // unless that of HiptmairXu
  /// The preconditioner's polynomial and its work data.
  struct Rooted {
    RootPolynomial root;
    Field<Edge, float> r, z;
  };
  std::optional<Rooted> rooted{}, slowed{};  // slowed: with drag
  NearInverse slowed_inverse{};
  std::optional<Field<Edge>> mass_of_unknowns{};
  struct RootedCycle;
  struct LoopedMomentum;

  void set_root(Field<Edge> mass);
  std::vector<Scalar<>> set_coefficients(const std::vector<real>& values);
  Rooted root_with(const Field<Edge>& mass) const;
  void slow(real alpha, real viscosity);
  void compute_diagonals();
  void compute_friction_of_loops();
  std::vector<real> loop_matrix(real alpha, real viscosity) const;
  void apply(Field<Edge>& s, std::span<Field<Edge>> images);
};

/// L s and L W^-1 L s on the unknowns.
void VorticityMomentumSystem::Parts::apply(Field<Edge>& s, std::span<Field<Edge>> images) {
  std::vector<real> c, by_mass, by_friction;
  if (loops) c = loops->slots().extract(s);
  multiply(laplacian, s, images[0]);
  if (loops) {
    loops->add_circulations(c, images[0]);
    by_mass = loops->products(s);
    const std::vector<real> own = loops->masses(c);
    for (std::size_t k = 0; k < c.size(); ++k) by_mass[k] += own[k];
  }
  by_friction.assign(c.size(), 0);
  if (with_friction) {
    with_friction->apply(0, 1, s, images[1]);
  } else {
    between = inverse_mass * images[0];
    if (loops) by_friction = loops->products(between);
    multiply(laplacian, between, images[1]);
  }
  if (drag) drag->add(1, s, images[1]);
  for (std::size_t k = 0; k < circulations_of_loops.size(); ++k) {
    images[1] = images[1] + c[k] * circulations_of_loops[k];
    by_friction[k] += dot(circulations_of_loops[k], s);
    for (std::size_t j = 0; j < c.size(); ++j) by_friction[k] += loop_shares[k * c.size() + j] * c[j];
  }
  for (Field<Edge>& image : images) unknowns.restrict_to_unknowns(image);
  if (loops) {
    loops->slots().put(c, s);
    loops->slots().put(by_mass, images[0]);
    loops->slots().put(by_friction, images[1]);
  }
}

/// z = p(S) B p(S^T) r with B near L^-1 and p(S^T) = W p(S) W^-1.
struct VorticityMomentumSystem::Parts::RootedCycle {
  static constexpr bool is_in_single_precision = true;  // B may be
  Parts& m;
  Rooted& rooted;
  const NearInverse& near_inverse;
  const std::vector<Scalar<>>& coefficients;
  const std::vector<real>& loop_matrix;

  bool only_launches() const { return !m.loops && m.near_inverse.only_launches(); }
  void operator()(Field<Edge>& r, Field<Edge>& z) const {
    const LoopsAside loops(m.loops, loop_matrix, r);
    if (coefficients.size() > 1) {
      rooted.root.apply_transposed(coefficients, r, rooted.r);
    } else {
      rooted.r = coefficients[0] * r;
    }
    if (const HiptmairXu* const on_edges = near_inverse.on_edges) {
      on_edges->apply_scaled(rooted.r, rooted.z);
      rooted.root.apply(coefficients, rooted.z);
      z = on_edges->scale() * rooted.z;
    } else {
      m.between = operand(rooted.r);
      near_inverse.apply(m.between, z);
      rooted.z = operand(z);
      rooted.root.apply(coefficients, rooted.z);
      z = operand(rooted.z);
    }
    loops.complete(z);
  }
};

/// alpha L + nu L W^-1 L with loops.
struct VorticityMomentumSystem::Parts::LoopedMomentum {
  Parts& m;
  Scalar<> alpha, nu;
  void operator()(Field<Edge>& s, Field<Edge>& y) const {
    m.apply(s, *m.by_parts);
    y = alpha * (*m.by_parts)[0] + nu * (*m.by_parts)[1];
  }
};

void VorticityMomentumSystem::Parts::compute_friction_of_loops() {
  const std::size_t count = loops->count();
  loop_friction.assign(count * count, 0);
  if (!with_friction) loop_friction = loops->products_of_circulations(inverse_mass);
  circulations_of_loops.clear();
  loop_shares.clear();
  if (!with_friction && !drag) return;
  const LocalMesh& mesh = unknowns.mesh();
  Field<Face> flow(mesh), along_duals(mesh), of_drag(mesh);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<real> one(count, 0);
    one[k] = 1;
    flow = 0 * flow;
    loops->add_flows(one, flow);
    along_duals = 0 * along_duals;
    if (with_friction) with_friction->compute_friction(flow, along_duals);
    if (drag) {
      drag->compute(flow, of_drag);
      along_duals = along_duals + of_drag;
    }
    circulations_of_loops.emplace_back(mesh);
    circulations_of_loops.back() = mesh.R * halo(along_duals);
    for (const real share : loops->products(along_duals)) loop_shares.push_back(share);
  }
  for (std::size_t i = 0; i < loop_shares.size(); ++i) loop_friction[i] += loop_shares[i];
}

/// H^T (alpha M + nu M C W^-1 R M) H, row by row.
std::vector<real> VorticityMomentumSystem::Parts::loop_matrix(real alpha, real viscosity) const {
  std::vector<real> matrix;
  if (!loops) return matrix;
  const std::size_t count = loops->count();
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<real> one(count, 0);
    one[k] = 1;
    const std::vector<real> masses = loops->masses(one);
    for (std::size_t j = 0; j < count; ++j)
      matrix.push_back(alpha * masses[j] + viscosity * loop_friction[k * count + j]);
  }
  return matrix;
}

NearInverse near_inverse_of(LinearSystem<Edge>& system) {
  if (!system.can_precondition()) return {};
  return {system.preconditioner(), [&](Field<Edge>& r, Field<Edge>& z) { system.precondition(r, z); }};
}

real bound_of_rate(const Space<Edge>& unknowns, const MatrixRows& laplacian, const Field<Edge>& mass) {
  const std::vector<real> weight = mass.to_host();
  const std::vector<int>& role = unknowns.role();
  real largest = 0;
  for (int i = 0; i < laplacian.rows(); ++i) {
    if (role[i] == Space<Edge>::prescribed) continue;
    real sum = 0;
    for (int k = laplacian.offset[i]; k < laplacian.offset[i + 1]; ++k) {
      if (role[laplacian.column[k]] != Space<Edge>::prescribed) sum += std::abs(laplacian.value[k]);
    }
    largest = std::max(largest, sum / weight[i]);
  }
  return unknowns.mesh().comm().max(largest);
}

VorticityMomentumSystem::VorticityMomentumSystem(const Space<Edge>& unknowns, const MatrixRows& rows,
                                                 const SparseMatrix<Edge>& laplacian, NearInverse near_inverse,
                                                 const Field<Edge>& mass, Field<Edge>& inverse_mass, real largest_rate,
                                                 const HarmonicFluxes* loops, PotentialMomentumSystem* with_friction,
                                                 PotentialDrag* drag, const MemoryOf& /*scope*/)
    : TwoPartSystem(unknowns, "potential_changes") {
  const LocalMesh& mesh = unknowns.mesh();
  parts_.reset(new Parts{unknowns, laplacian, inverse_mass, std::move(near_inverse), largest_rate,
                         loops && loops->count() > 0 ? loops : nullptr, with_friction, drag,
                         Field<Edge>(mesh, rows.diagonal()), Field<Edge>(mesh, diagonal_of_square(rows, inverse_mass)),
                         between_, OperatorSolver<Edge>(unknowns)});
  Field<Edge> mass_of_unknowns(mesh);
  mass_of_unknowns.copy_from(mass);
  unknowns.restrict_to_unknowns(mass_of_unknowns);
  parts_->set_root(std::move(mass_of_unknowns));
  parts_->compute_diagonals();
}
VorticityMomentumSystem::~VorticityMomentumSystem() = default;

/// `mass`: W at unknowns.
void VorticityMomentumSystem::Parts::set_root(Field<Edge> mass) {
  if (loops && !loops->slots().fix_gauge()) loops->slots().extract(mass);
  if (!near_inverse.on_edges && !near_inverse.apply) return;
  if (!near_inverse.on_edges) single_laplacian.emplace(laplacian, 1);
  rooted.emplace(root_with(mass));
  if (drag) mass_of_unknowns.emplace(std::move(mass));
}

/// With L of the near inverse in single precision, or times its scale.
VorticityMomentumSystem::Parts::Rooted VorticityMomentumSystem::Parts::root_with(const Field<Edge>& mass) const {
  const LocalMesh& mesh = unknowns.mesh();
  const HiptmairXu* const on_edges = near_inverse.on_edges;
  const real unit = unit_for(rate);  // keeps masses within single precision in any unit of length
  Field<Edge, float> scaled_mass(mesh);
  scaled_mass = ((on_edges ? on_edges->scale() : 1) / unit) * mass;
  return {RootPolynomial(unknowns, on_edges ? on_edges->scaled_matrix() : *single_laplacian, std::move(scaled_mass),
                         unit * rate),
          Field<Edge, float>(mesh), Field<Edge, float>(mesh)};
}

/// Prepares a solve with drag.
void VorticityMomentumSystem::Parts::slow(real alpha, real viscosity) {
  if (!rooted || !drag->renew(alpha, viscosity)) return;
  slowed_inverse = near_inverse;
  if (LinearSystem<Edge>* const on_nodes = drag->on_nodes()) slowed_inverse = near_inverse_of(*on_nodes);
  slowed_inverse.on_edges = drag->on_edges();
  slowed.emplace(root_with(drag->slowed(*mass_of_unknowns)));
}

std::vector<Scalar<>> VorticityMomentumSystem::Parts::set_coefficients(const std::vector<real>& values) {
  std::array<real, most_coefficients> padded{};
  std::copy(values.begin(), values.end(), padded.begin());
  coefficients.set(padded);
  std::vector<Scalar<>> on_device;
  for (int k = 0; k < static_cast<int>(values.size()); ++k) on_device.push_back(coefficients[k]);
  return on_device;
}

void VorticityMomentumSystem::Parts::compute_diagonals() {
  unknowns.restrict_diagonal([&](Field<Edge>& x, Field<Edge>& y) { y = laplacian * halo(x); }, laplacian_diagonal);
  unknowns.restrict_diagonal(
      [&](Field<Edge>& x, Field<Edge>& y) {
        between = inverse_mass * (laplacian * halo(x));
        y = laplacian * halo(between);
      },
      viscous_diagonal);
  if (drag && !rooted) {
    Field<Edge> of_drag(unknowns.mesh(), drag->diagonal());
    unknowns.restrict_to_unknowns(of_drag);
    viscous_diagonal = viscous_diagonal + of_drag;
  }
  if (!loops) return;
  const std::size_t count = loops->count();
  compute_friction_of_loops();
  std::vector<real> friction;
  for (std::size_t k = 0; k < count; ++k) friction.push_back(loop_friction[k * (count + 1)]);
  loops->slots().put(loops->masses(std::vector<real>(count, 1)), laplacian_diagonal);
  loops->slots().put(friction, viscous_diagonal);
  if (by_parts) return;
  by_parts.emplace();
  for (int part = 0; part < 2; ++part) by_parts->emplace_back(unknowns.mesh());
}

void VorticityMomentumSystem::apply_parts(Field<Edge>& s, std::span<Field<Edge>> images) { parts_->apply(s, images); }

SolveReport VorticityMomentumSystem::solve_from(Field<Edge>& s, const Field<Edge>* image, real alpha, real viscosity,
                                                const Field<Edge>& b, const SolveControl& control) {
  Parts& m = *parts_;
  const bool has_drag = m.drag && viscosity > 0;
  if (has_drag) m.slow(alpha, viscosity);
  m.weights.set({alpha, viscosity});
  const Scalar<> mass = m.weights[0], friction = m.weights[1];
  const auto solve_with = [&](const auto& momentum) {
    if (m.rooted) {
      const real ratio = m.near_inverse.on_edges ? 2 : 1.3;  // variation left by the root, balanced with a cycle's cost
      const real mean = m.with_friction ? m.with_friction->mean_viscosity() : 1;
      const std::vector<Scalar<>> coefficients =
          m.set_coefficients(inverse_root(mean * viscosity * m.rate / alpha, ratio));
      const std::vector<real> of_loops = m.loop_matrix(1, viscosity / alpha);  // divided by alpha, as the root is
      SolveControl with_cycle = control;
      with_cycle.preconditioner = m.near_inverse.kind;
      const Parts::RootedCycle cycle{m, has_drag ? *m.slowed : *m.rooted, has_drag ? m.slowed_inverse : m.near_inverse,
                                     coefficients, of_loops};
      return m.solver.solve(momentum, cycle, b, s, with_cycle, image);
    }
    return m.solver.solve(momentum, alpha * m.laplacian_diagonal + viscosity * m.viscous_diagonal, b, s, control,
                          image);
  };
  if (m.loops) return solve_with(Parts::LoopedMomentum{m, mass, friction});
  if (has_drag) {
    return solve_with(
        MomentumWithDrag{m.unknowns, m.laplacian, m.inverse_mass, m.with_friction, *m.drag, mass, friction, m.between});
  }
  if (m.with_friction) return solve_with(MomentumWithFriction{*m.with_friction, mass, friction});
  return solve_with(MomentumOperator{m.laplacian, m.inverse_mass, mass, friction, m.between});
}

void VorticityMomentumSystem::friction_changed() {
  if (parts_->drag && !parts_->rooted) {
    parts_->compute_diagonals();
  } else if (parts_->loops && (parts_->with_friction || parts_->drag)) {
    parts_->compute_friction_of_loops();
  }
  TwoPartSystem::friction_changed();
}

void VorticityMomentumSystem::visit_state(StateVisitor& visitor) {
  TwoPartSystem::visit_state(visitor);
  if (parts_->drag) parts_->drag->visit_state(visitor);
}

}  // namespace solenoid
