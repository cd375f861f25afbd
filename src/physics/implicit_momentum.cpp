#include "physics/implicit_momentum.hpp"

#include <optional>

#include "field/assign.hpp"
#include "physics/viscous_root.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

/// Diagonal of L W^-1 L: sum_j L_ij^2 / W_j.
std::vector<real> diagonal_of_square(const MatrixRows& laplacian, Field<Edge>& lumped_mass) {
  halo(lumped_mass);
  const std::vector<real> mass = lumped_mass.all_to_host();
  std::vector<real> diagonal(laplacian.rows(), 0);
  for (int i = 0; i < laplacian.rows(); ++i) {
    for (int k = laplacian.offset[i]; k < laplacian.offset[i + 1]; ++k) {
      diagonal[i] += laplacian.value[k] * laplacian.value[k] / mass[laplacian.column[k]];
    }
  }
  return diagonal;
}

/// use(row, (L s)_row): alpha s + nu W^-1 L s.
struct StoreVorticity {
  real alpha, nu;
  View<Edge, const real> s, mass;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> i, real product) const { result[i] = alpha * s[i] + nu * product / mass[i]; }
};

/// alpha L + nu L W^-1 L.
struct MomentumOperator {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& lumped_mass;
  real alpha, nu;
  Field<Edge>& between;

  const SparseMatrix<Edge>& last() const { return laplacian; }
  Field<Edge>& inner(Field<Edge>& s) const {
    over_rows(laplacian, s, StoreVorticity{alpha, nu, std::as_const(s).view(), lumped_mass.view(), between.view()});
    return between;
  }
};

}  // namespace

struct ImplicitMomentum::Parts {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& lumped_mass;
  Field<Edge> laplacian_diagonal, viscous_diagonal;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge> between;                               // alpha s + nu W^-1 L s
  OperatorSolver<Edge> solver;

  const Space<Edge>& unknowns;
  LinearSystem<Edge>& potential_system;
  std::optional<ViscousRoot> root;  // where a cycle preconditions
  Field<Edge> rooted;               // p(S^T) r
  PastSolutions<Edge> past;

  void apply_parts(Field<Edge>& s, std::span<Field<Edge>> images);
};

/// L s and L W^-1 L s at unknowns.
void ImplicitMomentum::Parts::apply_parts(Field<Edge>& s, std::span<Field<Edge>> images) {
  images[0] = laplacian * halo(s);
  between = images[0] / lumped_mass;
  images[1] = laplacian * halo(between);
  for (Field<Edge>& image : images) unknowns.restrict_to_unknowns(image);
}

namespace {

/// z = p(S) B p(S^T) r with B near L^-1.
template <class Parts>
struct RootedCycle {
  static constexpr bool is_in_single_precision = true;
  Parts& m;

  void operator()(const Field<Edge>& r, Field<Edge>& z) const {
    m.root->apply_transposed(r, m.rooted);
    m.potential_system.precondition(m.rooted, z);
    m.root->apply(z);
  }
};

}  // namespace

ImplicitMomentum::ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows,
                                   const SparseMatrix<Edge>& laplacian, LinearSystem<Edge>& potential_system,
                                   Field<Edge>& lumped_mass) {
  const LocalMesh& mesh = unknowns.mesh();
  parts_ = std::unique_ptr<Parts>(new Parts{laplacian, lumped_mass, Field<Edge>(mesh, rows.diagonal()),
                                            Field<Edge>(mesh, diagonal_of_square(rows, lumped_mass)), Field<Edge>(mesh),
                                            OperatorSolver<Edge>(unknowns), unknowns, potential_system, std::nullopt,
                                            Field<Edge>(mesh), PastSolutions<Edge>(unknowns, 2)});
  if (potential_system.can_precondition()) parts_->root.emplace(unknowns, rows, lumped_mass);
  Field<Edge>& between = parts_->between;
  unknowns.restrict_diagonal([&](Field<Edge>& x, Field<Edge>& y) { y = laplacian * halo(x); },
                             parts_->laplacian_diagonal);
  unknowns.restrict_diagonal(
      [&](Field<Edge>& x, Field<Edge>& y) {
        between = (laplacian * halo(x)) / lumped_mass;
        y = laplacian * halo(between);
      },
      parts_->viscous_diagonal);
}
ImplicitMomentum::~ImplicitMomentum() = default;

SolveReport ImplicitMomentum::solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                    const SolveControl& control) {
  Parts& m = *parts_;
  const Stopwatch watch;
  m.past.guess(std::array{alpha, viscosity}, b, s);
  SolveReport report = solve_from(alpha, viscosity, b, s, control);
  m.past.keep(s, [&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
  report.seconds = watch.seconds();
  return report;
}

SolveReport ImplicitMomentum::solve_from(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                         const SolveControl& control) {
  Parts& m = *parts_;
  const MomentumOperator momentum{m.laplacian, m.lumped_mass, alpha, viscosity, m.between};
  if (m.root) {
    m.root->choose(viscosity / alpha);
    SolveControl with_cycle = control;
    with_cycle.preconditioner = m.potential_system.preconditioner();
    return m.solver.solve(momentum, RootedCycle<Parts>{m}, b, s, with_cycle);
  }
  return m.solver.solve(momentum, alpha * m.laplacian_diagonal + viscosity * m.viscous_diagonal, b, s, control);
}

void ImplicitMomentum::reserve() { parts_->past.reserve(); }

void ImplicitMomentum::visit_state(StateVisitor& visitor) { visitor.past("potential_changes", parts_->past); }

void ImplicitMomentum::state_restored() {
  Parts& m = *parts_;
  m.past.renew_images([&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
}

}  // namespace solenoid
