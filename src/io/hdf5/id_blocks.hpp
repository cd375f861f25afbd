/// Values of entities in the order of their global ids: one block of ids a rank, whichever rank owns the entities.
#pragma once

#include <vector>

#include "base/comm.hpp"
#include "base/real.hpp"
#include "mesh/local_numbering.hpp"

namespace solenoid {

/// The block of `rank`: `count` ids from `begin` on.
struct IdBlock {
  std::int64_t begin, count;
  IdBlock(std::int64_t ids, int ranks, int rank);
};

class IdBlocks {
 public:
  /// Collective.
  IdBlocks(const Comm& comm, const LocalNumbering& numbering);

  const IdBlock& own() const { return own_; }
  std::int64_t ids() const { return ids_; }

  // `components` values per entity: from the owned entities to this rank's block, and back. Collective.
  std::vector<real> to_block(const std::vector<real>& owned, int components) const;
  std::vector<real> from_block(const std::vector<real>& block, int components) const;

 private:
  Comm comm_;
  std::int64_t ids_;
  int owned_;
  IdBlock own_;
  std::vector<std::vector<int>> sent_;    // to each rank: owned entities with ids in its block
  std::vector<std::vector<int>> places_;  // from each rank: indices in the block
};

}  // namespace solenoid
