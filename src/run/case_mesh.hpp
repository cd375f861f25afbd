/// From the [mesh] of a case to each rank's share of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "case/case_file.hpp"
#include "mesh/domain.hpp"
#include "mesh/local_mesh.hpp"
#include "run/mesh_counts.hpp"

namespace solenoid {

struct CaseMesh {
  std::unique_ptr<LocalMesh> local;
  std::optional<MeshPart> wide;  ///< the same partition with ModelSetup::wide_layers() of halo, where there are any
  MeshCounts counts;
};

/// What is wrong between the boundary groups of a mesh and the tables of the case, a line each: every group has its
/// table, and every table its group.
std::vector<std::string> boundary_faults(const ModelSetup& setup, const std::vector<std::string>& patches);

/// What to say of a mesh whose parts do not touch: legal, for each is a domain of its own, and seldom meant.
/// `consequence`: of that for what is computed.
std::optional<std::string> parts_warning(const Domain& domain, const std::string& consequence);

/// Reads the mesh on rank 0, checks that it fits the case, orders, divides and shares it out.
/// Collective. Throws a collective Error (exit code 2) that names what is wrong with the mesh or its groups.
CaseMesh load_mesh(const Comm& comm, const Case& wanted, Log& log, Phases& phases);

}  // namespace solenoid
