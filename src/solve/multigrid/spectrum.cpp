#include "solve/multigrid/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "base/partial_sum.hpp"

#include "solve/multigrid/scatter.hpp"

namespace solenoid {

namespace {

/// max_i (1 + sum_j |a_ij| v_j / v_i).
double scaled_row_sum(const Comm& comm, const HostLevel& level) {
  const SingleRows& rows = level.rows;
  double largest = 1;
  for (int i = 0; i < rows.rows(); ++i) {
    double sum = 0;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      sum += std::abs(rows.value[k]) * static_cast<double>(level.null[rows.column[k]]);
    }
    if (sum > 0) largest = std::max(largest, 1 + sum / static_cast<double>(level.null[i]));
  }
  return comm.max(largest);
}

/// A symmetric tridiagonal matrix from Lanczos.
struct Tridiagonal {
  std::vector<double> diagonal, beside;

  /// Eigenvalues below x: negative pivots of its factors (Givens 1954).
  int eigenvalues_below(double x) const {
    int count = 0;
    double pivot = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double coupling = k == 0 ? 0 : beside[k - 1];
      if (pivot == 0) pivot = 1e-30;
      pivot = diagonal[k] - x - coupling * coupling / pivot;
      count += pivot < 0;
    }
    return count;
  }
  double largest_eigenvalue(double highest) const {
    double below = 0, above = highest;
    const int count = static_cast<int>(diagonal.size());
    for (int k = 0; k < 30; ++k) {
      const double middle = (below + above) / 2;
      (eigenvalues_below(middle) < count ? below : above) = middle;
    }
    return above;
  }
};

double dot(const Comm& comm, const std::vector<double>& a, const std::vector<double>& b, int owned) {
  PartialSum sum;
  for (int i = 0; i < owned; ++i) sum += a[i] * b[i];
  return total(comm, sum);
}

Tridiagonal lanczos(const HostExchange& exchange, const HostLevel& level, int steps) {
  const SingleRows& rows = level.rows;
  const int owned = rows.rows();
  const Comm& comm = exchange.comm();
  std::vector<double> last(level.numbering.total(), 0), now(last), next(last);
  for (int i = 0; i < owned; ++i) {
    const double value = scattered_value(level.numbering.global_id[i]);
    if (rows.offset[i] < rows.offset[i + 1]) now[i] = value;
  }
  Tridiagonal result;
  double size = std::sqrt(dot(comm, now, now, owned));
  for (int step = 0; step < steps && size > 1e-6; ++step) {
    for (int i = 0; i < owned; ++i) now[i] /= size;
    exchange(now);
    for (int i = 0; i < owned; ++i) {
      double sum = now[i] - size * last[i];
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) sum += rows.value[k] * now[rows.column[k]];
      next[i] = sum;
    }
    const double along = dot(comm, now, next, owned);
    for (int i = 0; i < owned; ++i) next[i] -= along * now[i];
    if (step > 0) result.beside.push_back(size);
    result.diagonal.push_back(along);
    size = std::sqrt(dot(comm, next, next, owned));
    std::swap(last, now);
    std::swap(now, next);
  }
  return result;
}

}  // namespace

double largest_eigenvalue(const HostExchange& exchange, const HostLevel& level) {
  const double bound = scaled_row_sum(exchange.comm(), level);
  const Tridiagonal lanczos_matrix = lanczos(exchange, level, 8);
  if (lanczos_matrix.diagonal.empty()) return 1;  // no couplings
  constexpr double rounding = 1024;
  return std::ceil(std::min(1.05 * lanczos_matrix.largest_eigenvalue(bound), bound) * rounding) / rounding;
}

ChebyshevSteps chebyshev_steps(double lowest, double highest) {
  const double middle = (highest + lowest) / 2, reach = (highest - lowest) / 2 * std::sqrt(0.5);
  return {static_cast<float>(1 / (middle - reach)), static_cast<float>(1 / (middle + reach))};
}

}  // namespace solenoid
