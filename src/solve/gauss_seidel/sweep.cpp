#include "solve/gauss_seidel/sweep.hpp"

namespace solenoid {

void solve_lower(const ColouredMatrix& matrix, const Field<Unknown>& b, Field<Unknown>& y) {
  const auto run = [](int items, const auto& kernel) { forall(items, kernel); };
  sweep_forward(matrix, y, gauss_seidel::Substitute{b.view(), y.view()}, run, run);
}

void solve_upper(const ColouredMatrix& matrix, const Field<Unknown>& b, Field<Unknown>& y) {
  const auto run = [](int items, const auto& kernel) { forall(items, kernel); };
  const gauss_seidel::Substitute substitute{b.view(), y.view()};
  const int end = matrix.colours() - 1;
  for (int c = end; c >= 0; --c) {
    gauss_seidel::over_colour(matrix.upper[c], matrix.first[c], c == end, y, substitute, run, run);
  }
}

}  // namespace solenoid
