#include "solve/linear_system.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "field/assign.hpp"
#include "solve/preconditioners.hpp"
#include "solve/scaled_rows.hpp"
#include "solve/solve_from_guess.hpp"

namespace solenoid {

namespace {

/// Converts the residual of the scaled system, S times that of A x = b, to that of A x = b; 0 where prescribed.
template <class L>
struct Unscaled {
  View<L, const real> scale;
  SOLENOID_HD real operator()(Index<L> i, real r) const { return scale[i] > 0 ? r / scale[i] : 0; }
};

/// y = S^-1 x; 0 where prescribed.
template <class L>
void unscale(const Field<L>& scale, const Field<L>& x, Field<L>& y) {
  const Unscaled<L> unscaled{scale.view()};
  const auto from = x.view();
  const auto to = y.view();
  count_owned(scale, x, y);
  forall(
      x.owned(), SOLENOID_KERNEL(int i) { to[Index<L>{i}] = unscaled(Index<L>{i}, from[Index<L>{i}]); });
}

/// The parts of a Task of A x = b that no preconditioner changes; compiled once.
template <class L>
struct ScaledTask {
  const Space<L>& space;
  const Field<L>& scale;
  const MatrixOperator<L>& a;
  const Field<L>& b;
  Field<L>& x;
  CgVectors<L>& vectors;

  StartNorms residual(real unit) const {
    const auto s = scale.view(), given = b.view(), guess = std::as_const(x).view();
    const auto p = vectors.p.view();
    count_owned(scale, x, vectors.p);
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          p[k] = s[k] > 0 ? unit * guess[k] / s[k] : 0;
        });
    apply(a, vectors.p, vectors.q);
    space.tie(vectors.q);
    const auto q = std::as_const(vectors.q).view();
    const auto r = vectors.r.view();
    count_owned(scale, b, vectors.q, vectors.r);
    const Sums<3> squares =
        totals(space.mesh().comm(), reduce_sums<3>(
                                        x.owned(), SOLENOID_KERNEL(int i) {
                                          const Index<L> k{i};
                                          const real known = unit * given[k];
                                          r[k] = s[k] * known - q[k];
                                          if (!(s[k] > 0)) return Sums<3>{};
                                          const real unscaled = r[k] / s[k];
                                          return Sums<3>{{known * known, unscaled * unscaled, r[k] * r[k]}};
                                        }));
    return {std::sqrt(squares[0]), std::sqrt(squares[1]), std::sqrt(squares[2]), {{squares[1], squares[2]}}};
  }
  real largest_known() const {
    const auto s = scale.view(), given = b.view();
    return space.mesh().comm().max(reduce_max(
        b.owned(), 0, SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          return s[k] > 0 ? std::fabs(given[k]) : 0;
        }));
  }
  void forget_guess() const {
    const auto s = scale.view();
    const auto guess = x.view();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          if (s[k] > 0) guess[k] = 0;
        });
  }
  void add_correction(real part) const {
    const auto s = scale.view(), correction = std::as_const(vectors.correction).view();
    const auto solution = x.view();
    count_owned(scale, vectors.correction, x, x);
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          solution[k] += part * (s[k] * correction[k]);
        });
  }
};

/// A x = b as a Task of solve_from_guess, with P for the scaled system.
template <class L, class P>
struct Task : ScaledTask<L> {
  static constexpr bool is_single = is_in_single_precision<P>;
  const P& preconditioner;

  auto iteration() const {
    return cg_iteration(this->a, preconditioner, Unscaled<L>{this->scale.view()}, this->space, this->vectors);
  }
  StartNorms residual(real unit) const {
    StartNorms norms = ScaledTask<L>::residual(unit);
    if constexpr (!PointwisePreconditioner<P, L>) norms.measured[1] = norms.measured[0];  // as GeneralCg measures
    return norms;
  }
};

/// The same with CG on the unknowns sorted by colour.
template <class L>
struct SweptTask {
  static constexpr bool is_single = false;
  const Task<L, Identity<L>>& task;
  GaussSeidel<L>& swept;

  auto iteration() const {
    return SweptCg<Unscaled<Unknown>>{swept.matrix, {std::as_const(swept.scale).view()}, swept.swept, swept.vectors};
  }
  StartNorms residual(real unit) const {
    StartNorms norms = task.residual(unit);
    swept.take(task.vectors.r, swept.vectors.r);
    norms.measured = iteration().measure();
    return norms;
  }
  real largest_known() const { return task.largest_known(); }
  void forget_guess() const { task.forget_guess(); }
  void add_correction(real part) const {
    swept.give(swept.vectors.correction, task.vectors.correction);
    task.space.tie(task.vectors.correction);
    task.add_correction(part);
  }
};

}  // namespace

