/// The matrix product inside CG: stores A x and gives the sums that steer the iteration. For files that launch kernels.
#pragma once

#include "field/assign.hpp"
#include "solve/cg.hpp"
#include "solve/row_pass.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace cg_passes {

/// use(row, product): stores the product and returns p.q and q.P q.
template <class L, class P>
struct StoreProduct {
  StateView<CgState> state;
  View<L, const real> p;
  View<L> q;
  P preconditioner;
  SOLENOID_HD Sums<2> operator()(Index<L> i, real product) const {
    if (state->status != CgState::running) return {};
    q[i] = product;
    return {{p[i] * product, preconditioner(i, product) * product}};
  }
};

/// The same sums over products that were stored before. Collective.
template <class L, class P, class Turn>
void turn_with_stored(const P& preconditioner, CgVectors<L>& vectors, const Turn& turn) {
  const auto p = std::as_const(vectors.p).view(), q = std::as_const(vectors.q).view();
  vectors.state.template turn<2>(
      0, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        return Sums<2>{{p[k] * q[k], preconditioner(k, q[k]) * q[k]}};
      },
      turn);
}

}  // namespace cg_passes

/// q = A x for the unknowns of `space`, and a turn of the state with p.q and q.P q: what cg asks of its operator,
/// where A's last factor is `matrix` and what it is applied to, x, follows from p. Collective.
template <class L, class P, class Turn>
void multiply_and_turn(const SparseMatrix<L>& matrix, const Space<L>& space, Field<L>& x, const P& preconditioner,
                       CgVectors<L>& vectors, const Turn& turn) {
  auto& state = vectors.state;
  const cg_passes::StoreProduct<L, P> store{state.view(), std::as_const(vectors.p).view(), vectors.q.view(),
                                            preconditioner};
  if (space.groups() == 0) {
    over_rows(
        matrix, x, store, [&](int items, const auto& pass) { state.template add<2>(0, items, pass); },
        [&](int items, const auto& pass) { state.template turn<2>(0, items, pass, turn); });
  } else {  // the sums hold for what is tied: one pass more
    over_rows(matrix, x, store);
    space.tie(vectors.q);
    cg_passes::turn_with_stored(preconditioner, vectors, turn);
  }
}

}  // namespace solenoid
