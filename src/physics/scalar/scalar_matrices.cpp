#include "physics/scalar/scalar_matrices.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Per local cell, the heat capacity with consistent mass.
std::vector<real> in_pairs(const LocalMesh& mesh, const DiffusionData& data, const std::vector<char>& lumped_regions) {
  std::vector<real> capacity = data.heat_capacity();
  if (lumped_regions.empty()) return capacity;
  for (std::size_t c = 0; c < capacity.size(); ++c) {
    const int region = mesh.part().cell_region[c];
    if (region >= 0 && lumped_regions[static_cast<std::size_t>(region)] != 0) capacity[c] = 0;
  }
  return capacity;
}

}  // namespace

ScalarMatrices::ScalarMatrices(const NodePairs& pairs, const DiffusionData& data, Form form,
                               const std::vector<char>& lumped_regions)
    : pairs_(pairs),
      mass_(pairs.layout()),
      conductance_(pairs.layout()),
      lumped_(pairs.mesh(), data.capacity()),
      exchange_(pairs.mesh()) {
  if (form == Form::consistent) mass_.from_host(pairs.mass(in_pairs(pairs.mesh(), data, lumped_regions)));
  std::vector<real> conductance = pairs.conductance(data.conductivity());
  if (form == Form::monotone) {
    for (real& k : conductance) k = std::max(k, real{0});
  }
  conductance_.from_host(conductance);
  mass_of_ = halo(mass_);
  conductance_of_ = halo(conductance_);
  set_exchange(data);
}

void ScalarMatrices::set_exchange(const DiffusionData& data) { exchange_.from_host(data.exchange()); }

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

void ScalarMatrices::compute_diagonal(real mass, real stiffness, Field<Node>& diagonal) const {
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
