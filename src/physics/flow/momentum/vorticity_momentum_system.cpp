#include "physics/flow/momentum/vorticity_momentum_system.hpp"

#include <optional>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/inverse_root.hpp"
#include "physics/flow/momentum/root_polynomial.hpp"
#include "solve/bring_in.hpp"
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

/// For each row i of L s: result = alpha s + nu W^-1 L s.
struct StoreVorticity {
  real alpha, nu;
  View<Edge, const real> s, inverse_mass;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> i, real product) const {
    result[i] = alpha * s[i] + nu * product * inverse_mass[i];
  }
};

/// alpha L + nu L W^-1 L.
struct MomentumOperator {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  real alpha, nu;
  Field<Edge>& between;

  const SparseMatrix<Edge>& last() const { return laplacian; }
  Field<Edge>& inner(Field<Edge>& s) const {
    count_owned(inverse_mass, between);
    over_rows(laplacian, s, StoreVorticity{alpha, nu, std::as_const(s).view(), inverse_mass.view(), between.view()});
    return between;
  }
};

/// R (alpha M + nu K') C, K' that of PotentialMomentumSystem.
struct MomentumWithFriction {
  PotentialMomentumSystem& momentum;
  real alpha, nu;
  void operator()(Field<Edge>& s, Field<Edge>& y) const { momentum.apply(alpha, nu, s, y); }
};

}  // namespace

struct VorticityMomentumSystem::Parts {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  Field<Edge> laplacian_diagonal, viscous_diagonal;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge> between;                               // alpha s + nu W^-1 L s
  OperatorSolver<Edge> solver;

  const Space<Edge>& unknowns;
  NearInverse near_inverse;
  const HarmonicFluxes* loops;  // null, or not empty
  PotentialMomentumSystem* with_friction;
  real rate;  // largest eigenvalue of W^-1 L
  SolutionHistory<Edge> past;
  std::vector<real> loop_friction{};                   // H^T M C W^-1 R M H, or H^T K' H
  std::vector<Field<Edge>> circulations_of_loops{};    // R K' H_k
  std::optional<std::vector<Field<Edge>>> by_parts{};  // with loops: images under both parts
  /// Work data of the preconditioner.
  template <class T>
  struct Rooted {
    RootPolynomial<T> root;
    Field<Edge, T> r, z;
  };
  std::optional<Rooted<real>> rooted{};
  std::optional<Rooted<float>> rooted_on_edges{};

  void compute_friction_of_loops();
  std::vector<real> loop_matrix(real alpha, real viscosity) const;
  void apply_parts(Field<Edge>& s, std::span<Field<Edge>> images);
  SolveReport solve(real alpha, real viscosity, const Field<Edge>& right_side, Field<Edge>& s,
                    const SolveControl& control, const Field<Edge>* image);
};

/// L s and L W^-1 L s on the unknowns.
void VorticityMomentumSystem::Parts::apply_parts(Field<Edge>& s, std::span<Field<Edge>> images) {
  std::vector<real> c, by_mass, by_friction;
  if (loops) c = loops->slots().extract(s);
  multiply(laplacian, s, images[0]);
  if (loops) {
    loops->add_circulations(c, images[0]);
    by_mass = loops->products(s);
    const std::vector<real> own = loops->masses(c);
    for (std::size_t k = 0; k < c.size(); ++k) by_mass[k] += own[k];
  }
  if (with_friction) {
    with_friction->apply(0, 1, s, images[1]);
    for (std::size_t k = 0; k < c.size(); ++k) {
      images[1] = images[1] + c[k] * circulations_of_loops[k];
      real friction = dot(circulations_of_loops[k], s);
      for (std::size_t j = 0; j < c.size(); ++j) friction += loop_friction[k * c.size() + j] * c[j];
      by_friction.push_back(friction);
    }
  } else {
    between = inverse_mass * images[0];
    if (loops) by_friction = loops->products(between);
    multiply(laplacian, between, images[1]);
  }
  for (Field<Edge>& image : images) unknowns.restrict_to_unknowns(image);
  if (loops) {
    loops->slots().put(c, s);
    loops->slots().put(by_mass, images[0]);
    loops->slots().put(by_friction, images[1]);
  }
}