template <class L>
struct LinearSystem<L>::Parts {
  /// The state for which a cycle was set up: the matrix's scale, and its weight of tied groups.
  struct MadeFor {
    Field<L> scale;
    std::optional<Field<L>> weight;
  };

  const Space<L>& space;
  PreconditionerKind kind;
  Field<L> scale;
  SparseMatrix<L> matrix;
  MatrixOperator<L> a{matrix};
  std::optional<MadeFor> made_for;  // the cycle, if not for this matrix
  std::optional<SpaceCycle<L, Multigrid>> multigrid;
  std::optional<SpaceCycle<L, BoomerAmg>> boomeramg;
  std::optional<SpaceCycle<L, Elimination>> elimination;
  std::unique_ptr<GaussSeidel<L>> gauss_seidel;
  CgVectors<L> vectors;
  SetupTime setup;

  Parts(const Space<L>& its_space, const MatrixRows& rows, PreconditionerKind preconditioner)
      : Parts(its_space, rows, preconditioner,
              Field<L>(its_space.mesh(), scales(its_space, rows, preconditioner != PreconditionerKind::none))) {}
  Parts(const Space<L>& its_space, const MatrixRows& rows, PreconditionerKind preconditioner, Field<L> its_scale)
      : Parts(its_space, preconditioner, scaled(its_space, rows, its_scale, preconditioner != PreconditionerKind::none),
              its_scale) {}
  Parts(const Space<L>& its_space, PreconditionerKind preconditioner, MatrixRows scaled_rows, Field<L>& its_scale)
      : space(its_space),
        kind(preconditioner),
        scale(std::move(its_scale)),
        matrix(scaled_rows, diagonal()),
        vectors(space.mesh().template layout<L>()) {
    if (kind == PreconditionerKind::multigrid) multigrid.emplace(multigrid_for(space, std::move(scaled_rows), scale));
    if (kind == PreconditionerKind::boomeramg) boomeramg.emplace(boomeramg_for(space, std::move(scaled_rows), scale));
    if (kind == PreconditionerKind::elimination) {
      elimination.emplace(elimination_for(space, std::move(scaled_rows), scale));
    }
    if (kind == PreconditionerKind::gauss_seidel) gauss_seidel = gauss_seidel_for(space, std::move(scaled_rows), scale);
  }

  bool has_unit_diagonal() const { return kind != PreconditionerKind::none; }
  typename SparseMatrix<L>::Diagonal diagonal() const {
    return has_unit_diagonal() ? SparseMatrix<L>::Diagonal::unit : SparseMatrix<L>::Diagonal::stored;
  }

  void set_matrix(const MatrixRows& rows) {
    Field<L> new_scale(space.mesh(), scales(space, rows, has_unit_diagonal()));
    MatrixRows scaled_rows = scaled(space, rows, new_scale, has_unit_diagonal());
    matrix = SparseMatrix<L>(scaled_rows, diagonal());
    std::swap(scale, new_scale);
    if (multigrid) keep(*multigrid, std::move(new_scale));
    if (boomeramg) keep(*boomeramg, std::move(new_scale));
    if (elimination) keep(*elimination, std::move(new_scale));
    if (gauss_seidel) gauss_seidel = gauss_seidel_for(space, std::move(scaled_rows), scale);
  }

  /// M' for S' A' S' continues as S^-1 S' M' S' S^-1 for S A S.
  template <class Cycle>
  void keep(SpaceCycle<L, Cycle>& cycle, Field<L> former_scale) {
    if (!made_for) made_for.emplace(MadeFor{std::move(former_scale), std::move(cycle.weight)});
    Field<L> weight(space.mesh());
    unscale(scale, made_for->scale, weight);
    if (made_for->weight) weight = *made_for->weight * weight;
    cycle.weight = std::move(weight);
  }

  /// y = A x at unknowns, for x that is 0 where prescribed. Collective.
  void apply(const Field<L>& x, Field<L>& y) {
    unscale(scale, x, vectors.p);
    multiply(matrix, vectors.p, vectors.q);
    space.tie(vectors.q);
    unscale(scale, vectors.q, y);
  }

  /// use(task) with the current preconditioner.
  template <class Use>
  auto with_task(const Field<L>& b, Field<L>& x, const Use& use) {
    const auto with = [&]<class P>(const P& preconditioner) {
      return Task<L, P>{{space, scale, a, b, x, vectors}, preconditioner};
    };
    if (multigrid) return use(with(*multigrid));
    if (boomeramg) return use(with(*boomeramg));
    if (elimination) return use(with(*elimination));
    constexpr Identity<L> identity;
    const auto task = with(identity);
    return gauss_seidel ? use(SweptTask<L>{task, *gauss_seidel}) : use(task);
  }

