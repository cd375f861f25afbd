#include "physics/flow/solenoidal/rank_forest.hpp"

#include "mesh/host_exchange.hpp"

namespace solenoid {

/// Flux out of the root of each tree of all ranks: from its own cells and from trees that hang into it.
std::vector<real> RankForest::sums_of_trees(const Comm& comm, const std::vector<real>& left) const {
  std::vector<real> own(roots.size(), 0);
  for (std::size_t c = 0; c < left.size(); ++c) own[tree_of[c] - first] += left[c];
  std::vector<real> sums = comm.size() == 1 ? own : from_all_ranks(comm, own);
  for (auto tree = from_roots.rbegin(); tree != from_roots.rend(); ++tree) {
    if (before[*tree] != none) sums[before[*tree]] += sums[*tree];
  }
  return sums;
}

void RankForest::balance(const Comm& comm, std::vector<real> left, std::vector<real>& flux) const {
  const std::vector<real> sums = sums_of_trees(comm, left);
  const auto hand_on = [&](const Step& step, real amount) {
    if (step.is_owned) flux[step.face] -= step.sign * amount;
    if (step.before != none) left[step.before] += amount;
  };
  for (const Arrival& arrival : arrivals) hand_on(arrival.step, sums[arrival.from]);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) hand_on(*step, left[step->cell]);
  for (const Step& root : roots) {
    if (root.face != none) hand_on(root, left[root.cell]);
  }
}

}  // namespace solenoid
