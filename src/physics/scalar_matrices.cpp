#include "physics/scalar_matrices.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

ScalarMatrices::ScalarMatrices(const NodePairs& pairs, const HeatData& data, Form form)
    : pairs_(pairs),
      mass_(pairs.layout()),
      conductance_(pairs.layout()),
      lumped_(pairs.mesh(), data.capacity()),
      exchange_(pairs.mesh()) {
  if (form == Form::consistent) mass_.from_host(pairs.mass(data.heat_capacity()));
  std::vector<real> conductance = pairs.conductance(data.conductivity());
  if (form == Form::monotone) {
    for (real& k : conductance) k = std::max(k, real{0});
  }
  conductance_.from_host(conductance);
  mass_of_ = halo(mass_);
  conductance_of_ = halo(conductance_);
  take_exchange(data);
}

void ScalarMatrices::take_exchange(const HeatData& data) { exchange_.from_host(data.exchange()); }

ScalarRows ScalarMatrices::rows(real mass, real stiffness) const {
  return {mass,           stiffness,        pairs_.around().view(),
          pairs_.other(), mass_of_->view(), conductance_of_->view(),
          lumped_.view(), exchange_.view()};
}

void ScalarMatrices::apply(real mass, real stiffness, Field<Node>& x, Field<Node>& y) const {
  const ScalarRows matrix = rows(mass, stiffness);
  const auto from = halo(x).view();
  const auto to = y.view();
  count_traffic(pairs_.bytes_around());
  count_gathered(x, mass_, conductance_);
  count_owned(lumped_, exchange_, y);
  forall(
      y.owned(), SOLENOID_KERNEL(int i) { to[Index<Node>{i}] = matrix(from, Index<Node>{i}); });
}

void ScalarMatrices::find_diagonal(real mass, real stiffness, Field<Node>& diagonal) const {
  const ScalarRows matrix = rows(mass, stiffness);
  const auto result = diagonal.view();
  forall(
      diagonal.owned(), SOLENOID_KERNEL(int i) {
        const Index<Node> a{i};
        real sum = mass * matrix.lumped[a] + stiffness * matrix.exchange[a];
        for (const auto [pair, sign, slot] : matrix.pairs[a]) {
          sum -= mass * matrix.mass_of[pair] - stiffness * matrix.conductance_of[pair];
        }
        result[a] = sum;
      });
}

}  // namespace solenoid
