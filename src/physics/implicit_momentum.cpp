#include "physics/implicit_momentum.hpp"

#include "field/assign.hpp"
#include "physics/inverse_root.hpp"
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

/// use(row, (L s)_row): alpha s + nu W^-1 L s.
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
    over_rows(laplacian, s, StoreVorticity{alpha, nu, std::as_const(s).view(), inverse_mass.view(), between.view()});
    return between;
  }
};

/// The largest sum_j |L_ij| / W_i over unknowns: not less than the largest eigenvalue of W^-1 L there.
real largest_rate(const Space<Edge>& unknowns, const MatrixRows& laplacian, const Field<Edge>& lumped_mass) {
  const std::vector<real> mass = lumped_mass.to_host();
  const std::vector<int>& role = unknowns.role();
  real largest = 0;
  for (int i = 0; i < laplacian.rows(); ++i) {
    if (role[i] == Space<Edge>::prescribed) continue;
    real sum = 0;
    for (int k = laplacian.offset[i]; k < laplacian.offset[i + 1]; ++k) {
      if (role[laplacian.column[k]] != Space<Edge>::prescribed) sum += std::abs(laplacian.value[k]);
    }
    largest = std::max(largest, sum / mass[i]);
  }
  return unknowns.mesh().comm().max(largest);
}

/// A step of Clenshaw's recurrence (1955) for a sum of Chebyshev polynomials in 2 S / largest - 1:
/// b_before = c x + twice (2 S / largest - 1) b - b_before, or with `twice` = 1 the sum itself.
struct ClenshawStep {
  real coefficient, twice, scale;  // scale: 2 / largest
  View<Edge, const real> mass, x, b, before;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> i, real product) const {
    const real rate = mass[i] > 0 ? scale * product / mass[i] : 0;
    result[i] = coefficient * x[i] + twice * (rate - b[i]) - before[i];
  }
};

/// step(i, product_i) for every owned value.
void over_values(const Field<Edge>& product, const ClenshawStep& step) {
  const auto values = product.view();
  forall(
      product.owned(), SOLENOID_KERNEL(int i) { step(Index<Edge>{i}, values[Index<Edge>{i}]); });
}

/// quotient = values / mass; 0 where there is no mass.
void divide(const Field<Edge>& values, const Field<Edge>& mass, Field<Edge>& quotient) {
  const auto v = values.view(), m = mass.view();
  const auto q = quotient.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> k{i};
        q[k] = m[k] > 0 ? v[k] / m[k] : 0;
      });
}

}  // namespace

struct ImplicitMomentum::Parts {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  Field<Edge> laplacian_diagonal, viscous_diagonal;  // of L and L W^-1 L, restricted to unknowns
  Field<Edge> between;                               // alpha s + nu W^-1 L s
  OperatorSolver<Edge> solver;

  const Space<Edge>& unknowns;
  LinearSystem<Edge>& potential_system;
  real rate;                        // largest of W^-1 L
  Field<Edge> mass;                 // W restricted to unknowns, 0 where prescribed
  Field<Edge> weighted, b, before;  // what the preconditioner works on
  PastSolutions<Edge> past;

  void apply_polynomial(const std::vector<real>& coefficients, Field<Edge>& x);
  void apply_parts(Field<Edge>& s, std::span<Field<Edge>> images);
  SolveReport solve(real alpha, real viscosity, const Field<Edge>& right_side, Field<Edge>& s,
                    const SolveControl& control, const Field<Edge>* image);
};

/// L s and L W^-1 L s at unknowns.
void ImplicitMomentum::Parts::apply_parts(Field<Edge>& s, std::span<Field<Edge>> images) {
  images[0] = laplacian * halo(s);
  between = inverse_mass * images[0];
  images[1] = laplacian * halo(between);
  for (Field<Edge>& image : images) unknowns.restrict_to_unknowns(image);
}

/// x = p(2 S / rate - 1) x at unknowns, x 0 where prescribed and tied.
void ImplicitMomentum::Parts::apply_polynomial(const std::vector<real>& coefficients, Field<Edge>& x) {
  const int degree = static_cast<int>(coefficients.size()) - 1;
  if (degree == 0) {
    x = coefficients[0] * x;
    return;
  }
  b = coefficients[degree] * x;
  before = 0 * x;
  for (int k = degree - 1; k >= 0; --k) {
    Field<Edge>& target = k > 0 ? before : x;
    const ClenshawStep step{coefficients[k],
                            real(k > 0 ? 2 : 1),
                            2 / rate,
                            std::as_const(mass).view(),
                            std::as_const(x).view(),
                            std::as_const(b).view(),
                            std::as_const(before).view(),
                            target.view()};
    if (unknowns.groups() == 0) {
      over_rows(laplacian, b, step);
    } else {
      multiply(laplacian, b, between);
      unknowns.tie(between);
      over_values(between, step);
    }
    if (k > 0) std::swap(b, before);
  }
}

