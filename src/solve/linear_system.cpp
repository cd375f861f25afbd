#include "solve/linear_system.hpp"

#include <cmath>

#include "solve/solve_from_guess.hpp"

namespace solenoid {

namespace {

/// S at the owned entities: 0 where prescribed, 1 / sqrt(diagonal of the restricted matrix) at unknowns.
template <class L>
std::vector<real> scales(const Space<L>& space, const MatrixRows& rows, PreconditionerKind preconditioner) {
  const LocalMesh& mesh = space.mesh();
  std::vector<real> scale(mesh.owned<L>(), 1);
  if (preconditioner == PreconditionerKind::jacobi) {
    scale = rows.diagonal();
    if (space.groups() > 0) {
      const SparseMatrix<L> matrix(rows);
      Field<L> diagonal(mesh, scale);
      space.restrict_diagonal([&](Field<L>& x, Field<L>& y) { y = matrix * halo(x); }, diagonal);
      scale = diagonal.to_host();
    }
  }
  const std::vector<int>& role = space.role();
  std::int64_t not_positive = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (role[i] == Space<L>::prescribed) {
      scale[i] = 0;
    } else if (scale[i] > 0) {
      scale[i] = 1 / std::sqrt(scale[i]);
    } else {
      ++not_positive;
    }
  }
  require_on_all_ranks(mesh.comm().sum(not_positive) == 0, [&] {
    return message("the matrix has {} {}s with a diagonal entry that is not positive: check the mesh's worst cells",
                   not_positive, L::name);
  });
  return scale;
}

/// S A S; without its diagonal of ones for Jacobi.
template <class L>
MatrixRows scaled(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal) {
  halo(scales);
  const std::vector<real> scale = scales.all_to_host();
  MatrixRows result;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      real value = scale[i] * rows.value[k] * scale[j];
      if (unit_diagonal && i == j) {
        if (space.role()[i] < 0) continue;
        value -= 1;  // a tied group's diagonal entry is the group's, not its members'
      }
      if (value == 0) continue;
      result.column.push_back(j);
      result.value.push_back(value);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// From the residual of the scaled system, S times that of A x = b, to that of A x = b; 0 where prescribed.
template <class L>
struct Unscaled {
  View<L, const real> scale;
  SOLENOID_HD real operator()(Index<L> i, real r) const { return scale[i] > 0 ? r / scale[i] : 0; }
};

/// The scaled system needs no preconditioner.
template <class L>
auto scaled_cg(const MatrixOperator<L>& a, const Field<L>& scale, const Space<L>& space, CgVectors<L>& vectors) {
  return cg_iteration(a, Identity<L>{}, Unscaled<L>{scale.view()}, space, vectors);
}

/// A x = b as solve_from_guess takes it.
template <class L>
struct Task {
  const Space<L>& space;
  const Field<L>& scale;
  const MatrixOperator<L>& a;
  const Field<L>& b;
  Field<L>& x;
  CgVectors<L>& vectors;

  auto iteration() const { return scaled_cg(a, scale, space, vectors); }

  StartNorms residual(real unit) const {
    const auto s = scale.view(), given = b.view(), guess = std::as_const(x).view();
    const auto p = vectors.p.view();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          p[k] = s[k] > 0 ? unit * guess[k] / s[k] : 0;
        });
    apply(a, vectors.p, vectors.q);
    space.tie(vectors.q);
    const auto q = std::as_const(vectors.q).view();
    const auto r = vectors.r.view();
    Sums<2> squares = reduce_sums<2>(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          const real known = unit * given[k];
          r[k] = s[k] * known - q[k];
          return s[k] > 0 ? Sums<2>{{known * known, r[k] * r[k] / (s[k] * s[k])}} : Sums<2>{};
        });
    space.mesh().comm().sum(std::span<real>(squares.value, 2));
    return {std::sqrt(squares[0]), std::sqrt(squares[1])};
  }
  real largest_known() const {
    const auto s = scale.view(), given = b.view();
    return space.mesh().comm().max(reduce_max(
        b.owned(), 0, SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          return s[k] > 0 ? (given[k] < 0 ? -given[k] : given[k]) : 0;
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
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<L> k{i};
          solution[k] += part * (s[k] * correction[k]);
        });
  }
};

}  // namespace

template <class L>
struct LinearSystem<L>::Parts {
  const Space<L>& space;
  bool unit_diagonal;
  Field<L> scale;
  SparseMatrix<L> matrix;
  MatrixOperator<L> a{matrix};
  CgVectors<L> vectors;

  Parts(const Space<L>& its_space, const MatrixRows& rows, PreconditionerKind preconditioner)
      : space(its_space),
        unit_diagonal(preconditioner == PreconditionerKind::jacobi),
        scale(space.mesh(), scales(space, rows, preconditioner)),
        matrix(scaled(space, rows, scale, unit_diagonal),
               unit_diagonal ? SparseMatrix<L>::Diagonal::unit : SparseMatrix<L>::Diagonal::stored),
        vectors(space.mesh().template layout<L>()) {}

  auto iteration() { return scaled_cg(a, scale, space, vectors); }
  Task<L> task(const Field<L>& b, Field<L>& x) { return {space, scale, a, b, x, vectors}; }
};

template <class L>
LinearSystem<L>::LinearSystem(const Space<L>& space, const MatrixRows& rows, PreconditionerKind preconditioner)
    : parts_(std::make_unique<Parts>(space, rows, preconditioner)) {}
template <class L>
LinearSystem<L>::~LinearSystem() = default;
template <class L>
LinearSystem<L>::LinearSystem(LinearSystem&&) noexcept = default;

template <class L>
SolveReport LinearSystem<L>::solve(const Field<L>& b, Field<L>& x, const SolveControl& control) {
  return solve_from_guess(parts_->task(b, x), control);
}

template <class L>
void LinearSystem<L>::begin(const Field<L>& b) {
  Field<L> nothing(parts_->space.mesh());
  const Task<L> task = parts_->task(b, nothing);
  task.residual(1);
  begin_cg(task.iteration());
}

template <class L>
void LinearSystem<L>::iterate(int count) {
  iterate_cg(parts_->iteration(), count);
}

template <class L>
std::size_t LinearSystem<L>::bytes() const {
  return parts_->matrix.bytes();
}

template class LinearSystem<Node>;
template class LinearSystem<Edge>;
template class LinearSystem<Face>;
template class LinearSystem<Cell>;

}  // namespace solenoid
