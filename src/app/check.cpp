#include "app/commands.hpp"

#include <algorithm>
#include <cmath>

#include "app/mesh_report.hpp"
#include "app/part_listing.hpp"
#include "base/host_memory.hpp"
#include "base/log.hpp"
#include "base/output_file.hpp"
#include "case/mesh_case.hpp"
#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "parallel/memory.hpp"
#include "run/result/result_folder.hpp"

namespace solenoid {

namespace {

/// The default numbers of ranks to preview: 1, and up to 16 with at least 1000 cells per rank.
std::vector<int> usual_ranks(std::int64_t cells) {
  constexpr int fewest_cells = 1000;
  std::vector<int> ranks{1};
  for (int count : {2, 4, 8, 16}) {
    if (cells / count >= fewest_cells) ranks.push_back(count);
  }
  return ranks;
}

/// mesh.vtu: the quality measures, part, region, and rank in the last preview of each cell.
void write_mesh(const std::filesystem::path& file, const MeshFindings& found) {
  VtkPiece piece;
  piece.dimension = found.mesh.dimension;
  piece.points = found.mesh.points;
  piece.point_ids = found.mesh.point_ids;
  piece.cells = found.mesh.cell_points.empty() ? found.mesh.cell_nodes : found.mesh.cell_points;
  piece.cell_ids = found.mesh.cell_ids;
  std::vector<VtkArray> arrays;
  for (const QualityMeasure& measure : found.quality) arrays.push_back({measure.name, 1, measure.value});
  const auto add = [&](const std::string& name, const auto& values) {
    arrays.push_back({name, 1, {values.begin(), values.end()}});
  };
  add("volume", found.geometry.cell_volume);
  add("part", found.domain.part_of_cell);
  add("region", found.mesh.cell_region);
  add(message("rank_of_{}", found.previews.back().partition.ranks), found.preview_owner);
  write_vtu(file, piece, {}, arrays);
}

struct Subject {
  std::optional<Case> wanted;
  MeshRequest mesh;
  std::string name;
};

Subject subject_of(const CheckOptions& options) {
  if (is_mesh_name(options.file)) {
    require_input(options.sets.empty(), [&] {
      return message("--set {}: changes a case file, and {} is a mesh; --size and --scale are there for a mesh",
                     options.sets.front(), options.file.string());
    });
    MeshRequest mesh{options.file, options.size, options.scale.value_or(1), options.trust};
    mesh.has_scale = options.scale.has_value();
    return {std::nullopt, mesh, options.file.filename().string()};
  }
  require_input(!options.size && !options.scale, [&] {
    return message("--size and --scale are for a mesh; {} is a case file: use --set mesh.size=... or mesh.scale=...",
                   options.file.string());
  });
  Case wanted = read_case(options.file, options.sets);
  MeshRequest mesh = request_of(wanted.mesh, *wanted.setup);
  mesh.trust = mesh.trust || options.trust;
  const std::string name = wanted.name;
  return {std::move(wanted), mesh, name};
}

/// The listing, the picture and the figures of a part's surfaces, made where Gmsh is.
nlohmann::ordered_json description_of(const MeshRequest& mesh, Log& log) {
  const auto describe = [&](const GmshReports&) {
    const NamedPart named = examine_part(mesh);
    return nlohmann::ordered_json{{"listing", listing_of(named)},
                                  {"picture", picture_of(named)},
                                  {"dimension", named.part.dimension},
                                  {"surfaces", summary_of(named)}}
        .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  };
  return nlohmann::ordered_json::parse(in_gmsh_process(
      mesh, [&](const std::string& text) { log.line(text); }, describe));
}

/// Lists the surfaces of a part, and leaves a picture of them; before the mesh, which may fail for want of names.
void list_part(const MeshRequest& mesh, const nlohmann::ordered_json& part, const OutputFolder& results, Log& log) {
  log.line("");
  for (const auto& line : part["listing"]) log.line(line.get<std::string>());
  write_text_file(results.file("surfaces.svg"), part["picture"].get<std::string>());
  log.line(message("lengths are those of {}; {} shows the {} with their numbers", mesh.file.filename().string(),
                   (results.path() / "surfaces.svg").string(), part["dimension"] == 2 ? "curves" : "surfaces"));
  log.line("");
}

/// y+ of the layer at the wall in a boundary layer as long as the mesh, at the largest speed that the case gives.
std::optional<std::string> wall_unit_text(const Subject& subject, const MeshFindings& found) {
  const nlohmann::json::json_pointer place("/flow/viscosity");
  const nlohmann::json case_values = subject.wanted ? nlohmann::json(subject.wanted->effective) : nlohmann::json();
  const bool has_viscosity = case_values.contains(place) && case_values[place].is_number();
  if (subject.mesh.layers.count == 0 || !has_viscosity || !found.step || !(found.step->speed > 0)) return std::nullopt;
  const double viscosity = case_values[place].get<double>(), speed = found.step->speed;
  const Vec3 size = found.box.size();
  const double length = std::max({size.x, size.y, size.z}), reynolds = speed * length / viscosity;
  // Friction of a plate: laminar by Blasius, turbulent by White (2006), eq. (6-78).
  constexpr double transition = 5e5;
  const bool is_laminar = reynolds < transition;
  const double friction = is_laminar ? 0.664 / std::sqrt(reynolds) : 0.027 / std::pow(reynolds, 1.0 / 7);
  const double first = subject.mesh.layers.first * subject.mesh.scale.x;
  return message("{:<12}{:.3g} m at the wall: y+ about {:.2g} in a {} boundary layer {:.3g} m long at {:.3g} m/s",
                 "layers", first, first * speed * std::sqrt(friction / 2) / viscosity,
                 is_laminar ? "laminar" : "turbulent", length, speed);
}

void examine_and_report(const CheckOptions& options, Log& log) {
  const Subject subject = subject_of(options);
  const std::size_t program_bytes = host_bytes_peak();
  const std::filesystem::path folder =
      options.output.empty() ? std::filesystem::path("results") / (subject.name + "-check") : options.output;
  require_replaceable(folder);
  log.line(subject.wanted ? subject.wanted->title : subject.mesh.file.string());
  std::optional<OutputFolder> results;
  std::optional<nlohmann::ordered_json> part;
  const auto claim = [&] { return claim_result_folder(folder, [&](const std::string& text) { log.line(text); }); };
  if (is_part(subject.mesh.file) && std::filesystem::is_regular_file(subject.mesh.file)) {
    part = description_of(subject.mesh, log);
    results.emplace(claim());
    list_part(subject.mesh, *part, *results, log);
  }
  std::optional<MeshFindings> examined;
  {
    const Activity shown(log, "reading and examining " + subject.mesh.file.filename().string());
    MeshSource source = read_mesh(subject.mesh, [&](const std::string& text) { log.line(text); });
    if (subject.wanted) source.pairs = subject.wanted->setup->pairs();
    std::int64_t cells = source.cell_count();
    for (int k = 0; subject.wanted && k < subject.wanted->mesh.refine; ++k) cells *= children_of_cell(source.dimension);
    std::vector<int> ranks = options.ranks.empty() ? usual_ranks(cells) : options.ranks;
    std::sort(ranks.begin(), ranks.end());
    examined = examine(source, subject.wanted ? &*subject.wanted : nullptr, ranks, program_bytes);
  }
  const MeshFindings& found = *examined;
  log.line("");
  for (const std::string& line : check_text(found)) log.line(line);
  if (const auto line = wall_unit_text(subject, found)) log.line(*line);

  if (!results) results.emplace(claim());
  nlohmann::ordered_json summary = check_summary(found);
  if (part) summary["surfaces"] = (*part)["surfaces"];
  write_text_file(results->file("check.json"),
                  summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  write_mesh(results->file("mesh.vtu"), found);
  log.line(message("{:<12}{}: mesh.vtu shows the quality of each cell in ParaView, check.json has the figures",
                   "results", folder.string()));
  require_input(found.problems.empty(), [&] { return fault_list(found.problems); });
}

}  // namespace

void check(const Comm& comm, const CheckOptions& options) {
  Log log(comm, false);
  comm.guard([&] {
    if (comm.is_root()) examine_and_report(options, log);
  });
}

}  // namespace solenoid
