/// A whole mesh as it was read, shared out by rows.
#pragma once

#include <optional>

#include "base/comm.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The mesh of rank 0 shared out in blocks of rows, rank by rank, without the ids of its file: so no rank has to keep
/// it whole for the checkpoints of a run. Collective.
std::optional<MeshSource> shared_by_rows(const Comm& comm, std::optional<MeshSource> mesh);

}  // namespace solenoid
