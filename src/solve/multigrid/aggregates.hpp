/// Aggregation: the unknowns of a level that become one unknown of the next.
#pragma once

#include <unordered_map>
#include <vector>

#include "mesh/host_exchange.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// The unknowns of a coarser level as they appear on a rank: first the owned ones, ascending in their global ids, then
/// others in the order of their appearance.
class CoarseNumbers {
 public:
  /// With the owned unknowns.
  CoarseNumbers(int rank, std::vector<std::int64_t> ids)
      : rank_(rank), owned_(static_cast<int>(ids.size())), id_(std::move(ids)), owner_(id_.size(), rank) {}

  int owned() const { return owned_; }
  int total() const { return static_cast<int>(id_.size()); }
  std::int64_t id(int number) const { return id_[number]; }
  int owner(int number) const { return owner_[number]; }
  /// The number of this unknown, which may be new.
  int number_of(std::int64_t id, int owner);

 private:
  int rank_, owned_;
  std::vector<std::int64_t> id_;
  std::vector<int> owner_;
  std::unordered_map<std::int64_t, int> number_of_other_;
};

/// Strong couplings by row: -a_ij, if it is at least a quarter of the smaller one of both rows' largest (Vanek, Mandel
/// & Brezina 1996; the smaller one, so that a row far weaker than its neighbours joins the best of them). Collective.
SingleRows strong_couplings(const HostExchange& exchange, const HostLevel& level);

/// A maximal set of unknowns more than `distance` strong couplings apart: per owned unknown 1 in the set, else 0 (Bell,
/// Dalton & Olson 2012, algorithm 5). The result depends on the global ids and `seed` alone. Rows without a strong
/// coupling stay out. Collective.
std::vector<char> independent_set(const HostExchange& exchange, const LocalNumbering& numbering,
                                  const SingleRows& strong, int distance, std::int64_t seed);

/// Per local unknown the number of its aggregate, -1 if it has none. Each aggregate surrounds one unknown of the
/// independent set and has its global id: ring by ring, an unknown joins the aggregate with the strongest coupling, in
/// a tie the one with the lowest id.
struct Aggregates {
  std::vector<int> of;
  CoarseNumbers numbers;
};

/// Collective.
Aggregates aggregate(const HostExchange& exchange, const HostLevel& level, const SingleRows& strong, int distance,
                     std::int64_t seed);

}  // namespace solenoid
