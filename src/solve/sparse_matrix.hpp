/// An assembled sparse matrix on the device, rows distributed over the ranks: SELL-C-sigma (sliced ELLPACK, sorted
/// rows).
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"
#include "parallel/pack.hpp"

namespace solenoid {

/// The rows for kernels. Slices of pack_width rows are stored one after the other; each slice stores the first entry of
/// each row, then the second of each, and so on, short rows padded with zeros: neighbouring threads of a GPU and
/// neighbouring lanes of a CPU read neighbouring memory (Monakov, Lokhmotov & Avetisyan 2010, sliced ELLPACK). If rows
/// differ in length, those of a few slices are sorted by length to reduce the padding (Kreutzer, Hager, Wellein, Fehske
/// & Bishop 2014, SELL-C-sigma): place and number of a row then differ.
template <class To, class From, class T = real>
struct SparseRows {
  const int* slice;  ///< start of each slice, in multiples of pack_width entries; plus the end
  const int* column;
  const T* value;
  bool square;          ///< rows and columns have the same numbering
  T diagonal;           ///< added to the diagonal of a square matrix: 1 if a unit diagonal is not stored
  const int* row_at;    ///< the row at each place; nullptr: places are rows
  const int* place_of;  ///< the place of each row

  SOLENOID_HD Index<To> row(int place) const { return {row_at ? row_at[place] : place}; }

  // V: T, or several T for as many products at once.

  /// Sum over row i of value * x[column].
  template <class V>
  SOLENOID_HD V times(View<From, const V> x, Index<To> i) const {
    return at_place(x, i, place_of ? place_of[i.value] : i.value);
  }

  /// The same for row i at a known place.
  template <class V>
  SOLENOID_HD V at_place(View<From, const V> x, Index<To> i, int place) const {
    return share(x, i, place, 0, 1);
  }

  /// Of it, the part of entries share, share + shares, ... and, in the first share, of an implicit diagonal.
  template <class V>
  SOLENOID_HD V share(View<From, const V> x, Index<To> i, int place, int share, int shares) const {
    const int lane = place % pack_width, end = slice[place / pack_width + 1];
    V sum = square && share == 0 ? diagonal * x.data[i.value] : V{};
    for (int k = slice[place / pack_width] + share; k < end; k += shares) {
      const int entry = k * pack_width + lane;
      sum += value[entry] * x[Index<From>{column[entry]}];
    }
    return sum;
  }

  /// The same for a whole slice, of which the first `count` rows exist.
  template <class V>
  void times(View<From, const V> x, int of_slice, int count, V (&sum)[pack_width]) const {
    const int first = of_slice * pack_width;
    if (square && !row_at && count == pack_width) {
      for (int l = 0; l < pack_width; ++l) sum[l] = diagonal * x.data[first + l];
    } else {
      for (int l = 0; l < pack_width; ++l) {
        const bool has_own = square && l < count;
        sum[l] = has_own ? diagonal * x.data[row_at ? row_at[first + l] : first + l] : V{};
      }
    }
    for (int k = slice[of_slice]; k < slice[of_slice + 1]; ++k) {
      const int* const columns = column + k * pack_width;
      const T* const values = value + k * pack_width;
      if constexpr (sizeof(V) == sizeof(float)) {  // here one gather of eight takes 3/4 of the time of eight loads
#pragma omp simd
        for (int l = 0; l < pack_width; ++l) sum[l] += values[l] * x.data[columns[l]];
      } else {
        for (int l = 0; l < pack_width; ++l) sum[l] += values[l] * x.data[columns[l]];
      }
    }
  }
};

/// Sparsity pattern of SparseRows.
struct SlicedPattern {
  int row_count = 0;
  DeviceArray<int> slice, column, row_at, place_of;
  DeviceArray<int> inner, outer;  ///< slices that gather from owned entities only, or also from halo copies
};

/// Owner of the arrays of SparseRows. Matrices may share a pattern.
template <class T>
struct SlicedRows {
  std::shared_ptr<SlicedPattern> pattern;
  DeviceArray<T> value;

  /// `owned_columns`: columns from this number on are halo copies. Throws if a rank cannot hold that many entries.
  SlicedRows(const RowsOf<T>& rows, int owned_columns, bool square);
  /// factor times other rows, with their pattern.
  template <class Other>
  SlicedRows(const SlicedRows<Other>& other, real factor);

