/// Aggregation: the unknowns of a level that become one unknown of the next.
#pragma once

#include <unordered_map>
#include <vector>

#include "mesh/host_exchange.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

/// The unknowns of a coarser level as they come up on a rank: first the ones it owns, ascending in their global ids,
/// then others in the order in which they were met.
class CoarseNumbers {
 public:
  /// The owned ones.
  CoarseNumbers(int rank, std::vector<std::int64_t> ids)
      : rank_(rank), owned_(static_cast<int>(ids.size())), id_(std::move(ids)), owner_(id_.size(), rank) {}

  int owned() const { return owned_; }
  int total() const { return static_cast<int>(id_.size()); }
  std::int64_t id(int number) const { return id_[number]; }
  int owner(int number) const { return owner_[number]; }
  /// The number of this one, which may be new.
  int number_of(std::int64_t id, int owner);

 private:
  int rank_, owned_;
  std::vector<std::int64_t> id_;
  std::vector<int> owner_;
  std::unordered_map<std::int64_t, int> number_of_other_;
};

/// Couplings that count, by row: -a_ij, where it is at least a quarter of the smaller one of both rows' largest (Vanek,
/// Mandel & Brezina 1996; the smaller, so that a row far weaker than those around it is taken along by its best
/// neighbours). Collective.
SingleRows strong_couplings(const HostExchange& exchange, const HostLevel& level);

/// A maximal set of unknowns no two of which are within `distance` strong couplings of each other: 1 in the set, 0
/// beside it, per owned unknown (Bell, Dalton & Olson 2012, algorithm 5). It follows from the global ids and `seed`
/// alone. Rows without a strong coupling stay out. Collective.
std::vector<char> independent_set(const HostExchange& exchange, const LocalNumbering& numbering,
                                  const SingleRows& strong, int distance, std::int64_t seed);

/// Per local unknown the number of its aggregate, -1 where it stands alone. Each aggregate is what lies around one
/// unknown of the independent set, whose global id it bears: ring by ring an unknown joins the one it is coupled to
/// most, at a tie the one with the lowest id.
struct Aggregates {
  std::vector<int> of;
  CoarseNumbers numbers;
};

/// Collective.
Aggregates aggregate(const HostExchange& exchange, const HostLevel& level, const SingleRows& strong, int distance,
                     std::int64_t seed);

}  // namespace solenoid
