#include "physics/implicit_momentum.hpp"

#include "field/assign.hpp"
#include "solve/cg_product.hpp"

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

/// Jacobi's preconditioner: the inverse diagonal, 0 where prescribed.
struct Jacobi {
  View<Edge, const real> inverse;
  SOLENOID_HD real operator()(Index<Edge> i, real r) const { return inverse[i] * r; }
  SOLENOID_HD real residual(Index<Edge> i, real r) const { return inverse[i] > 0 ? r : 0; }
};

/// use(row, (L s)_row): alpha s + nu W^-1 L s.
struct StoreVorticity {
  real alpha, nu;
  View<Edge, const real> s, mass;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> i, real product) const { result[i] = alpha * s[i] + nu * product / mass[i]; }
};

struct MomentumOperator {
  const SparseMatrix<Edge>& laplacian;
  const Space<Edge>& unknowns;
  const Field<Edge>& lumped_mass;
  real alpha, nu;
  Field<Edge>& vorticity;

  bool waits() const { return unknowns.groups() > 0; }

  void store_vorticity(Field<Edge>& s) const {
    over_rows(laplacian, s, StoreVorticity{alpha, nu, std::as_const(s).view(), lumped_mass.view(), vorticity.view()});
  }
  template <class P, class Turn>
  void multiply(const P& preconditioner, CgVectors<Edge>& vectors, const Turn& turn) const {
    store_vorticity(vectors.p);
    multiply_and_turn(laplacian, unknowns, vorticity, preconditioner, vectors, turn);
  }
};

}  // namespace

ImplicitMomentum::ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows,
                                   const SparseMatrix<Edge>& laplacian, Field<Edge>& lumped_mass)
    : unknowns_(unknowns),
      laplacian_(laplacian),
      lumped_mass_(lumped_mass),
      laplacian_diagonal_(unknowns.mesh(), rows.diagonal()),
      viscous_diagonal_(unknowns.mesh(), diagonal_of_square(rows, lumped_mass)),
      inverse_diagonal_(unknowns.mesh()),
      vorticity_(unknowns.mesh()),
      vectors_(unknowns.mesh()) {
  unknowns_.restrict_diagonal([&](Field<Edge>& x, Field<Edge>& y) { y = laplacian_ * halo(x); }, laplacian_diagonal_);
  unknowns_.restrict_diagonal(
      [&](Field<Edge>& x, Field<Edge>& y) {
        vorticity_ = (laplacian_ * halo(x)) / lumped_mass_;
        y = laplacian_ * halo(vorticity_);
      },
      viscous_diagonal_);
}

SolveReport ImplicitMomentum::solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                    const SolveControl& control) {
  const bool precondition = control.preconditioner == PreconditionerKind::jacobi;
  const auto of_laplacian = std::as_const(laplacian_diagonal_).view(),
             viscous = std::as_const(viscous_diagonal_).view();
  const auto inverse = inverse_diagonal_.view();
  forall(
      s.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> k{i};
        inverse[k] = precondition ? 1 / (alpha * of_laplacian[k] + viscosity * viscous[k]) : 1;
      });
  unknowns_.set_prescribed(inverse_diagonal_, 0);

  const MomentumOperator momentum{laplacian_, unknowns_, lumped_mass_, alpha, viscosity, vorticity_};
  momentum.store_vorticity(s);
  vectors_.r = b - laplacian_ * halo(vorticity_);
  unknowns_.restrict_to_unknowns(vectors_.r);
  const SolveReport report = cg(momentum, Jacobi{std::as_const(inverse_diagonal_).view()}, norm(b), control, vectors_);
  if (report.iterations > 0) s = s + vectors_.correction;
  return report;
}

}  // namespace solenoid