  template <class X, class Y>
  void set_sum(real a, const SlicedRows<X>& x, real b, const SlicedRows<Y>& y);
};

/// Matrix from values at From to values at To: a row per owned entity of one layout, columns among all local entities
/// of the other. With the same layout it is square and may have an implicit unit diagonal; between two layouts it may
/// be an interpolation, a restriction or an incidence with weights. T = float stores it and works in single precision.
template <class To, class From = To, class T = real>
class SparseMatrix {
 public:
  /// The diagonal: stored like other entries, or 1 added to the stored entries.
  enum class Diagonal { stored, unit };
  /// Square, on the layout of these rows.
  explicit SparseMatrix(const RowsOf<T>& rows, Diagonal diagonal = Diagonal::stored) requires std::is_same_v<To, From>
      : stored_(rows, rows.rows(), true), square_(true), diagonal_(diagonal == Diagonal::unit) {}
  /// Rectangular, with columns in the numbers of `columns`.
  SparseMatrix(const RowsOf<T>& rows, const Layout& columns) : SparseMatrix(rows, columns.owned()) {}
  /// Rectangular, with columns of another numbering than a layout's; those from `owned_columns` on are halo copies.
  SparseMatrix(const RowsOf<T>& rows, int owned_columns) : stored_(rows, owned_columns, false) {}
  /// factor times another matrix; allocates memory for its values only.
  template <class Other>
  SparseMatrix(const SparseMatrix<To, From, Other>& other, real factor)
      : stored_(other.stored_, factor), square_(other.square_), diagonal_(static_cast<T>(factor * other.diagonal_)) {}
  /// Other rows with the pattern of `like`, all stored; allocates memory for its values only.
  SparseMatrix(const RowsOf<T>& rows, const SparseMatrix& like) requires std::is_same_v<To, From> : SparseMatrix(rows) {
    require(stored_.value.size() == like.stored_.value.size(), [] { return "matrices of one pattern differ in it"; });
    stored_.pattern = like.stored_.pattern;
  }

  /// Sets this to a x + b y, matrices with its pattern.
  template <class X, class Y>
  void set_sum(real a, const SparseMatrix<To, From, X>& x, real b, const SparseMatrix<To, From, Y>& y) {
    stored_.set_sum(a, x.stored_, b, y.stored_);
  }

  SparseRows<To, From, T> rows() const {
    const SlicedPattern& at = pattern();
    return {at.slice.data(), at.column.data(), stored_.value.data(), square_,
            diagonal_,       at.row_at.data(), at.place_of.data()};
  }
  int row_count() const { return pattern().row_count; }

  /// Number of threads that share a row in over_rows(), a power of two.
  int shares() const { return shares_; }
  /// On a GPU threads share rows that are long, and too few to keep it busy. By the counts of all ranks: the order of a
  /// row's sum is the same for any partition. `rows`: those of this matrix. Collective.
  void share_rows(const Comm& comm, const RowsOf<T>& rows) {
    if constexpr (most_shares == 1) return;
    constexpr std::int64_t busy = 1 << 18, least = 4;  // threads of all rows; entries of a share
    const std::int64_t count = comm.sum(static_cast<std::int64_t>(rows.rows())),
                       entries = comm.sum(static_cast<std::int64_t>(rows.column.size()));
    for (shares_ = 1; 2 * shares_ <= most_shares; shares_ *= 2) {
      if (2 * shares_ * count > busy || 2 * shares_ * least * count > entries) break;
    }
  }

  /// Slices that gather from owned entities only, or also from halo copies.
  const DeviceArray<int>& inner_slices() const { return pattern().inner; }
  const DeviceArray<int>& outer_slices() const { return pattern().outer; }

  /// The row at each place, pack_width places per slice; empty if places are rows.
  const DeviceArray<int>& rows_at_places() const { return pattern().row_at; }

  std::size_t entries() const { return stored_.value.size(); }  ///< stored, padding included
  /// Memory traffic of the matrix in a product.
  std::size_t bytes() const {
    return stored_.value.size() * sizeof(T) +
           (pattern().column.size() + pattern().slice.size() + pattern().row_at.size()) * sizeof(int);
  }

  /// A row's product, for formulas.
  struct Product {
    SparseRows<To, From, T> rows;
    View<From, const T> x;
    std::int64_t bytes_of_matrix, bytes_of_x;
    SOLENOID_HD T operator()(Index<To> i) const { return rows.times(x, i); }
    void tell(ArraysRead& arrays, int) const {
      arrays.add(rows.value, bytes_of_matrix);
      arrays.add(x.data, bytes_of_x);
    }
    Pack<T> pack(Index<To> first) const {
      Pack<T> sum;
      if (rows.row_at) {
        for (int l = 0; l < pack_width; ++l) sum.value[l] = rows.times(x, Index<To>{first.value + l});
      } else {
        rows.times(x, first.value / pack_width, pack_width, sum.value);
      }
      return sum;
    }
  };

 private:
  template <class, class, class>
  friend class SparseMatrix;
  const SlicedPattern& pattern() const { return *stored_.pattern; }

  SlicedRows<T> stored_;
  bool square_ = false;
  T diagonal_ = 0;
  int shares_ = 1;
};

/// A x as a formula: y = matrix * halo(x).
template <class To, class From, class T>
auto operator*(const SparseMatrix<To, From, T>& matrix, const Exchanged<From, T>& x) {
  return expression::make<To>(
      typename SparseMatrix<To, From, T>::Product{matrix.rows(), x.view(), static_cast<std::int64_t>(matrix.bytes()),
                                                  static_cast<std::int64_t>(sizeof(T)) * x.layout().total()});
}

}  // namespace solenoid
