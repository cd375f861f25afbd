/// Gauss-Seidel sweeps, colour by colour. For files that launch kernels.
#pragma once

#include "solve/gauss_seidel/coloured_rows.hpp"
#include "solve/multigrid/host_level.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

/// ColouredRows on the device.
struct ColouredMatrix {
  Layout layout;
  std::vector<int> first;
  std::vector<SparseMatrix<Unknown>> lower, upper;

  /// Collective.
  ColouredMatrix(const Comm& comm, const ColouredRows& rows) : layout(comm, rows.numbering), first(rows.first) {
    for (const MatrixRows& part : rows.lower) lower.emplace_back(part, layout);
    for (const MatrixRows& part : rows.upper) upper.emplace_back(part, layout);
  }

  int colours() const { return static_cast<int>(lower.size()); }
  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const auto* parts : {&lower, &upper}) {
      for (const SparseMatrix<Unknown>& part : *parts) bytes += part.bytes();
    }
    return bytes;
  }
};

namespace gauss_seidel {  // public types: nvcc accepts no private ones as kernel arguments

/// use(unknown, product) for the rows of a colour.
template <class Use>
struct OfColour {
  int first;
  Use use;
  SOLENOID_HD auto operator()(Index<Unknown> row, real product) const {
    return use(Index<Unknown>{first + row.value}, product);
  }
};

/// y = b - product.
struct Substitute {
  View<Unknown, const real> b;
  View<Unknown> y;
  SOLENOID_HD void operator()(Index<Unknown> i, real product) const { y[i] = b[i] - product; }
};

/// A pass over the rows of one colour. Collective.
template <class Use, class Pass, class Last>
void over_colour(const SparseMatrix<Unknown>& rows, int first, bool is_alone, Field<Unknown>& x, const Use& use,
                 const Pass& pass, const Last& last) {
  using Rows = RowPass<Unknown, Unknown, real, real, OfColour<Use>>;
  const OfColour<Use> of_colour{first, use};
  if (!is_alone) return over_rows(rows, x, of_colour, pass, last);
  count_traffic(static_cast<std::int64_t>(rows.bytes()));
  last(rows.row_count(), Rows{rows.rows(), std::as_const(x).view(), rows.row_count(), nullptr, of_colour});
}

}  // namespace gauss_seidel

/// Calls use(i, (L x)_i) for every owned unknown, colour by colour; it may set x for later colours. `pass` and `last`
/// run kernels as for over_rows. Collective.
template <class Use, class Pass, class Last>
void sweep_forward(const ColouredMatrix& matrix, Field<Unknown>& x, const Use& use, const Pass& pass,
                   const Last& last) {
  const int end = matrix.colours() - 1;
  for (int c = 0; c <= end; ++c) {
    const auto finish = [&](int items, const auto& kernel) { c < end ? pass(items, kernel) : last(items, kernel); };
    gauss_seidel::over_colour(matrix.lower[c], matrix.first[c], c == 0, x, use, pass, finish);
  }
}

/// y = (1 + L)^-1 b, where b may be y. Collective.
void solve_lower(const ColouredMatrix& matrix, const Field<Unknown>& b, Field<Unknown>& y);

/// y = (1 + L^T)^-1 b, where b may be y. Collective.
void solve_upper(const ColouredMatrix& matrix, const Field<Unknown>& b, Field<Unknown>& y);

}  // namespace solenoid
