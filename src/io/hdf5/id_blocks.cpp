#include "io/hdf5/id_blocks.hpp"

#include <algorithm>

#include "mesh/host_exchange.hpp"

namespace solenoid {

namespace {

std::int64_t block_size(std::int64_t ids, int ranks) { return std::max<std::int64_t>((ids + ranks - 1) / ranks, 1); }

}  // namespace

IdBlock::IdBlock(std::int64_t ids, int ranks, int rank)
    : begin(std::min(ids, rank * block_size(ids, ranks))),
      count(std::min(ids, (rank + 1) * block_size(ids, ranks)) - begin) {}

IdBlocks::IdBlocks(const Comm& comm, const LocalNumbering& numbering)
    : comm_(comm),
      ids_(numbering.global_count),
      owned_(numbering.owned),
      own_(ids_, comm.size(), comm.rank()),
      sent_(comm.size()),
      places_(comm.size()) {
  std::vector<std::vector<std::int64_t>> ids(comm.size());
  for (int i = 0; i < owned_; ++i) {
    const auto rank = static_cast<std::size_t>(numbering.global_id[i] / block_size(ids_, comm.size()));
    ids[rank].push_back(numbering.global_id[i]);
    sent_[rank].push_back(i);
  }
  const std::vector<std::vector<std::int64_t>> received = exchange_lists(comm, ids);
  for (std::size_t rank = 0; rank < received.size(); ++rank) {
    for (const std::int64_t id : received[rank]) places_[rank].push_back(static_cast<int>(id - own_.begin));
  }
}

namespace {

/// For each list, the values at its indices, `components` each.
std::vector<std::vector<real>> packed(const std::vector<std::vector<int>>& places, const std::vector<real>& values,
                                      int components) {
  std::vector<std::vector<real>> result(places.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    result[rank].reserve(places[rank].size() * components);
    for (const int at : places[rank]) {
      const auto first = values.begin() + std::ptrdiff_t{at} * components;
      result[rank].insert(result[rank].end(), first, first + components);
    }
  }
  return result;
}

void unpack(const std::vector<std::vector<real>>& lists, const std::vector<std::vector<int>>& places, int components,
            std::vector<real>& values) {
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    auto from = lists[rank].begin();
    for (const int at : places[rank]) {
      std::copy(from, from + components, values.begin() + std::ptrdiff_t{at} * components);
      from += components;
    }
  }
}

}  // namespace

std::vector<real> IdBlocks::to_block(const std::vector<real>& owned, int components) const {
  std::vector<real> block(static_cast<std::size_t>(own_.count) * components);
  unpack(exchange_lists(comm_, packed(sent_, owned, components)), places_, components, block);
  return block;
}

std::vector<real> IdBlocks::from_block(const std::vector<real>& block, int components) const {
  std::vector<real> owned(static_cast<std::size_t>(owned_) * components);
  unpack(exchange_lists(comm_, packed(places_, block, components)), sent_, components, owned);
  return owned;
}

}  // namespace solenoid
