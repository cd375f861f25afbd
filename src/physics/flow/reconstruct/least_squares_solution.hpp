/// The least-squares problem at a node, solved once for any data: a QR factorization that keeps its memory.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace solenoid {

/// Minimizes |matrix c - weight * data| over coefficients c, of which some are kept at zero; the results are linear in
/// c. One problem at a time; the memory is that of the largest so far.
template <int unknowns, int results>
class LeastSquaresSolver {
  static constexpr int lanes = 8;  // columns that a processor takes at once
  static constexpr int padded(int columns) { return (columns + lanes - 1) / lanes * lanes; }

 public:
  /// Rows with zeros behind, for whole lanes.
  struct alignas(64) Row {
    std::array<double, padded(unknowns)> of{};
  };
  struct alignas(64) Shares {
    std::array<double, padded(results)> of{};
  };
  using OfCoefficients = std::array<std::array<double, unknowns>, results>;

  void clear() { matrix_.clear(), weight_.clear(); }
  /// Adds an equation without its weight.
  void add(const Row& row, double weight) {
    matrix_.emplace_back();
    for (int j = 0; j < unknowns; ++j) matrix_.back().of[j] = weight * row.of[j];
    weight_.push_back(weight);
  }
  int rows() const { return static_cast<int>(matrix_.size()); }

  /// Solves for the first `columns` coefficients by Householder's QR with pivots (Golub 1965), columns scaled to one.
  /// Coefficients of pivots below `worst` of the largest one stay zero. Returns whether there are none.
  bool solve(const OfCoefficients& of_results, int columns, double worst) {
    columns_ = columns;
    scale_columns();
    for (int k = 0; k < steps(); ++k) eliminate(k);
    int rank = 0;
    for (int k = 0; k < steps(); ++k) rank += std::abs(pivot(k)) > worst * std::abs(pivot(0));
    find_shares(of_results, rank);
    return rank == columns;
  }
  /// Per equation: the weights of its datum in the results.
  const std::vector<Shares>& shares() const { return shares_; }

 private:
  int steps() const { return std::min(columns_, rows()); }
  double pivot(int k) const { return factors_[k].of[k]; }

  void scale_columns() {
    squares_ = {};
    for (const Row& row : matrix_) {
      for (int j = 0; j < padded(unknowns); ++j) squares_[j] += row.of[j] * row.of[j];
    }
    for (int j = 0; j < padded(unknowns); ++j) {
      scale_[j] = j < columns_ ? 1 / std::max(std::sqrt(squares_[j]), 1e-300) : 0;
      squares_[j] *= scale_[j] * scale_[j];
    }
    factors_.resize(matrix_.size());
    for (std::size_t i = 0; i < matrix_.size(); ++i) {
      for (int j = 0; j < padded(unknowns); ++j) factors_[i].of[j] = scale_[j] * matrix_[i].of[j];
    }
    for (int j = 0; j < unknowns; ++j) order_[j] = j;
  }

  /// Step k: the longest column that is left, its reflection, of which v is left below the diagonal, and the lengths of
  /// the others below row k.
  void eliminate(int k) {
    const int longest =
        static_cast<int>(std::max_element(squares_.begin() + k, squares_.begin() + columns_) - squares_.begin());
    if (longest != k) {
      for (Row& row : factors_) std::swap(row.of[k], row.of[longest]);
      std::swap(squares_[k], squares_[longest]);
      std::swap(order_[k], order_[longest]);
    }
    const double first = factors_[k].of[k], length = std::sqrt(squares_[k]), reflected = first < 0 ? length : -length;
    if (!(length > 0)) {
      tau_[k] = 0;
      return;
    }
    tau_[k] = (reflected - first) / reflected;
    const double by = 1 / (first - reflected);
    for (int i = k + 1; i < rows(); ++i) factors_[i].of[k] *= by;
    for (int at = k / lanes * lanes; at < columns_; at += lanes) {
      const std::array<double, lanes> along = reflect(factors_, k, k, at);
      for (int j = 0; j < lanes; ++j) {
        if (at + j > k) squares_[at + j] = along[j];
      }
    }
    factors_[k].of[k] = reflected;
  }

  /// Applies reflection k to the columns [at, at + lanes) of `rows_of`, but not to those up to `done`. Returns the
  /// squares of their lengths below row k.
  template <class Rows>
  std::array<double, lanes> reflect(Rows& rows_of, int k, int done, int at) {
    std::array<double, lanes> even{}, odd{}, lengths{};
    double* const top = rows_of[k].of.data() + at;
    const int count = rows();
    int i = k + 1;
    for (; i + 1 < count; i += 2) {
      const double v = factors_[i].of[k], w = factors_[i + 1].of[k];
      const double *const row = rows_of[i].of.data() + at, *const next = rows_of[i + 1].of.data() + at;
#pragma omp simd
      for (int j = 0; j < lanes; ++j) even[j] += v * row[j], odd[j] += w * next[j];
    }
    if (i < count) {
      const double v = factors_[i].of[k];
      for (int j = 0; j < lanes; ++j) even[j] += v * rows_of[i].of[at + j];
    }
    for (int j = 0; j < lanes; ++j) {
      even[j] = at + j > done ? tau_[k] * (top[j] + (even[j] + odd[j])) : 0;
      top[j] -= even[j];
    }
    const auto take_from = [&](int of_row, std::array<double, lanes>& squares) {
      const double v = factors_[of_row].of[k];
      double* const row = rows_of[of_row].of.data() + at;
#pragma omp simd
      for (int j = 0; j < lanes; ++j) row[j] -= v * even[j], squares[j] += row[j] * row[j];
    };
    odd = {};
    for (i = k + 1; i + 1 < count; i += 2) take_from(i, lengths), take_from(i + 1, odd);
    if (i < count) take_from(i, lengths);
    for (int j = 0; j < lanes; ++j) lengths[j] += odd[j];
    return lengths;
  }

  /// Q R^-T of the results' coefficients.
  void find_shares(const OfCoefficients& of_results, int rank) {
    shares_.assign(matrix_.size(), {});
    for (int k = 0; k < rank; ++k) {
      auto& share = shares_[k].of;
      for (int r = 0; r < results; ++r) share[r] = of_results[r][order_[k]] * scale_[order_[k]];
      for (int i = 0; i < k; ++i) {
#pragma omp simd
        for (int r = 0; r < padded(results); ++r) share[r] -= factors_[i].of[k] * shares_[i].of[r];
      }
      for (double& value : share) value /= pivot(k);
    }
    for (int k = rank - 1; k >= 0; --k) {
      for (int at = 0; at < results; at += lanes) reflect(shares_, k, -1, at);
    }
    for (int i = 0; i < rows(); ++i) {
      for (double& value : shares_[i].of) value *= weight_[i];
    }
  }

  int columns_ = unknowns;
  std::vector<Row> matrix_, factors_;
  std::vector<double> weight_;
  std::vector<Shares> shares_;
  std::array<double, padded(unknowns)> scale_{}, squares_{};
  std::array<double, unknowns> tau_{};
  std::array<int, unknowns> order_{};
};

}  // namespace solenoid
