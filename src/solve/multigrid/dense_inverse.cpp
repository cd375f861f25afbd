#include "solve/multigrid/dense_inverse.hpp"

#include <Eigen/Cholesky>

#include "mesh/disjoint_sets.hpp"

namespace solenoid {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Matrix dense(const HostLevel& level) {
  const SingleRows& rows = level.rows;
  Matrix a = Matrix::Identity(rows.rows(), rows.rows());
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) a(i, rows.column[k]) = rows.value[k];
  }
  return (a + a.transpose()) / 2;
}

/// The null vector on each connected part of the matrix.
std::vector<Vector> null_vectors(const HostLevel& level) {
  const int n = level.rows.rows();
  DisjointSets sets(n);
  for (int i = 0; i < n; ++i) {
    for (int k = level.rows.offset[i]; k < level.rows.offset[i + 1]; ++k) {
      if (level.rows.value[k] != 0) sets.join(i, level.rows.column[k]);
    }
  }
  std::vector<Vector> vectors;
  std::vector<int> part(n, -1);
  for (int i = 0; i < n; ++i) {
    int& of_set = part[sets.lowest(i)];
    if (of_set < 0) {
      of_set = static_cast<int>(vectors.size());
      vectors.push_back(Vector::Zero(n));
    }
    vectors[of_set](i) = level.null[i];
  }
  return vectors;
}

}  // namespace

SingleRows dense_inverse(const HostLevel& level) {
  constexpr double round_off = 1e-6;  // of sums in single precision
  Matrix a = dense(level);
  for (const Vector& v : null_vectors(level)) {
    const double square = v.squaredNorm();
    if (v.dot(a * v) < round_off * square) a += v * v.transpose() / square;
  }
  const int n = level.rows.rows();
  Eigen::LLT<Matrix> factors(a);
  for (double shift = round_off; factors.info() != Eigen::Success && shift < 1; shift *= 10) {
    a.diagonal().array() += shift;
    factors.compute(a);
  }
  Matrix inverse = Matrix::Identity(n, n);
  factors.solveInPlace(inverse);
  SingleRows rows;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      rows.column.push_back(j);
      rows.value.push_back(static_cast<float>(i < j ? inverse(i, j) : inverse(j, i)));  // the same on both sides
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

}  // namespace solenoid
