#include "run/mesh/case_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/user_text.hpp"
#include "case/checkpoint_output.hpp"
#include "case/mesh_case.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "mesh/block_halo.hpp"
#include "mesh/connected_parts.hpp"
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

std::optional<std::string> parts_warning(const std::vector<DomainPart>& parts, const std::string& consequence) {
  constexpr std::size_t most = 4;
  if (parts.size() < 2) return std::nullopt;
  std::vector<std::string> places;
  for (std::size_t k = 0; k < std::min(most, parts.size()); ++k) {
    const DomainPart& part = parts[k];
    places.push_back(
        message("{} cells at ({:.6g}, {:.6g}, {:.6g})", part.cells, part.place.x, part.place.y, part.place.z));
  }
  return message(
      "the mesh falls into {} parts that share no face: {}{}. Each is computed as a domain of its own; {}. If they "
      "should hang together, glue them in Gmsh (Coherence, or BooleanFragments with OpenCASCADE)",
      parts.size(), joined(places, ", "), parts.size() > most ? ", ..." : "", consequence);
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
    require_input(source->origin == origin_of_mesh(request_of(wanted.mesh, *wanted.setup)), [&] {
      return message("{}: is of another mesh than {}; a run continues with its own mesh", checkpoint.path().string(),
                     file);
    });
  });
  return source;
}

/// The tables of a rank have 32-bit indices. `cells`: on each rank.
void require_room(const ModelSetup& setup, int dimension, const std::vector<std::int64_t>& cells, int refine) {
  const int lists = dimension == 2 ? 3 : 7;  // of edges and faces, too, the longest a cell
  const std::int64_t most = std::numeric_limits<int>::max() / lists, ranks = std::ssize(cells),
                     read = std::accumulate(cells.begin(), cells.end(), std::int64_t{0});
  const double each = std::pow(children_of_cell(dimension), refine),
               largest = each * static_cast<double>(*std::max_element(cells.begin(), cells.end()));
  require_input(refine == 0 || largest <= static_cast<double>(most), [&] {
    return message(
        "{}: `refine` in [mesh]: {} makes {:.0f} cells of {}, {:.0f} of them on one of {} rank{}, which takes at most "
        "{}: take "
        "more ranks, or refine less",
        setup.file, refine, each * static_cast<double>(read), read, largest, ranks, ranks == 1 ? "" : "s", most);
  });
}

void require_boundary(const ModelSetup& setup, const std::vector<std::string>& patches) {
  const std::vector<std::string> faults = boundary_faults(setup, patches);
  require_input(faults.empty(), [&] { return fault_list(faults); });
}

/// Gives back the memory of the file's numbers, which only messages need.
void forget_ids(MeshSource& mesh) {
  mesh.point_ids = std::vector<std::int64_t>();
  mesh.cell_ids = std::vector<std::int64_t>();
}

/// The lines of all ranks, each once, in the order of the ranks. Collective.
std::vector<std::string> of_all_ranks(const Comm& comm, const std::vector<std::string>& lines) {
  std::vector<std::string> all;
  for (int rank = 0; comm.max(std::ssize(lines)) > 0 && rank < comm.size(); ++rank) {
    std::istringstream of_rank(comm.broadcast(joined(lines, "\n"), rank));
    for (std::string line; std::getline(of_rank, line);) {
      if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
    }
  }
  return all;
}

void warn_of_parts(const ModelSetup& setup, const std::vector<DomainPart>& parts, Log& log) {
  const auto warning = parts_warning(parts, setup.between_parts());
  if (warning) log.line("warning: " + *warning);
}

/// Counts the mesh and reports it; `rows`: of the file, on this rank.
CaseMesh counted(CaseMesh mesh, std::optional<MeshSource> rows, int refine, Log& log) {
  mesh.counts = count_mesh(*mesh.local);
  mesh.source = std::move(rows);
  if (refine > 0) {
    log.line(message("each cell of the file divided {} time{}; curved boundaries stay the {} of the file", refine,
                     refine == 1 ? "" : "s", mesh.counts.dimension == 2 ? "polygons" : "facets"));
  }
  log.line(mesh_line(mesh.counts));
  return mesh;
}

