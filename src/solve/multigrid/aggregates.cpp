#include "solve/multigrid/aggregates.hpp"

#include <algorithm>

#include "solve/multigrid/scatter.hpp"

namespace solenoid {

int CoarseNumbers::number_of(std::int64_t id, int owner) {
  if (owner == rank_) {
    return static_cast<int>(std::lower_bound(id_.begin(), id_.begin() + owned_, id) - id_.begin());
  }
  const auto [it, is_new] = number_of_other_.try_emplace(id, total());
  if (is_new) {
    id_.push_back(id);
    owner_.push_back(owner);
  }
  return it->second;
}

SingleRows strong_couplings(const HostExchange& exchange, const HostLevel& level) {
  constexpr float share = 0.2499F;  // just below a quarter: round-off does not decide on exact quarters
  const SingleRows& rows = level.rows;
  std::vector<float> top(level.numbering.total(), 0);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) top[i] = std::max(top[i], -rows.value[k]);
  }
  exchange(top);
  SingleRows strong;
  strong.offset.reserve(rows.offset.size());
  strong.column.resize(rows.column.size());
  strong.value.resize(rows.value.size());
  int count = 0;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      const float coupling = -rows.value[k];
      strong.column[count] = j;
      strong.value[count] = coupling;
      count += static_cast<int>((coupling > 0) & (coupling >= share * std::min(top[i], top[j])));  // no branch
    }
    strong.offset.push_back(count);
  }
  strong.column.resize(count);
  strong.value.resize(count);
  return strong;
}

namespace {

// The key of an unknown: a state in the two highest bits, and unless that is `beside` its scattered global id.
constexpr std::uint64_t beside = 0, undecided = std::uint64_t{1} << 62, chosen = std::uint64_t{2} << 62;
constexpr std::uint64_t bits_of_id = undecided - 1;

/// Unknowns near undecided ones: the first `count[s]` are at most `distance - s` couplings away.
struct Neighbourhood {
  std::vector<int> unknowns;
  std::vector<int> count;
};

/// Counts all unknowns in other ranks' halos as near.
Neighbourhood around(const std::vector<int>& open, const std::vector<int>& seen_by_others, const SingleRows& strong,
                     int distance, std::vector<int>& mark, int stamp) {
  Neighbourhood result{open, std::vector<int>(distance + 1)};
  for (const int i : open) mark[i] = stamp;
  const auto add = [&](int i) {
    if (i < strong.rows() && mark[i] != stamp) {
      mark[i] = stamp;
      result.unknowns.push_back(i);
    }
  };
  result.count[distance] = static_cast<int>(open.size());
  for (int step = distance - 1, done = 0; step >= 1; --step) {
    const int known = static_cast<int>(result.unknowns.size());
    for (; done < known; ++done) {
      const int i = result.unknowns[done];
      for (int k = strong.offset[i]; k < strong.offset[i + 1]; ++k) add(strong.column[k]);
    }
    for (const int i : seen_by_others) add(i);
    result.count[step] = static_cast<int>(result.unknowns.size());
  }
  return result;
}

}  // namespace

std::vector<char> independent_set(const HostExchange& exchange, const LocalNumbering& numbering,
                                  const SingleRows& strong, int distance, std::int64_t seed) {
  std::vector<std::uint64_t> key(numbering.total(), beside);
  std::vector<int> open;
  for (int i = 0; i < strong.rows(); ++i) {
    if (strong.offset[i] == strong.offset[i + 1]) continue;
    key[i] = undecided | scattered_number(numbering.global_id[i] + (seed << 40));
    open.push_back(i);
  }
  std::vector<int> seen = exchange.plan().send_index, mark(strong.rows(), 0);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  std::vector<std::uint64_t> largest, next(numbering.total());
  const auto relay = [&](const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, int i) {
    std::uint64_t most = from[i];
    for (int k = strong.offset[i]; k < strong.offset[i + 1]; ++k) most = std::max(most, from[strong.column[k]]);
    to[i] = most;
  };
  for (int round = 1; exchange.comm().sum(static_cast<std::int64_t>(open.size())) > 0; ++round) {
    exchange(key);
    const Neighbourhood near = around(open, seen, strong, distance, mark, round);
    largest = key;
    for (int step = 1; step <= distance; ++step) {
      for (int k = 0; k < near.count[step]; ++k) relay(largest, next, near.unknowns[k]);
      for (int k = 0; k < near.count[step]; ++k) largest[near.unknowns[k]] = next[near.unknowns[k]];
      if (step < distance) exchange(largest);
    }
    for (const int i : open) {
      if (largest[i] == key[i]) {
        key[i] = chosen | (key[i] & bits_of_id);
      } else if (largest[i] >= chosen) {
        key[i] = beside;
      }
    }
    std::erase_if(open, [&](int i) { return key[i] < undecided || key[i] >= chosen; });
  }
  std::vector<char> in_set(strong.rows());
  for (int i = 0; i < strong.rows(); ++i) in_set[i] = key[i] >= chosen;
  return in_set;
}

