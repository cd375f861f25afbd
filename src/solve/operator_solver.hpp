/// Conjugate gradients for a matrix-free operator: A x = b for the unknowns of a space. For files that launch kernels.
#pragma once

#include <optional>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/solve_from_guess.hpp"

namespace solenoid {

/// Keeps the vectors of its solves. A is symmetric and positive definite at the unknowns, or semidefinite with b in its
/// range.
template <class L>
class OperatorSolver {
 public:
  /// `space` outlives the solver.
  explicit OperatorSolver(const Space<L>& space)
      : space_(space), inverse_(space.mesh().template layout<L>()), vectors_(space.mesh().template layout<L>()) {}

  /// With Jacobi's preconditioner unless the control requests none. `diagonal`: of A, restricted to unknowns (see
  /// Space::restrict_diagonal). b is restricted to unknowns; x on entry is the first guess, and its prescribed entries
  /// stay unchanged: their contribution belongs into b. `image`: A x at unknowns for the guess, if known; A may
  /// overwrite it. Collective; throws as cg does.
  template <LinearOperator<L> A, Operand Diagonal>
  SolveReport solve(const A& a, const Diagonal& diagonal, const Field<L>& b, Field<L>& x, const SolveControl& control,
                    const Field<L>* image = nullptr) {
    const PreconditionerKind kind = pointwise(control);
    invert(operand(diagonal), kind == PreconditionerKind::jacobi);
    const Jacobi<real> jacobi{std::as_const(inverse_).view()};
    return solve_from_guess(Task<A, Jacobi<real>>{*this, a, jacobi, b, x, image}, control, kind);
  }

  /// With another preconditioner, whose result is restricted to unknowns. Collective; throws as cg does.
  template <LinearOperator<L> A, LinearOperator<L> P>
  SolveReport solve(const A& a, const P& preconditioner, const Field<L>& b, Field<L>& x, const SolveControl& control,
                    const Field<L>* image = nullptr) {
    invert(operand(inverse_), false);
    return solve_from_guess(Task<A, P>{*this, a, preconditioner, b, x, image}, control, control.preconditioner);
  }

  /// The same with iterations in single precision, about half the memory to read, and residuals of guesses in `real`.
  /// `single`: A / scale, with values well within single precision. Allocates memory in the first call, or in
  /// reserve_single(). For tolerances at which the recursive residual counts, see carries_residual(): otherwise it
  /// restarts again and again. Collective; throws as cg does.
  template <LinearOperator<L> A, FactoredOperator<L, float> Single, Operand Diagonal>
  SolveReport solve_in_single(const A& a, const Single& single, real scale, const Diagonal& diagonal, const Field<L>& b,
                              Field<L>& x, const SolveControl& control, const Field<L>* image = nullptr) {
    const PreconditionerKind kind = pointwise(control);
    invert(operand(diagonal), kind == PreconditionerKind::jacobi);
    reserve_single();
    single_->inverse = (kind == PreconditionerKind::jacobi ? scale : 1) * inverse_;
    const Jacobi<real> jacobi{std::as_const(inverse_).view()};
    const SingleTask<A, Single> task{{*this, a, jacobi, b, x, image}, single, scale};
    return solve_from_guess(task, control, kind);
  }
  void reserve_single() {  ///< Collective.
    if (!single_) single_.emplace(inverse_.layout());
  }

  // Parts of the solver; public because nvcc accepts no private types as kernel arguments.

  /// The inverse diagonal, 0 where prescribed.
  template <class T>
  struct Jacobi {
    View<L, const T> inverse;
    SOLENOID_HD T operator()(Index<L> i, T r) const { return inverse[i] * r; }
  };
  /// The residual at unknowns.
  template <class T>
  struct AtUnknowns {
    View<L, const T> inverse;
    SOLENOID_HD T operator()(Index<L> i, T r) const { return inverse[i] > 0 ? r : 0; }
  };

  /// inverse_ = 1 / diagonal, or 1; 0 where prescribed.
  template <class E>
  void invert(const Expression<L, E>& diagonal, bool precondition) {
    const auto d = inverse_.view();
    count_traffic(bytes_read(diagonal, inverse_.owned()));
    count_owned(inverse_);
    forall(
        inverse_.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          d[k] = precondition ? 1 / diagonal(k) : 1;
        });
    space_.set_prescribed(inverse_, 0);
  }

