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
  std::optional<MeshPart> wide;  ///< argument of ModelSetup::model()
  MeshCounts counts;
  std::optional<MeshSource> source;  ///< the mesh as read, shared out by shared_by_rows()
};

/// Mismatches between the boundary groups of a mesh and the tables of the case, one per line: every group needs a
/// table, and every table a group.
std::vector<std::string> boundary_faults(const ModelSetup& setup, const std::vector<std::string>& patches);

/// Warning about a mesh of parts that share no face: legal, since each is a domain of its own, but rarely intended.
/// `consequence`: its effect on the solution. nullopt for a connected mesh.
std::optional<std::string> parts_warning(const std::vector<DomainPart>& parts, const std::string& consequence);

/// Warnings about faces beyond the points that give values on them, one line for each key. Collective.
std::vector<std::string> warnings_of_points(const Case& wanted, const LocalMesh& mesh);

/// Serial. Throws Error (exit code 2) with the fault of the mesh.
MeshSource read_case_mesh(const Case& wanted, Log& log, Phases& phases);

/// The wide part for ModelSetup::model(), distributed by `owner` from the whole mesh, which is on rank 0, and refined
/// `refine` times; nullopt if the setup needs none. Collective.
std::optional<MeshPart> wide_part(const Comm& comm, const ModelSetup& setup, const std::optional<GlobalMesh>& whole,
                                  const std::vector<int>& owner, int refine);

/// Checks `source`, which is on rank 0, against the setup, then orders, partitions, distributes and refines it.
/// Collective. Throws a collective Error (exit code 2) with the fault of the mesh or its groups, or if `refine` makes
/// more cells than a rank takes.
CaseMesh share_mesh(const Comm& comm, const ModelSetup& setup, std::optional<MeshSource> source, int refine, Log& log,
                    Phases& phases);

/// Throws Error (exit code 2) if the case asks for a mesh in blocks, and this mesh cannot be.
void require_fit_for_blocks(const Case& wanted, int dimension);

/// The same of a mesh in rows, as connect_in_blocks() takes it; no rank holds it whole.
CaseMesh share_rows(const Comm& comm, const ModelSetup& setup, MeshSource rows, int refine, Log& log, Phases& phases);

/// Reads the mesh of the case on rank 0, or that of the checkpoint in a restart, and distributes it. Collective. Throws
/// a collective Error (exit code 2) with the fault of the mesh or its groups, or if the case names another mesh than
/// the checkpoint has.
CaseMesh load_mesh(const Comm& comm, const Case& wanted, const CheckpointReader* checkpoint, Log& log, Phases& phases);

}  // namespace solenoid
