/// From the [mesh] of a case to each rank's share of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/mesh_counts.hpp"
#include "base/log.hpp"
#include "base/phases.hpp"
#include "io/case_file.hpp"
#include "mesh/domain.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

struct CaseMesh {
  std::unique_ptr<LocalMesh> local;
  MeshPart wide;  ///< the same partition with `wide_layers` layers of halo
  MeshCounts counts;
};

/// What is wrong between the boundary groups of a mesh and the tables of the case, a line each: every group has its
/// table, and every table its group.
std::vector<std::string> boundary_faults(const Case& wanted, const std::vector<std::string>& patches);

/// What to say of a mesh whose parts do not touch: legal, for walls keep each a domain of its own, and seldom meant.
std::optional<std::string> parts_warning(const Domain& domain);

/// Reads the mesh on rank 0, checks that each boundary group has its table, orders, divides and shares it out.
/// Collective. Throws a collective Error (exit code 2) that names what is wrong with the mesh or its boundaries.
CaseMesh load_mesh(const Comm& comm, const Case& wanted, int wide_layers, Log& log, Phases& phases);

}  // namespace solenoid