  /// vectors_.p = unit x at unknowns, 0 where prescribed.
  void start_from(const Field<L>& x, real unit) {
    const auto mask = std::as_const(inverse_).view(), guess = x.view();
    const auto p = vectors_.p.view();
    count_owned(inverse_, x, vectors_.p);
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          p[k] = mask[k] > 0 ? unit * guess[k] : 0;
        });
  }
  // Further sums over the residual at unknowns, from the third one on.

  struct NothingMore {
    static constexpr int count = 0;
    SOLENOID_HD void operator()(Index<L>, real, Sums<2>&) const {}
  };
  /// r.P r.
  struct Preconditioned {
    static constexpr int count = 1;
    Jacobi<real> jacobi;
    SOLENOID_HD void operator()(Index<L> i, real r, Sums<3>& sums) const { sums[2] = r * jacobi(i, r); }
  };
  /// Stores r in single precision, and both sums of that for CG.
  struct InSingle {
    static constexpr int count = 2;
    View<L, const float> inverse;
    View<L, float> single;
    SOLENOID_HD void operator()(Index<L> i, real residual, Sums<4>& sums) const {
      const float r = static_cast<float>(residual);
      single[i] = r;
      const real at_unknown = AtUnknowns<float>{inverse}(i, r), rounded = r;
      sums[2] = at_unknown * at_unknown;
      sums[3] = rounded * Jacobi<float>{inverse}(i, r);
    }
  };

  /// vectors_.r = unit b - factor image at unknowns. Returns the sums of the squares of unit b and of that, and those
  /// of `more`. Collective.
  template <class More>
  Sums<2 + More::count> residual(const Field<L>& b, real unit, const Field<L>& image, real factor, const More& more) {
    const bool is_tied = space_.groups() > 0;
    if (is_tied) {
      vectors_.r = unit * b - factor * image;
      space_.restrict_to_unknowns(vectors_.r);
      count_owned(b, vectors_.r);
    } else {
      count_owned(b, image, inverse_, vectors_.r);
    }
    const auto known = b.view(), of_guess = image.view(), inverse = std::as_const(inverse_).view();
    const auto r = vectors_.r.view();
    return totals(b.layout().comm(), reduce_sums<2 + More::count>(
                                         b.owned(), SOLENOID_KERNEL(int i) {
                                           const Index<L> k{i};
                                           const real given = unit * known[k];
                                           real residual = r[k];
                                           if (!is_tied) {
                                             residual = inverse[k] != 0 ? given - factor * of_guess[k] : 0;
                                             r[k] = residual;
                                           }
                                           Sums<2 + More::count> sums;
                                           sums[0] = given * given;
                                           sums[1] = residual * residual;
                                           more(k, residual, sums);
                                           return sums;
                                         }));
  }
  /// x = 0 at unknowns.
  void forget(Field<L>& x) const {
    const auto mask = inverse_.view();
    const auto guess = x.view();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          if (mask[k] > 0) guess[k] = 0;
        });
  }

  /// x += factor * correction; the factor may exceed single precision.
  void add(real factor, const Field<L, float>& correction, Field<L>& x) const {
    const auto c = correction.view();
    const auto sum = x.view();
    count_owned(correction, x, x);
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          sum[k] += factor * c[k];
        });
  }

  /// A x = b as a Task of solve_from_guess.
  template <class A, class P>
  struct Task {
    static constexpr bool is_single = is_in_single_precision<P>;
    OperatorSolver& solver;
    const A& a;
    const P& preconditioner;
    const Field<L>& b;
    Field<L>& x;
    mutable const Field<L>* image;  // of the first guess; used once

    auto iteration() const {
      return cg_iteration(a, preconditioner, AtUnknowns<real>{std::as_const(solver.inverse_).view()}, solver.space_,
                          solver.vectors_);
    }
    StartNorms residual(real unit) const {
      const Jacobi<real> jacobi{std::as_const(solver.inverse_).view()};
      if constexpr (FactoredOperator<A, L> && PointwisePreconditioner<P, L>) {
        const Sums<3> sums = residual(unit, Preconditioned{jacobi});
        return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[1]), {{sums[1], sums[2]}}};
      } else {
        const Sums<2> sums = residual(unit, NothingMore{});
        return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[1]), {{sums[1], sums[1]}}};
      }
    }
    template <class More>
    auto residual(real unit, const More& more) const {
      if (const Field<L>* const known = std::exchange(image, nullptr)) {
        return solver.residual(b, unit, *known, unit, more);
      }
      solver.start_from(x, unit);
      apply(a, solver.vectors_.p, solver.vectors_.q);
      return solver.residual(b, unit, solver.vectors_.q, 1, more);
    }
    real largest_known() const { return max_magnitude(b); }
    void forget_guess() const { solver.forget(x); }
    void add_correction(real part) const { x = x + part * solver.vectors_.correction; }
  };
  /// The same, with single precision between the residual and the correction.
  template <class A, class Single>
  struct SingleTask : Task<A, Jacobi<real>> {
    static constexpr bool is_single = true;
    const Single& single;
    real scale;

    auto iteration() const {
      SingleVectors& of_single = *this->solver.single_;
      const View<L, const float> inverse = std::as_const(of_single.inverse).view();
      return cg_iteration(single, Jacobi<float>{inverse}, AtUnknowns<float>{inverse}, this->solver.space_,
                          of_single.vectors);
    }
    StartNorms residual(real unit) const {
      SingleVectors& of_single = *this->solver.single_;
      const Sums<4> sums = Task<A, Jacobi<real>>::residual(
          unit, InSingle{std::as_const(of_single.inverse).view(), of_single.vectors.r.view()});
      return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[1]), {{sums[2], sums[3]}}};
    }
    void add_correction(real part) const {
      this->solver.add(part / scale, this->solver.single_->vectors.correction, this->x);
    }
  };

 private:
  static PreconditionerKind pointwise(const SolveControl& control) {
    return control.preconditioner == PreconditionerKind::none ? PreconditionerKind::none : PreconditionerKind::jacobi;
  }

  struct SingleVectors {
    Field<L, float> inverse;
    CgVectors<L, float> vectors;
    explicit SingleVectors(const Layout& layout) : inverse(layout), vectors(layout) {}
  };

  const Space<L>& space_;
  Field<L> inverse_;
  CgVectors<L> vectors_;
  std::optional<SingleVectors> single_;
};

}  // namespace solenoid
