/// Symmetric multicolour Gauss-Seidel for the unknowns of a space. For files that launch kernels.
#pragma once

#include "solve/gauss_seidel/swept_cg.hpp"

namespace solenoid {

/// The unknowns sorted by colour, with the vectors of CG on them.
template <class L>
struct GaussSeidel {
  ColouredMatrix matrix;
  DeviceArray<int> from;         ///< per unknown: its entity
  Field<Unknown> scale, weight;  ///< of the unknowns' entities
  Field<Unknown> swept;
  CgVectors<Unknown> vectors;

  /// `scales`: the caller's, per owned entity. `weights`: see TiedRows. Collective.
  GaussSeidel(const Comm& comm, const ColouredRows& rows, const std::vector<real>& scales,
              const std::vector<real>& weights)
      : matrix(comm, rows),
        from(rows.from),
        scale(matrix.layout, sorted(scales, rows.from)),
        weight(matrix.layout, sorted(weights, rows.from)),
        swept(matrix.layout),
        vectors(matrix.layout) {}

  /// x = (1 + L)^-1 residual, for a residual restricted to unknowns. Collective.
  void take(const Field<L>& residual, Field<Unknown>& x) {
    const auto given = residual.view();
    const auto w = std::as_const(weight).view();
    const auto result = x.view();
    const int* const entity = from.data();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<Unknown> k{i};
          result[k] = w[k] * given[Index<L>{entity[i]}];
        });
    solve_lower(matrix, x, x);
  }

  /// z = (1 + L^T)^-1 x, to be tied afterwards; x is overwritten. Collective.
  void give(Field<Unknown>& x, Field<L>& z) {
    solve_upper(matrix, x, x);
    const auto solution = std::as_const(x).view(), w = std::as_const(weight).view();
    const auto result = z.view();
    const int* const entity = from.data();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<Unknown> k{i};
          result[Index<L>{entity[i]}] = w[k] * solution[k];
        });
  }

 private:
  static std::vector<real> sorted(const std::vector<real>& values, const std::vector<int>& from) {
    std::vector<real> result;
    for (const int i : from) result.push_back(values[i]);
    return result;
  }
};

}  // namespace solenoid
