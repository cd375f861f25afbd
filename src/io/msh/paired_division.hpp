/// Elements divided alike on both patches of periodic pairs.
#pragma once

#include "io/msh/msh_records.hpp"
#include "mesh/joined_points.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Where both patches of all pairs have the same points, but not the same diagonals, divides the divided elements
/// again: from the corner of the lowest joined point, and not of the lowest number. Those without a corner on a pair
/// keep their simplices. `mesh`: of these records. Returns whether it did.
bool divide_alike(MshRecords& records, const MeshSource& mesh, const PatchPairs& pairs);

}  // namespace solenoid