namespace {

/// z = p(S) B p(S^T) r with B near L^-1 and p(S^T) = W p(S) W^-1.
template <class Parts>
struct RootedCycle {
  static constexpr bool is_in_single_precision = true;  // B may be
  Parts& m;
  const std::vector<real>& coefficients;

  void operator()(Field<Edge>& r, Field<Edge>& z) const {
    divide(r, m.mass, m.weighted);
    m.apply_polynomial(coefficients, m.weighted);
    m.weighted = m.mass * m.weighted;
    m.potential_system.precondition(m.weighted, z);
    m.apply_polynomial(coefficients, z);
  }
};

}  // namespace

/// `image`: of s on entry, where it is known.
SolveReport ImplicitMomentum::Parts::solve(real alpha, real viscosity, const Field<Edge>& right_side, Field<Edge>& s,
                                           const SolveControl& control, const Field<Edge>* image) {
  const MomentumOperator momentum{laplacian, inverse_mass, alpha, viscosity, between};
  if (potential_system.can_precondition()) {
    constexpr real ratio = 1.3;
    const std::vector<real> coefficients = inverse_root(viscosity * rate / alpha, ratio);
    SolveControl with_cycle = control;
    with_cycle.preconditioner = potential_system.preconditioner();
    return solver.solve(momentum, RootedCycle<Parts>{*this, coefficients}, right_side, s, with_cycle, image);
  }
  return solver.solve(momentum, alpha * laplacian_diagonal + viscosity * viscous_diagonal, right_side, s, control,
                      image);
}

ImplicitMomentum::ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows,
                                   const SparseMatrix<Edge>& laplacian, LinearSystem<Edge>& potential_system,
                                   const Field<Edge>& lumped_mass, Field<Edge>& inverse_mass) {
  const LocalMesh& mesh = unknowns.mesh();
  parts_ = std::unique_ptr<Parts>(new Parts{
      laplacian, inverse_mass, Field<Edge>(mesh, rows.diagonal()),
      Field<Edge>(mesh, diagonal_of_square(rows, inverse_mass)), Field<Edge>(mesh), OperatorSolver<Edge>(unknowns),
      unknowns, potential_system, largest_rate(unknowns, rows, lumped_mass), Field<Edge>(mesh), Field<Edge>(mesh),
      Field<Edge>(mesh), Field<Edge>(mesh), PastSolutions<Edge>(unknowns, 2, PastSolutions<Edge>::Images::all)});
  parts_->mass.copy_from(lumped_mass);
  unknowns.restrict_to_unknowns(parts_->mass);
  Field<Edge>& between = parts_->between;
  unknowns.restrict_diagonal([&](Field<Edge>& x, Field<Edge>& y) { y = laplacian * halo(x); },
                             parts_->laplacian_diagonal);
  unknowns.restrict_diagonal(
      [&](Field<Edge>& x, Field<Edge>& y) {
        between = inverse_mass * (laplacian * halo(x));
        y = laplacian * halo(between);
      },
      parts_->viscous_diagonal);
}
ImplicitMomentum::~ImplicitMomentum() = default;

SolveReport ImplicitMomentum::solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                    const SolveControl& control) {
  Parts& m = *parts_;
  const Stopwatch watch;
  const bool is_guessed = m.past.guess(std::array{alpha, viscosity}, b, s, &m.between);
  SolveReport report = m.solve(alpha, viscosity, b, s, control, is_guessed ? &m.between : nullptr);
  m.past.keep(s, [&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
  report.seconds = watch.seconds();
  return report;
}

SolveReport ImplicitMomentum::solve_apart(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                                          const SolveControl& control) {
  return parts_->solve(alpha, viscosity, b, s, control, nullptr);
}

void ImplicitMomentum::reserve() { parts_->past.reserve(); }

void ImplicitMomentum::visit_state(StateVisitor& visitor) { visitor.past("potential_changes", parts_->past); }

void ImplicitMomentum::state_restored() {
  Parts& m = *parts_;
  m.past.renew_images([&](Field<Edge>& kept, std::span<Field<Edge>> images) { m.apply_parts(kept, images); });
}

}  // namespace solenoid
