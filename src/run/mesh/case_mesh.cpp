#include "run/mesh/case_mesh.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/user_text.hpp"
#include "case/checkpoint_output.hpp"
#include "case/mesh_case.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "mesh/mesh_rows.hpp"
#include "mesh/partition.hpp"
#include "mesh/refinement.hpp"
#include "mesh/submesh.hpp"

namespace solenoid {

std::vector<std::string> boundary_faults(const ModelSetup& setup, const std::vector<std::string>& patches) {
  std::vector<std::string> faults;
  const std::vector<std::string> tables = setup.patches();
  const auto is_one_of = [](const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> in_pairs;
  for (const auto& [first, second] : setup.pairs()) in_pairs.insert(in_pairs.end(), {first, second});
  for (const std::string& name : in_pairs) {
    if (!is_one_of(name, patches)) {
      const auto near = nearest_name(name, patches);
      faults.push_back(message("{}: [[periodic]] patches: the mesh has no boundary group `{}`{}; its groups: {}",
                               setup.file, name, near ? " (did you mean `" + *near + "`?)" : "", name_list(patches)));
    }
    if (is_one_of(name, tables)) {
      faults.push_back(message("{}: [boundary.{}]: the group is in a [[periodic]] pair too: leave one of them out",
                               setup.file, name));
    }
  }
  for (const std::string& name : tables) {
    if (is_one_of(name, patches)) continue;
    const auto near = nearest_name(name, patches);
    faults.push_back(message("{}: [boundary.{}]: the mesh has no boundary group of this name{}; its groups: {}",
                             setup.file, name, near ? " (did you mean `" + *near + "`?)" : "", name_list(patches)));
  }
  for (const std::string& patch : patches) {
    if (is_one_of(patch, tables) || is_one_of(patch, in_pairs)) continue;
    faults.push_back(message("{}: the mesh's boundary group `{}` has no table: add [boundary.{}] with a type",
                             setup.file, patch, patch));
  }
  return faults;
}

std::optional<std::string> parts_warning(const Domain& domain, const std::string& consequence) {
  constexpr std::size_t most = 4;
  if (domain.parts.size() < 2) return std::nullopt;
  std::vector<std::string> places;
  for (std::size_t k = 0; k < std::min(most, domain.parts.size()); ++k) {
    const DomainPart& part = domain.parts[k];
    places.push_back(
        message("{} cells at ({:.6g}, {:.6g}, {:.6g})", part.cells, part.place.x, part.place.y, part.place.z));
  }
  return message(
      "the mesh falls into {} parts that share no face: {}{}. Each is computed as a domain of its own; {}. If they "
      "should hang together, glue them in Gmsh (Coherence, or BooleanFragments with OpenCASCADE)",
      domain.parts.size(), joined(places, ", "), domain.parts.size() > most ? ", ..." : "", consequence);
}

namespace {

/// Compares the mesh settings of both cases; the mesh file itself is missing.
void require_same_mesh(const CheckpointReader& checkpoint, const Case& wanted) {
  const auto before = nlohmann::json::parse(checkpoint.header().settings, nullptr, false);
  for (const char* key : {"size", "scale", "size_min", "per_circle", "angle", "group", "sizes", "outside", "layers"}) {
    const nlohmann::json::json_pointer place(std::string("/mesh/") + key);
    const nlohmann::json now = wanted.effective, missing;
    const nlohmann::json& is = now.contains(place) ? now[place] : missing;
    const nlohmann::json& was = before.is_object() && before.contains(place) ? before[place] : is;
    require_input(is == was, [&] {
      return message("{}: `{}` in [mesh] is {}, and was {} in {}; a run continues with its own mesh",
                     wanted.file.string(), key, is.dump(), was.dump(), checkpoint.path().string());
    });
  }
}

void require_same_refinement(const CheckpointReader& checkpoint, const Case& wanted) {
  const int was = refinements_in(nlohmann::json::parse(checkpoint.header().settings, nullptr, false));
  require_input(was == wanted.mesh.refine, [&] {
    return message("{}: `refine` in [mesh] is {}, and was {} in {}; a run continues with its own mesh",
                   wanted.file.string(), wanted.mesh.refine, was, checkpoint.path().string());
  });
}

/// The mesh of the checkpoint, on rank 0. Collective.
std::optional<MeshSource> mesh_in(const CheckpointReader& checkpoint, const Comm& comm, const Case& wanted, Log& log) {
  std::optional<MeshSource> source = checkpoint.mesh();
  comm.guard([&] {
    if (!source) return;
    require_same_refinement(checkpoint, wanted);
    const std::string file = wanted.mesh.file.string();
    std::error_code not_to_be_had;
    if (!std::filesystem::exists(wanted.mesh.file, not_to_be_had)) {
      require_same_mesh(checkpoint, wanted);
      return log.line(message("{} is not there: the mesh is the one in {}", file, checkpoint.path().string()));
    }
    require_input(source->origin == origin_of_mesh(request_of(wanted.mesh)), [&] {
      return message("{}: is of another mesh than {}; a run continues with its own mesh", checkpoint.path().string(),
                     file);
    });
  });
  return source;
}

/// The tables of a rank have 32-bit indices.
void require_room(const ModelSetup& setup, const GlobalMesh& whole, const std::vector<int>& owner, int ranks,
                  int refine) {
  const int lists = whole.dimension == 2 ? 3 : 7;  // of edges and faces, too, the longest a cell
  const std::int64_t most = std::numeric_limits<int>::max() / lists;
  std::vector<std::int64_t> cells(ranks, 0);
  for (const int rank : owner) ++cells[rank];
  std::int64_t largest = *std::max_element(cells.begin(), cells.end());
  for (int k = 0; k < refine; ++k) largest *= children_of_cell(whole.dimension);
  require_input(refine == 0 || largest <= most, [&] {
    return message(
        "{}: `refine` in [mesh]: {} makes {} cells of {}, {} of them on one of {} rank{}, which takes at most {}: take "
        "more ranks, or refine less",
        setup.file, refine, refined_counts(whole, refine).cells, whole.cells(), largest, ranks, ranks == 1 ? "" : "s",
        most);
  });
}

}  // namespace

std::vector<std::string> warnings_of_points(const Case& wanted, const LocalMesh& mesh) {
  std::vector<std::string> warnings;
  for (const PointValuesFile& table : wanted.point_tables) {
    std::vector<Vec3> faces;
    for (const BoundaryFace& face : mesh.boundary()) {
      if (face.is_owned && mesh.part().patches[static_cast<std::size_t>(face.patch)] == table.key.at(1))
        faces.push_back(mesh.geometry().face_centre[face.face]);
    }
    const std::int64_t beyond = mesh.comm().sum(table.values->count_beyond(faces)),
                       all = mesh.comm().sum(static_cast<std::int64_t>(faces.size()));
    if (beyond == 0) continue;
    warnings.push_back(message(
        "`{}` in [boundary.{}]: {} of {} faces lie beyond the points of {}: they have the values of the nearest "
        "place between the points",
        table.key.back(), table.key.at(1), beyond, all, table.file.string()));
  }
  return warnings;
}

MeshSource read_case_mesh(const Case& wanted, Log& log, Phases& phases) {
  return phases.time("read mesh", [&] {
    const Activity shown(log, "meshing or reading " + wanted.mesh.file.filename().string());
    return read_mesh(request_of(wanted.mesh), [&](const std::string& line) { log.line(line); });
  });
}

std::optional<MeshPart> wide_part(const Comm& comm, const ModelSetup& setup, const std::optional<GlobalMesh>& whole,
                                  const std::vector<int>& owner, int refine) {
  const int layers = setup.wide_layers();
  if (layers == 0) return std::nullopt;
  const std::vector<std::string> solids = setup.solids();
  if (solids.empty()) return distribute_refined(comm, whole, owner, layers, refine);
  std::optional<GlobalMesh> fluid;
  std::vector<int> owner_in_fluid;
  comm.guard([&] {
    if (!whole) return;
    RemainingMesh remaining = without_regions(setup.file, *whole, solids);
    fluid = std::move(remaining.mesh);
    for (const int cell : remaining.cells) owner_in_fluid.push_back(owner[cell]);
  });
  return distribute_refined(comm, fluid, owner_in_fluid, layers, refine);
}

CaseMesh share_mesh(const Comm& comm, const ModelSetup& setup, std::optional<MeshSource> source, int refine, Log& log,
                    Phases& phases) {
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  comm.guard([&] {
    if (!comm.is_root()) return;
    const std::vector<std::string> of_boundary = boundary_faults(setup, source->patches);
    require_input(of_boundary.empty(), [&] { return fault_list(of_boundary); });
    source->pairs = setup.pairs();
    phases.time("connect mesh", [&] {
      const Activity shown(log, "connecting the mesh");
      whole = build_topology(*source);
      source->point_ids = source->cell_ids = {};
      const Domain domain = examine_domain(*whole);
      const auto warning = parts_warning(domain, setup.between_parts());
      if (warning) log.line("warning: " + *warning);
      const std::vector<std::string> faults = setup.faults(*whole, domain);
      require_input(faults.empty(), [&] { return fault_list(faults); });
    });
    phases.time("partition", [&] {
      const Activity shown(log, message("partitioning for {} rank{}", comm.size(), comm.size() == 1 ? "" : "s"));
      owner = partition_cells(*whole, comm.size());
    });
    require_room(setup, *whole, owner, comm.size(), refine);
  });
  CaseMesh result;
  phases.time("distribute", [&] {
    const Activity shown(log, refine == 0 ? "sharing out the mesh" : "sharing out and refining the mesh");
    if (!setup.solids().empty()) {
      result.wide = wide_part(comm, setup, whole, owner, refine);
      result.local =
          std::make_unique<LocalMesh>(comm, distribute_refined(comm, std::exchange(whole, {}), owner, 1, refine));
    } else {  // one distribution serves both
      const int wide_layers = setup.wide_layers();
      MeshPart part = distribute_refined(comm, std::exchange(whole, {}), owner, std::max(wide_layers, 1), refine);
      if (wide_layers > 0)
        result.wide = std::exchange(part, part_with_fewer_layers(part, setup.layers(part.dimension)));
      result.local = std::make_unique<LocalMesh>(comm, std::move(part));
    }
  });
  result.counts = count_mesh(*result.local);
  result.source = shared_by_rows(comm, std::move(source));
  if (refine > 0) {
    log.line(message("each cell of the file divided {} time{}; curved boundaries stay the {} of the file", refine,
                     refine == 1 ? "" : "s", result.counts.dimension == 2 ? "polygons" : "facets"));
  }
  log.line(mesh_line(result.counts));
  return result;
}

CaseMesh load_mesh(const Comm& comm, const Case& wanted, const CheckpointReader* checkpoint, Log& log, Phases& phases) {
  std::optional<MeshSource> source;
  if (checkpoint) {
    phases.time("read mesh", [&] { source = mesh_in(*checkpoint, comm, wanted, log); });
  } else {
    comm.guard([&] {
      if (comm.is_root()) source = read_case_mesh(wanted, log, phases);
    });
  }
  return share_mesh(comm, *wanted.setup, std::move(source), wanted.mesh.refine, log, phases);
}

}  // namespace solenoid