/// `part` for the operators, and the wide one from the same cells; its halo is that of the wider of the two.
CaseMesh with_wide_part(const Comm& comm, const ModelSetup& setup, MeshPart part) {
  CaseMesh result;
  if (setup.wide_layers() > 0)
    result.wide = std::exchange(part, part_with_fewer_layers(part, setup.layers(part.dimension)));
  result.local = std::make_unique<LocalMesh>(comm, std::move(part));
  return result;
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
    return read_mesh(request_of(wanted.mesh, *wanted.setup), [&](const std::string& line) { log.line(line); });
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
    require_boundary(setup, source->patches);
    source->pairs = setup.pairs();
    phases.time("connect mesh", [&] {
      const Activity shown(log, "connecting the mesh");
      whole = build_topology(*source);
      forget_ids(*source);
      const Domain domain = examine_domain(*whole);
      warn_of_parts(setup, domain.parts, log);
      const std::vector<std::string> faults = setup.faults(*whole, domain);
      require_input(faults.empty(), [&] { return fault_list(faults); });
    });
    phases.time("partition", [&] {
      const Activity shown(log, message("partitioning for {} rank{}", comm.size(), comm.size() == 1 ? "" : "s"));
      owner = partition_cells(*whole, comm.size());
    });
    std::vector<std::int64_t> cells(comm.size(), 0);
    for (const int rank : owner) ++cells[rank];
    require_room(setup, whole->dimension, cells, refine);
  });
  CaseMesh result;
  phases.time("distribute", [&] {
    const Activity shown(log, refine == 0 ? "sharing out the mesh" : "sharing out and refining the mesh");
    if (!setup.solids().empty()) {
      result.wide = wide_part(comm, setup, whole, owner, refine);
      result.local =
          std::make_unique<LocalMesh>(comm, distribute_refined(comm, std::exchange(whole, {}), owner, 1, refine));
    } else {  // one distribution serves both
      const int layers = std::max(setup.wide_layers(), 1);
      result = with_wide_part(comm, setup, distribute_refined(comm, std::exchange(whole, {}), owner, layers, refine));
    }
  });
  return counted(std::move(result), shared_by_rows(comm, std::move(source)), refine, log);
}

void require_fit_for_blocks(const Case& wanted, int dimension) {
  require_input(!wanted.mesh.distributed || dimension == 3, [&] {
    return message(
        "{}: `distributed` in [mesh] is for tetrahedra, and {} has triangles: leave it out; a mesh in the plane fits "
        "into the memory of rank 0",
        wanted.file.string(), wanted.mesh.file.string());
  });
}

CaseMesh share_rows(const Comm& comm, const ModelSetup& setup, MeshSource rows, int refine, Log& log, Phases& phases) {
  comm.guard([&] { require_boundary(setup, rows.patches); });
  MeshPart part;
  const int layers = std::max(setup.wide_layers(), 1);
  phases.time("connect mesh", [&] {
    const Activity shown(log, "connecting the mesh in blocks");
    {
      const MeshBlock block = connect_in_blocks(comm, rows);
      forget_ids(rows);
      part = part_of_block(comm, block, layers);
    }
    const std::vector<std::int64_t> cells = comm.gather(part.cell_numbering.owned);
    std::vector<std::string> faults;
    comm.guard([&] { faults = setup.faults(whole_of(part_with_fewer_layers(part, 0)), {}); });
    faults = of_all_ranks(comm, faults);
    comm.guard([&] {
      require_input(faults.empty(), [&] { return fault_list(faults); });
      require_room(setup, part.dimension, cells, refine);
    });
    warn_of_parts(setup, connected_parts(comm, part), log);
  });
  CaseMesh result;
  phases.time("distribute", [&] {
    const Activity shown(log, refine == 0 ? "setting up each rank's mesh" : "refining the mesh");
    result = with_wide_part(comm, setup, refined(comm, std::move(part), layers, refine));
  });
  return counted(std::move(result), std::move(rows), refine, log);
}

CaseMesh load_mesh(const Comm& comm, const Case& wanted, const CheckpointReader* checkpoint, Log& log, Phases& phases) {
  std::optional<MeshSource> source;
  if (checkpoint) {
    phases.time("read mesh", [&] { source = mesh_in(*checkpoint, comm, wanted, log); });
  } else if (!wanted.mesh.distributed) {
    comm.guard([&] {
      if (comm.is_root()) source = read_case_mesh(wanted, log, phases);
    });
  }
  if (wanted.mesh.distributed) {
    MeshSource rows = phases.time("read mesh", [&] {
      if (checkpoint) return shared_by_rows(comm, std::exchange(source, {})).value();
      const Activity shown(log, "meshing or reading " + wanted.mesh.file.filename().string());
      return read_mesh_rows(comm, request_of(wanted.mesh, *wanted.setup),
                            [&](const std::string& line) { log.line(line); });
    });
    comm.guard([&] { require_fit_for_blocks(wanted, rows.dimension); });
    return share_rows(comm, *wanted.setup, std::move(rows), wanted.mesh.refine, log, phases);
  }
  return share_mesh(comm, *wanted.setup, std::move(source), wanted.mesh.refine, log, phases);
}

}  // namespace solenoid
