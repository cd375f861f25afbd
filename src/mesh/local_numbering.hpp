/// Local numbers of the entities a rank owns and of its copies of others.
#pragma once

#include <cstdint>
#include <vector>

namespace solenoid {

/// The numbering of one kind of entity on a rank: the owned entities first, ascending in their global ids; then the
/// halo copies, grouped by owner, ascending in each group.
struct LocalNumbering {
  int owned = 0;
  std::int64_t global_count = 0;        ///< of the whole mesh
  std::vector<std::int64_t> global_id;  ///< per local entity
  std::vector<int> owner;               ///< rank per local entity

  int total() const { return static_cast<int>(global_id.size()); }
};

}  // namespace solenoid
