/// Refined meshes for the tests.
#pragma once

#include "mesh/refinement.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {

/// The part of this rank after `times` refinements. Collective.
inline MeshPart refined_part(const Comm& comm, const MeshSource& source, int times, int layers = 1,
                             const Partitioner& partition = partition_cells) {
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  if (comm.is_root()) {
    whole = build_topology(source);
    owner = partition(*whole, comm.size());
  }
  return distribute_refined(comm, whole, owner, layers, times);
}

}  // namespace solenoid::test