namespace {

struct Joined {
  std::int64_t id;
  int owner;
};

/// Receives the aggregates of the halo from the unknowns' owners.
void exchange_aggregates(const HostExchange& exchange, Aggregates& aggregates, int owned) {
  if (exchange.plan().neighbours.empty()) return;
  std::vector<Joined> joined(aggregates.of.size(), Joined{-1, -1});
  for (const int i : exchange.plan().send_index) {
    const int number = aggregates.of[i];
    if (number >= 0) joined[i] = {aggregates.numbers.id(number), aggregates.numbers.owner(number)};
  }
  exchange(joined);
  for (std::size_t i = owned; i < joined.size(); ++i) {
    aggregates.of[i] = joined[i].id < 0 ? -1 : aggregates.numbers.number_of(joined[i].id, joined[i].owner);
  }
}

struct Candidate {
  int number;
  float sum;
};

/// The aggregate with the largest sum of the row's couplings; -1 if no neighbour has one.
int strongest(const Aggregates& aggregates, const SingleRows& strong, int i, std::vector<Candidate>& candidates) {
  candidates.clear();
  for (int k = strong.offset[i]; k < strong.offset[i + 1]; ++k) {
    const int number = aggregates.of[strong.column[k]];
    if (number < 0) continue;
    const auto known = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Candidate& candidate) { return candidate.number == number; });
    if (known == candidates.end()) {
      candidates.push_back({number, strong.value[k]});
    } else {
      known->sum += strong.value[k];
    }
  }
  int best = -1;
  float most = 0;
  for (const Candidate& candidate : candidates) {
    const bool is_tied = candidate.sum == most && best >= 0;
    if (candidate.sum > most || (is_tied && aggregates.numbers.id(candidate.number) < aggregates.numbers.id(best))) {
      best = candidate.number;
      most = candidate.sum;
    }
  }
  return best;
}

}  // namespace

Aggregates aggregate(const HostExchange& exchange, const HostLevel& level, const SingleRows& strong, int distance,
                     std::int64_t seed) {
  const int owned = level.rows.rows();
  const std::vector<char> is_root = independent_set(exchange, level.numbering, strong, distance, seed);
  std::vector<std::int64_t> ids;
  std::vector<int> of(level.numbering.total(), -1), alone;
  for (int i = 0; i < owned; ++i) {
    if (is_root[i]) {
      of[i] = static_cast<int>(ids.size());
      ids.push_back(level.numbering.global_id[i]);
    } else if (strong.offset[i] < strong.offset[i + 1]) {
      alone.push_back(i);
    }
  }
  Aggregates aggregates{std::move(of), CoarseNumbers(exchange.comm().rank(), std::move(ids))};
  exchange_aggregates(exchange, aggregates, owned);
  std::vector<Candidate> candidates;
  for (int ring = 1; ring <= distance; ++ring) {
    std::vector<int> joins;
    for (const int i : alone) joins.push_back(strongest(aggregates, strong, i, candidates));
    for (std::size_t k = 0; k < alone.size(); ++k) aggregates.of[alone[k]] = joins[k];
    std::erase_if(alone, [&](int i) { return aggregates.of[i] >= 0; });
    exchange_aggregates(exchange, aggregates, owned);
  }
  return aggregates;
}

}  // namespace solenoid
