/// A whole mesh as it was read, shared out by rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/vec3.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The mesh of rank 0 shared out in blocks of rows, rank by rank, so that no rank has to keep it whole for the
/// checkpoints of a run; names are the same on every rank. Collective.
std::optional<MeshSource> shared_by_rows(const Comm& comm, std::optional<MeshSource> mesh);

/// The box around those of all ranks. Collective.
Box box_of_ranks(const Comm& comm, const Box& own);

/// The names of rank 0, on every rank. Collective.
std::vector<std::string> names_of_root(const Comm& comm, const std::vector<std::string>& names);

}  // namespace solenoid
