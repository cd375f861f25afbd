/// The connected parts of a mesh that no rank holds whole.
#pragma once

#include <vector>

#include "base/comm.hpp"
#include "mesh/domain.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

/// Those of the ranks' parts together, which have at least one layer of halo; the largest first, as examine_domain()
/// has them; on rank 0, empty elsewhere. Collective.
std::vector<DomainPart> connected_parts(const Comm& comm, const MeshPart& part);

}  // namespace solenoid