namespace {

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

/// z = p(S) B p(S^T) r with B near L^-1 and p(S^T) = W p(S) W^-1.
template <class Parts>
struct RootedCycle {
  static constexpr bool is_in_single_precision = true;  // B may be
  Parts& m;
  const std::vector<real>& coefficients;
  const std::vector<real>& loop_matrix;

  void operator()(Field<Edge>& r, Field<Edge>& z) const {
    const LoopsAside loops(m.loops, loop_matrix, r);
    if (m.near_inverse.on_edges) {
      on_edges(r, z);
    } else {
      auto& rooted = *m.rooted;
      divide(r, rooted.root.mass(), rooted.r);
      rooted.root.apply(coefficients, rooted.r);
      rooted.r = rooted.root.mass() * rooted.r;
      m.near_inverse.apply(rooted.r, z);
      rooted.root.apply(coefficients, z);
    }
    loops.complete(z);
  }
  void on_edges(const Field<Edge>& r, Field<Edge>& z) const {
    auto& rooted = *m.rooted_on_edges;
    const HiptmairXu& near_inverse = *m.near_inverse.on_edges;
    if (coefficients.size() > 1) {
      divide(r, rooted.root.mass(), rooted.r);
      rooted.root.apply(coefficients, rooted.r);
      rooted.r = rooted.root.mass() * rooted.r;
    } else {
      rooted.r = coefficients[0] * r;
    }
    near_inverse.apply_scaled(rooted.r, rooted.z);
    rooted.root.apply(coefficients, rooted.z);
    z = near_inverse.scale() * rooted.z;
  }
};

/// alpha L + nu L W^-1 L with loops.
template <class Parts>
struct LoopedMomentum {
  Parts& m;
  real alpha, nu;
  void operator()(Field<Edge>& s, Field<Edge>& y) const {
    m.apply_parts(s, *m.by_parts);
    y = alpha * (*m.by_parts)[0] + nu * (*m.by_parts)[1];
  }
};

}  // namespace

/// `image`: of s on entry, if known.
SolveReport VorticityMomentumSystem::Parts::solve(real alpha, real viscosity, const Field<Edge>& right_side,
                                                  Field<Edge>& s, const SolveControl& control,
                                                  const Field<Edge>* image) {
  const auto solve_with = [&](const auto& momentum) {
    if (rooted || rooted_on_edges) {
      const real ratio = rooted ? 1.3 : 2;  // variation left by the root, balanced with the cost of a cycle
      const std::vector<real> coefficients = inverse_root(viscosity * rate / alpha, ratio),
                              of_loops = loop_matrix(1, viscosity / alpha);  // divided by alpha, as the root is
      SolveControl with_cycle = control;
      with_cycle.preconditioner = near_inverse.kind;
      return solver.solve(momentum, RootedCycle<Parts>{*this, coefficients, of_loops}, right_side, s, with_cycle,
                          image);
    }
    return solver.solve(momentum, alpha * laplacian_diagonal + viscosity * viscous_diagonal, right_side, s, control,
                        image);
  };
  if (loops) return solve_with(LoopedMomentum<Parts>{*this, alpha, viscosity});
  if (with_friction) return solve_with(MomentumWithFriction{*with_friction, alpha, viscosity});
  return solve_with(MomentumOperator{laplacian, inverse_mass, alpha, viscosity, between});
}

