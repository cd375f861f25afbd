#include "app/case_mesh.hpp"

#include <algorithm>
#include <optional>

#include "app/case_heat.hpp"
#include "base/activity.hpp"
#include "base/nearest_name.hpp"
#include "io/gmsh_reader.hpp"
#include "mesh/partition.hpp"

namespace solenoid {

std::vector<std::string> boundary_faults(const Case& wanted, const std::vector<std::string>& patches) {
  std::vector<std::string> faults;
  for (const auto& [name, settings] : wanted.boundary) {
    if (std::find(patches.begin(), patches.end(), name) != patches.end()) continue;
    const auto near = nearest_name(name, patches);
    faults.push_back(message("{}: [boundary.{}]: the mesh has no boundary group of this name{}; its groups: {}",
                             wanted.file.string(), name, near ? " (did you mean `" + *near + "`?)" : "",
                             name_list(patches)));
  }
  for (const std::string& patch : patches) {
    if (wanted.boundary.count(patch) != 0) continue;
    faults.push_back(message("{}: the mesh's boundary group `{}` has no table: add [boundary.{}] with a type",
                             wanted.file.string(), patch, patch));
  }
  return faults;
}

std::optional<std::string> parts_warning(const Case* wanted, const Domain& domain) {
  constexpr std::size_t most = 4;
  if (domain.parts.size() < 2) return std::nullopt;
  std::vector<std::string> places;
  for (std::size_t k = 0; k < std::min(most, domain.parts.size()); ++k) {
    const DomainPart& part = domain.parts[k];
    places.push_back(
        message("{} cells at ({:.6g}, {:.6g}, {:.6g})", part.cells, part.place.x, part.place.y, part.place.z));
  }
  const bool is_heat = wanted && wanted->heat;
  return message(
      "the mesh falls into {} parts that share no face: {}{}. Each is computed as a domain of its own; {}. If they "
      "should hang together, glue them in Gmsh (Coherence, or BooleanFragments with OpenCASCADE)",
      domain.parts.size(), joined(places, ", "), domain.parts.size() > most ? ", ..." : "",
      is_heat ? "no heat goes from one to the other" : "only differences of pressure within a part mean something");
}

CaseMesh load_mesh(const Comm& comm, const Case& wanted, int wide_layers, Log& log, Phases& phases) {
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  comm.guard([&] {
    if (!comm.is_root()) return;
    const MeshSource source = phases.time("read mesh", [&] {
      const Activity shown(log, "meshing or reading " + wanted.mesh.file.filename().string());
      return read_mesh({wanted.mesh.file, wanted.mesh.size, wanted.mesh.scale, wanted.mesh.trust},
                       [&](const std::string& line) { log.line(line); });
    });
    require_input(source.dimension == 2 || !wanted.flow, [&] {
      return message(
          "{}: found {} tetrahedra; this version computes flow on triangle meshes only: give a mesh in the x-y plane",
          source.name, source.cell_count());
    });
    const std::vector<std::string> faults = boundary_faults(wanted, source.patches);
    require_input(faults.empty(), [&] { return fault_list(faults); });
    phases.time("connect mesh", [&] {
      const Activity shown(log, "connecting the mesh");
      whole = build_topology(source);
      const Domain domain = examine_domain(*whole);
      if (const auto warning = parts_warning(&wanted, domain)) log.line("warning: " + *warning);
      if (!wanted.heat) return;
      const std::vector<std::string> heat = heat_faults(wanted, *whole, domain);
      require_input(heat.empty(), [&] { return fault_list(heat); });
    });
    phases.time("partition", [&] {
      const Activity shown(log, message("partitioning for {} rank{}", comm.size(), comm.size() == 1 ? "" : "s"));
      owner = partition_cells(*whole, comm.size());
    });
  });
  CaseMesh result;
  phases.time("distribute", [&] {
    const Activity shown(log, "sharing out the mesh");
    result.local = std::make_unique<LocalMesh>(comm, distribute(comm, whole, owner, 1));
    if (wide_layers > 0) result.wide = distribute(comm, whole, owner, wide_layers);
  });
  result.counts = count_mesh(*result.local);
  log.line(mesh_line(result.counts));
  return result;
}

}  // namespace solenoid
