#include "physics/implicit_momentum.hpp"

#include "field/assign.hpp"
#include "solve/cg_product.hpp"
#include "solve/solve_from_guess.hpp"

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

/// (alpha L + nu L W^-1 L) s = b as solve_from_guess takes it.
struct MomentumTask {
  MomentumOperator momentum;
  const Field<Edge>& inverse_diagonal;
  const Field<Edge>& b;
  Field<Edge>& s;
  CgVectors<Edge>& vectors;

  MomentumOperator a() const { return momentum; }
  Jacobi preconditioner() const { return {inverse_diagonal.view()}; }

  StartNorms residual(real unit) const {
    vectors.p = unit * s;
    momentum.store_vorticity(vectors.p);
    vectors.r = unit * b - momentum.laplacian * halo(momentum.vorticity);
    momentum.unknowns.restrict_to_unknowns(vectors.r);
    const auto known = b.view(), r = std::as_const(vectors.r).view();
    Sums<2> squares = reduce_sums<2>(
        b.owned(), SOLENOID_KERNEL(int i) {
          const Index<Edge> k{i};
          return Sums<2>{{(unit * known[k]) * (unit * known[k]), r[k] * r[k]}};
        });
    b.mesh().comm().sum(std::span<real>(squares.value, 2));
    return {std::sqrt(squares[0]), std::sqrt(squares[1])};
  }
  real largest_known() const { return max_magnitude(b); }
  void forget_guess() const {
    const auto inverse = inverse_diagonal.view();
    const auto guess = s.view();
    forall(
        s.owned(), SOLENOID_KERNEL(int i) {
          const Index<Edge> k{i};
          if (inverse[k] > 0) guess[k] = 0;
        });
  }
  void add_correction(real part) const { s = s + part * vectors.correction; }
};

/// D = 1 / (alpha diag(L) + nu diag(L W^-1 L)), or 1; 0 where prescribed.
void invert_diagonal(real alpha, real nu, bool precondition, const Field<Edge>& laplacian, const Field<Edge>& viscous,
                     Field<Edge>& inverse) {
  const auto of_laplacian = laplacian.view(), of_viscous = viscous.view();
  const auto d = inverse.view();
  forall(
      inverse.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> k{i};
        d[k] = precondition ? 1 / (alpha * of_laplacian[k] + nu * of_viscous[k]) : 1;
      });
}

}  // namespace

struct ImplicitMomentum::Parts {
  const Space<Edge>& unknowns;
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& lumped_mass;
  Field<Edge> laplacian_diagonal, viscous_diagonal;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge> inverse_diagonal, vorticity;           // 0 where prescribed; alpha s + nu W^-1 L s
  CgVectors<Edge> vectors;
};

ImplicitMomentum::ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows,
                                   const SparseMatrix<Edge>& laplacian, Field<Edge>& lumped_mass) {
  const LocalMesh& mesh = unknowns.mesh();
  parts_ = std::unique_ptr<Parts>(new Parts{unknowns, laplacian, lumped_mass, Field<Edge>(mesh, rows.diagonal()),
                                            Field<Edge>(mesh, diagonal_of_square(rows, lumped_mass)), Field<Edge>(mesh),
                                            Field<Edge>(mesh), CgVectors<Edge>(mesh)});
  Field<Edge>& between = parts_->vorticity;
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
  invert_diagonal(alpha, viscosity, control.preconditioner == PreconditionerKind::jacobi, m.laplacian_diagonal,
                  m.viscous_diagonal, m.inverse_diagonal);
  m.unknowns.set_prescribed(m.inverse_diagonal, 0);

  const MomentumOperator momentum{m.laplacian, m.unknowns, m.lumped_mass, alpha, viscosity, m.vorticity};
  return solve_from_guess(MomentumTask{momentum, m.inverse_diagonal, b, s, m.vectors}, control, m.vectors);
}

}  // namespace solenoid
