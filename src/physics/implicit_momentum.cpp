#include "physics/implicit_momentum.hpp"

#include "field/assign.hpp"
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
};

ImplicitMomentum::ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows,
                                   const SparseMatrix<Edge>& laplacian, Field<Edge>& lumped_mass) {
  const LocalMesh& mesh = unknowns.mesh();
  parts_ = std::unique_ptr<Parts>(new Parts{laplacian, lumped_mass, Field<Edge>(mesh, rows.diagonal()),
                                            Field<Edge>(mesh, diagonal_of_square(rows, lumped_mass)), Field<Edge>(mesh),
                                            OperatorSolver<Edge>(unknowns)});
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
  const MomentumOperator momentum{m.laplacian, m.lumped_mass, alpha, viscosity, m.between};
  return m.solver.solve(momentum, alpha * m.laplacian_diagonal + viscosity * m.viscous_diagonal, b, s, control);
}

}  // namespace solenoid