void VorticityMomentumSystem::Parts::compute_friction_of_loops() {
  const LocalMesh& mesh = unknowns.mesh();
  Field<Face> flow(mesh), along_duals(mesh);
  circulations_of_loops.clear();
  loop_friction.clear();
  for (std::size_t k = 0; k < loops->count(); ++k) {
    std::vector<real> one(loops->count(), 0);
    one[k] = 1;
    flow = 0 * flow;
    loops->add_flows(one, flow);
    with_friction->compute_friction(flow, along_duals);
    circulations_of_loops.emplace_back(mesh);
    circulations_of_loops.back() = mesh.R * halo(along_duals);
    for (const real friction : loops->products(along_duals)) loop_friction.push_back(friction);
  }
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
                                                 const HarmonicFluxes* loops, PotentialMomentumSystem* with_friction) {
  const LocalMesh& mesh = unknowns.mesh();
  parts_ = std::unique_ptr<Parts>(new Parts{
      laplacian, inverse_mass, Field<Edge>(mesh, rows.diagonal()),
      Field<Edge>(mesh, diagonal_of_square(rows, inverse_mass)), Field<Edge>(mesh), OperatorSolver<Edge>(unknowns),
      unknowns, std::move(near_inverse), loops && loops->count() > 0 ? loops : nullptr, with_friction, largest_rate,
      SolutionHistory<Edge>(unknowns, 2, SolutionHistory<Edge>::Images::all)});
  Parts& m = *parts_;
  Field<Edge> mass_of_unknowns(mesh);
  mass_of_unknowns.copy_from(mass);
  unknowns.restrict_to_unknowns(mass_of_unknowns);
  if (m.loops && !loops->slots().fix_gauge()) loops->slots().extract(mass_of_unknowns);
  if (m.near_inverse.on_edges) {
    Field<Edge, float> scaled_mass(mesh);
    scaled_mass = m.near_inverse.on_edges->scale() * mass_of_unknowns;
    m.rooted_on_edges.emplace(Parts::Rooted<float>{
        RootPolynomial<float>(unknowns, m.near_inverse.on_edges->scaled_matrix(), std::move(scaled_mass), largest_rate),
        Field<Edge, float>(mesh), Field<Edge, float>(mesh)});
  } else if (m.near_inverse.apply) {
    m.rooted.emplace(
        Parts::Rooted<real>{RootPolynomial<real>(unknowns, laplacian, std::move(mass_of_unknowns), largest_rate),
                            Field<Edge>(mesh), Field<Edge>(mesh)});
  }
  Field<Edge>& between = m.between;
  unknowns.restrict_diagonal([&](Field<Edge>& x, Field<Edge>& y) { y = laplacian * halo(x); }, m.laplacian_diagonal);
  unknowns.restrict_diagonal(
      [&](Field<Edge>& x, Field<Edge>& y) {
        between = inverse_mass * (laplacian * halo(x));
        y = laplacian * halo(between);
      },
      m.viscous_diagonal);
  if (!m.loops) return;
  const std::size_t count = loops->count();
  if (with_friction) {
    m.compute_friction_of_loops();
  } else {
    m.loop_friction = loops->products_of_circulations(inverse_mass);
  }
  std::vector<real> friction;
  for (std::size_t k = 0; k < count; ++k) friction.push_back(m.loop_friction[k * (count + 1)]);
  loops->slots().put(loops->masses(std::vector<real>(count, 1)), m.laplacian_diagonal);
  loops->slots().put(friction, m.viscous_diagonal);
  m.by_parts.emplace();
  for (int part = 0; part < 2; ++part) m.by_parts->emplace_back(mesh);
}
VorticityMomentumSystem::~VorticityMomentumSystem() = default;

SolveReport VorticityMomentumSystem::solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                           const SolveControl& control) {
  Parts& m = *parts_;
  const Stopwatch watch;
  const bool is_guessed = m.past.guess(std::array{alpha, viscosity}, b, s, &m.between);
  SolveReport report = m.solve(alpha, viscosity, b, s, control, is_guessed ? &m.between : nullptr);
  m.past.keep(s, [&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
  report.seconds = watch.seconds();
  report.bytes = watch.bytes();
  return report;
}

SolveReport VorticityMomentumSystem::solve_without_history(real alpha, real viscosity, const Field<Edge>& b,
                                                           Field<Edge>& s, const SolveControl& control) {
  return parts_->solve(alpha, viscosity, b, s, control, nullptr);
}

void VorticityMomentumSystem::reserve() { parts_->past.reserve(); }

void VorticityMomentumSystem::visit_state(StateVisitor& visitor) { visitor.past("potential_changes", parts_->past); }

void VorticityMomentumSystem::friction_changed() {
  Parts& m = *parts_;
  if (m.loops && m.with_friction) m.compute_friction_of_loops();
  m.past.renew_images([&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
}

void VorticityMomentumSystem::state_restored() {
  bring_in(parts_->unknowns, parts_->past);
  friction_changed();
}

}  // namespace solenoid
