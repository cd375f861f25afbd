/// An assembled sparse matrix on the device, rows shared out over the ranks: sliced ELLPACK, its rows sorted.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

/// The rows as kernels see them. Slices of pack_width rows lie one after the other; within a slice the first entry of
/// each row, then the second of each, and so on, short rows filled up with zeros: neighbouring threads of a GPU and
/// neighbouring lanes of a CPU read neighbouring memory (Monakov, Lokhmotov & Avetisyan 2010, sliced ELLPACK). Where
/// rows differ in length, those of a few slices are sorted by it, so that little has to be filled up (Kreutzer, Hager,
/// Wellein, Fehske & Bishop 2014, SELL-C-sigma): a row then has a place of its own.
template <class L>
struct SparseRows {
  const int* slice;  ///< where each slice begins, in multiples of pack_width entries; one more at the end
  const int* column;
  const real* value;
  real diagonal;        ///< added on the diagonal: 1 where a matrix of unit diagonal stores the rest alone
  const int* row_at;    ///< the row at each place; none: places are rows
  const int* place_of;  ///< the place of each row

  SOLENOID_HD Index<L> row(int place) const { return {row_at ? row_at[place] : place}; }

  /// Sum over row i of value * x[column].
  SOLENOID_HD real times(View<L, const real> x, Index<L> i) const {
    return at_place(x, i, place_of ? place_of[i.value] : i.value);
  }

  /// The same for row i where its place is known.
  SOLENOID_HD real at_place(View<L, const real> x, Index<L> i, int place) const {
    const int lane = place % pack_width, end = slice[place / pack_width + 1];
    real sum = diagonal * x[i];
    for (int k = slice[place / pack_width]; k < end; ++k) {
      const int entry = k * pack_width + lane;
      sum += value[entry] * x[Index<L>{column[entry]}];
    }
    return sum;
  }

  /// The same for a slice of rows together, the first `count` of which there are.
  void times(View<L, const real> x, int of_slice, int count, real (&sum)[pack_width]) const {
    const int first = of_slice * pack_width;
    if (row_at) {
      for (int l = 0; l < pack_width; ++l) sum[l] = l < count ? diagonal * x.data[row_at[first + l]] : 0;
    } else if (count == pack_width) {
      for (int l = 0; l < pack_width; ++l) sum[l] = diagonal * x.data[first + l];
    } else {
      for (int l = 0; l < pack_width; ++l) sum[l] = l < count ? diagonal * x.data[first + l] : 0;
    }
    for (int k = slice[of_slice]; k < slice[of_slice + 1]; ++k) {
      const int* const columns = column + k * pack_width;
      const real* const values = value + k * pack_width;
      for (int l = 0; l < pack_width; ++l) sum[l] += values[l] * x.data[columns[l]];
    }
  }
};

/// Square matrix between values at L: a row per owned entity, columns among all local ones.
template <class L>
class SparseMatrix {
 public:
  /// The diagonal of every row stored as given, or 1 on top of what is given.
  enum class Diagonal { stored, unit };
  explicit SparseMatrix(const MatrixRows& rows, Diagonal diagonal = Diagonal::stored);

  SparseRows<L> rows() const {
    return {slice_.data(),  column_.data(),  value_.data(), real(diagonal_ == Diagonal::unit),
            row_at_.data(), place_of_.data()};
  }
  int row_count() const { return row_count_; }

  /// Slices by what they gather from: owned entities alone, or halo copies too.
  const DeviceArray<int>& inner_slices() const { return inner_; }
  const DeviceArray<int>& outer_slices() const { return outer_; }

  /// The row at each place, pack_width places a slice; empty where places are rows.
  const DeviceArray<int>& rows_at_places() const { return row_at_; }

  std::size_t entries() const { return value_.size(); }  ///< stored, with the zeros that fill up short rows
  /// What a product reads of the matrix.
  std::size_t bytes() const {
    return value_.size() * sizeof(real) + (column_.size() + slice_.size() + row_at_.size()) * sizeof(int);
  }

  /// A row's product, for formulas.
  struct Product {
    SparseRows<L> rows;
    View<L, const real> x;
    SOLENOID_HD real operator()(Index<L> i) const { return rows.times(x, i); }
  };

 private:
  Diagonal diagonal_;
  int row_count_;
  DeviceArray<int> slice_, column_, inner_, outer_, row_at_, place_of_;
  DeviceArray<real> value_;
};

/// A x as a formula: y = matrix * halo(x).
template <class L>
auto operator*(const SparseMatrix<L>& matrix, const Exchanged<L>& x) {
  return expression::make<L>(typename SparseMatrix<L>::Product{matrix.rows(), x.view()});
}

}  // namespace solenoid
