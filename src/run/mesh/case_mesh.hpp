/// From the [mesh] of a case to each rank's part of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "case/case_file.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "mesh/domain.hpp"
#include "mesh/local_mesh.hpp"
#include "run/mesh/mesh_counts.hpp"

namespace solenoid {

struct CaseMesh {
  std::unique_ptr<LocalMesh> local;
  std::optional<MeshPart> wide;  ///< as ModelSetup::model() takes it
  MeshCounts counts;
  std::optional<MeshSource> source;  ///< on rank 0: as it was read, without the numbers of its file
};

/// What is wrong between the boundary groups of a mesh and the tables of the case, a line each: every group has its
/// table, and every table its group.
std::vector<std::string> boundary_faults(const ModelSetup& setup, const std::vector<std::string>& patches);

/// What to say of a mesh whose parts do not touch: legal, for each is a domain of its own, and seldom meant.
/// `consequence`: of that for what is computed.
std::optional<std::string> parts_warning(const Domain& domain, const std::string& consequence);

/// Serial. Throws Error (exit code 2) that names what is wrong with the mesh.
MeshSource read_case_mesh(const Case& wanted, Log& log, Phases& phases);

/// The part that ModelSetup::model() takes beside that of the whole mesh, which is there on rank 0, and shared out by
/// `owner`; nothing where the setup wants none. Collective.
std::optional<MeshPart> wide_part(const Comm& comm, const ModelSetup& setup, const std::optional<GlobalMesh>& whole,
                                  const std::vector<int>& owner);

/// Checks that `source`, which is there on rank 0, fits the setup, orders, divides and shares it out. Collective.
/// Throws a collective Error (exit code 2) that names what is wrong with the mesh or its groups.
CaseMesh share_mesh(const Comm& comm, const ModelSetup& setup, std::optional<MeshSource> source, Log& log,
                    Phases& phases);

/// Reads the mesh of the case on rank 0, or takes that of the checkpoint that a run goes on from, where there is one,
/// and shares it out. Collective. Throws a collective Error (exit code 2) that names what is wrong with the mesh or its
/// groups, or where the case names another one than the checkpoint has.
CaseMesh load_mesh(const Comm& comm, const Case& wanted, const CheckpointReader* checkpoint, Log& log, Phases& phases);

}  // namespace solenoid
