/// Kernels over the rows of a sparse matrix that overlap with its halo exchange. For files that launch kernels.
#pragma once

#include <algorithm>
#include <utility>

#include "parallel/backend.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Kernel over rows: calls use(row, product of the row with x). Items are the places of rows, or those of the listed
/// slices. V: T, or several T.
template <class To, class From, class T, class V, class Use>
struct RowPass {
  SparseRows<To, From, T> rows;
  View<From, const V> x;
  int row_count;
  const int* slices;  // nullptr: all
  Use use;

  SOLENOID_HD int place_of(int item) const {
    return slices ? slices[item / pack_width] * pack_width + item % pack_width : item;
  }
  SOLENOID_HD auto operator()(int item) const {
    const int place = place_of(item);
    using Result = decltype(use(Index<To>{}, V{}));
    if (place >= row_count) return Result();
    if constexpr (requires { use.is_over(); }) {  // of a batch that began before the host read so
      if (use.is_over()) return Result();
    }
    const Index<To> i = rows.row(place);
    return use(i, rows.at_place(x, i, place));
  }
  // The same by several threads, for forall_shared().
  SOLENOID_HD V share(int item, int share, int shares) const {
    const int place = place_of(item);
    return place < row_count ? rows.share(x, rows.row(place), place, share, shares) : V{};
  }
  SOLENOID_HD void finish(int item, V product) const {
    const int place = place_of(item);
    if (place < row_count) use(rows.row(place), product);
  }
  template <class Value, class Combine>
  void pack(int first, int, Value* running, const Combine& combine) const {
    each_of_pack(first, [&](int l, Index<To> i, V product) { running[l] = combine(running[l], use(i, product)); });
  }
  void pack(int first, int) const {
    each_of_pack(first, [&](int, Index<To> i, V product) { use(i, product); });
  }

 private:
  /// visit(lane, row, product) for the rows of the slice that starts with `item`.
  template <class Visit>
  void each_of_pack(int item, const Visit& visit) const {
    const int place = slices ? slices[item / pack_width] * pack_width : item;
    const int count = std::min(pack_width, row_count - place);
    V product[pack_width];
    rows.times(x, place / pack_width, count, product);
    if (rows.row_at) {
      for (int l = 0; l < count; ++l) visit(l, Index<To>{rows.row_at[place + l]}, product[l]);
    } else if (count == pack_width) {
      for (int l = 0; l < pack_width; ++l) visit(l, Index<To>{place + l}, product[l]);
    } else {
      for (int l = 0; l < count; ++l) visit(l, Index<To>{place + l}, product[l]);
    }
  }
};

/// Calls use(row, (A x)_row) for every owned row during x's halo exchange: rows without halo columns come first. Counts
/// the traffic of the matrix and of x; the caller counts that of `use`. `pass(items, kernel)` runs a kernel over
/// `items` items, and `last` runs the final one, on every rank. Collective.
template <class To, class From, class T, class V, class Use, class Pass, class Last>
void over_rows(const SparseMatrix<To, From, T>& matrix, Field<From, V>& x, const Use& use, const Pass& pass,
               const Last& last) {
  const auto source = std::as_const(x).view();
  const int rows = matrix.row_count();
  count_traffic(static_cast<std::int64_t>(matrix.bytes()));
  count_gathered(x);
  if (x.layout().comm().size() == 1)
    return last(rows, RowPass<To, From, T, V, Use>{matrix.rows(), source, rows, nullptr, use});
  const DeviceArray<int>&inner = matrix.inner_slices(), &outer = matrix.outer_slices();
  Exchange<From, V> exchange;
  exchange.start(x);
  pass(static_cast<int>(inner.size()) * pack_width,
       RowPass<To, From, T, V, Use>{matrix.rows(), source, rows, inner.data(), use});
  exchange.finish();
  last(static_cast<int>(outer.size()) * pack_width,
       RowPass<To, From, T, V, Use>{matrix.rows(), source, rows, outer.data(), use});
}

/// The same for a use that returns nothing. Collective.
template <class To, class From, class T, class V, class Use>
void over_rows(const SparseMatrix<To, From, T>& matrix, Field<From, V>& x, const Use& use) {
  const auto run = [&](int items, const auto& pass) {
    if constexpr (most_shares > 1) {
      if (matrix.shares() > 1) return forall_shared<V>(items, matrix.shares(), pass);
    }
    forall(items, pass);
  };
  over_rows(matrix, x, use, run, run);
}

/// use(row, product): y = A x.
template <class L, class T>
struct StoreProductAlone {
  View<L, T> y;
  SOLENOID_HD void operator()(Index<L> i, T product) const { y[i] = product; }
};

/// y = A x, with x's halo exchange behind the rows that do not need it. Collective.
template <class To, class From, class T>
void multiply(const SparseMatrix<To, From, T>& matrix, Field<From, T>& x, Field<To, T>& y) {
  count_owned(y);
  over_rows(matrix, x, StoreProductAlone<To, T>{y.view()});
}

}  // namespace solenoid