  /// z = M r for the scaled system. Collective.
  void cycle(Field<L>& r, Field<L>& z) {
    if (multigrid) return (*multigrid)(r, z);
    if (boomeramg) return (*boomeramg)(r, z);
    if (elimination) return (*elimination)(r, z);
    GaussSeidel<L>& sweeps = *gauss_seidel;
    sweeps.take(r, sweeps.swept);
    sweeps.give(sweeps.swept, z);
  }
};

template <class L>
LinearSystem<L>::LinearSystem(const Space<L>& space, const MatrixRows& rows, PreconditionerKind preconditioner) {
  const Stopwatch watch;
  parts_ = std::make_unique<Parts>(space, rows, resolved(space, rows, preconditioner));
  parts_->setup.add(watch);
}
template <class L>
LinearSystem<L>::~LinearSystem() = default;
template <class L>
LinearSystem<L>::LinearSystem(LinearSystem&&) noexcept = default;

template <class L>
void LinearSystem<L>::set_matrix(const MatrixRows& rows) {
  const Stopwatch watch;
  parts_->set_matrix(rows);
  parts_->setup.add(watch);
}

template <class L>
SolveReport LinearSystem<L>::solve(const Field<L>& b, Field<L>& x, const SolveControl& control) {
  record_setup(control);
  return parts_->with_task(b, x, [&](const auto& task) { return solve_from_guess(task, control, parts_->kind); });
}

template <class L>
SolveReport LinearSystem<L>::solve(const Field<L>& b, Field<L>& x, const SolveControl& control,
                                   SolutionHistory<L>& past) {
  record_setup(control);
  return recorded(control, [&](const SolveControl& its_control) {
    past.guess(std::array{real{1}}, b, x);
    const SolveReport report = solve(b, x, its_control);
    past.keep(x, [&](Field<L>& kept, std::span<Field<L>> images) { parts_->apply(kept, images[0]); });
    return report;
  });
}

template <class L>
void LinearSystem<L>::renew_images(SolutionHistory<L>& past) const {
  past.renew_images([&](Field<L>& kept, std::span<Field<L>> images) { parts_->apply(kept, images[0]); });
}

template <class L>
void LinearSystem<L>::begin(const Field<L>& b) {
  Field<L> nothing(parts_->space.mesh());
  parts_->with_task(b, nothing, [&](const auto& task) {
    task.residual(1);
    begin_cg(task.iteration());
  });
}

template <class L>
void LinearSystem<L>::iterate(int count) {
  Field<L>& unused = parts_->vectors.correction;
  parts_->with_task(unused, unused, [&](const auto& task) { iterate_cg(task.iteration(), count); });
}

template <class L>
PreconditionerKind LinearSystem<L>::preconditioner() const {
  return parts_->kind;
}

template <class L>
bool LinearSystem<L>::can_precondition() const {
  return parts_->multigrid || parts_->boomeramg || parts_->elimination || parts_->gauss_seidel;
}

template <class L>
void LinearSystem<L>::record_setup(const SolveControl& control) {
  parts_->setup.record(control, shape());
}

template <class L>
const MultigridShape* LinearSystem<L>::shape() const {
  return parts_->multigrid ? &parts_->multigrid->cycle.shape() : nullptr;
}

template <class L>
void LinearSystem<L>::precondition(const Field<L>& r, Field<L>& z) {
  Field<L>&given = parts_->vectors.p, &result = parts_->vectors.q;
  const auto& scale = parts_->scale;
  given = scale * r;
  parts_->cycle(given, result);
  parts_->space.tie(result);
  z = scale * result;
}

template <class L>
void LinearSystem<L>::precondition(Field<L, Vec3>& r, Field<L, Vec3>& z) {
  const auto& multigrid = parts_->multigrid.value();
  require(!multigrid.weight, [] { return "multigrid for vectors takes neither tied groups nor a changed matrix"; });
  r = parts_->scale * r;
  multigrid.cycle(r, z);
  z = parts_->scale * z;
}

template <class L>
void LinearSystem<L>::cycle(Field<L>& r, Field<L>& z) const {
  parts_->cycle(r, z);
}

template <class L>
double LinearSystem<L>::bytes_of_cycle(int vectors) const {
  if (parts_->elimination) return parts_->elimination->cycle.bytes_per_call();
  return parts_->multigrid.value().cycle.bytes_per_cycle(vectors);
}

template <class L>
std::size_t LinearSystem<L>::bytes() const {
  return parts_->gauss_seidel ? parts_->gauss_seidel->matrix.bytes() : parts_->matrix.bytes();
}

template class LinearSystem<Node>;
template class LinearSystem<Edge>;
template class LinearSystem<Face>;
template class LinearSystem<Cell>;

}  // namespace solenoid
