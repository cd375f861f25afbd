#include "case/case_file.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "case/average_case.hpp"
#include "case/case_words.hpp"
#include "case/function_tables.hpp"
#include "case/mesh_case.hpp"
#include "case/physics_tables.hpp"
#include "case/section_case.hpp"
#include "case/toml_section.hpp"
#include "case/tracer_case.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "io/tables/csv.hpp"
#include "model/earlier_fields.hpp"

namespace solenoid {

namespace {
const WordSet<FieldFormat> field_formats{{{"pvtu", FieldFormat::pvtu}, {"vtkhdf", FieldFormat::vtkhdf}}, {}};

/// A tenth of the run, rounded up to whole steps of a fixed step size: default outputs do not change the steps.
double usual_interval(const TimeSettings& time) {
  const double tenth = time.end / 10, step = time.step.step;
  constexpr double round_off = 1e-9;
  return step > 0 && std::isfinite(tenth / step) ? step * std::ceil(tenth / step - round_off) : tenth;
}

/// Reads the output times of [output], none after the `end` of the run. `often`: default of `every` if no other key is
/// present; 0: no default.
void read_output_times(TomlSection& section, double end, double often, OutputSettings& output) {
  section.exclusive("every", "every_steps", false);
  output.every_steps = section.optional_integer("every_steps", 1);
  output.times = section.ascending("times", positive);
  const bool has_default = often > 0 && !section.has("every_steps") && !section.has("times");
  output.every = has_default ? std::optional<double>(section.real("every", positive, often))
                             : section.optional_real("every", positive);
  if (!output.times.empty() && output.times.back() > end)
    section.wrong("times", message("times up to the `end` of the run in [time], {} s", end));

  constexpr double least_part = 1e-8;  // of `end`; the run merges closer times
  const double least = std::isfinite(end) ? least_part * end : 0;
  const std::string expected =
      message("at least {:.3g} s between outputs, {:.0e} of the `end` in [time]", least, least_part);
  if (section.has("every") && output.every && *output.every < least) section.wrong("every", expected);
  double before = 0;
  for (const double time : output.times) {
    if (time > before && time - before < least) return section.wrong("times", expected);
    before = time;
  }
}

CheckpointSettings read_checkpoint(TomlSection section) {
  constexpr double usual_minutes = 30;
  CheckpointSettings checkpoint;
  checkpoint.every_steps = section.optional_integer("every_steps", 1);
  checkpoint.every = section.optional_real("every", positive);
  const bool has_default = !section.has("every_steps") && !section.has("every");
  checkpoint.wall_minutes = has_default ? std::optional<double>(section.real("wall_minutes", positive, usual_minutes))
                                        : section.optional_real("wall_minutes", positive);
  checkpoint.keep = section.integer("keep", 1, checkpoint.keep);
  return checkpoint;
}

std::vector<ProbeSettings> read_probes(std::vector<TomlSection> sections, const std::vector<std::string>& fields,
                                       const std::optional<TimeSettings>& time) {
  std::vector<ProbeSettings> probes;
  for (TomlSection& section : sections) {
    ProbeSettings probe;
    probe.name = read_name(section, probes, "probe");
    probe.points = section.points("points");
    probe.fields = section.words("fields", fields, {fields.front()}, 1);
    probe.every_steps = section.integer("every_steps", 1, probe.every_steps);
    if (!time) {
      section.refuse("spectrum_from", "belongs to a case with [time]");
    } else if (probe.spectrum_from = section.optional_real("spectrum_from", not_negative);
               probe.spectrum_from.value_or(0) >= time->end) {
      section.wrong("spectrum_from", message("a time before the `end` of the run in [time], {} s", time->end));
    }
    probes.push_back(probe);
  }
  return probes;
}

/// The column names of the line tables.
std::vector<std::string> columns_of(const std::vector<QuantityInfo>& quantities) {
  std::vector<std::string> columns;
  for (const QuantityInfo& info : quantities) columns.insert(columns.end(), info.columns.begin(), info.columns.end());
  return columns;
}

/// Reads a [[line.reference]] and checks its table now, so that no run fails at its end for lack of it.
LineSettings::Reference read_reference(TomlSection section, const LineSettings& line,
                                       const std::vector<std::string>& columns, const std::filesystem::path& folder) {
  LineSettings::Reference reference;
  const std::string file = section.text("file");
  reference.file = folder / file;
  WordSet<std::string> known;
  for (const std::string& column : columns) known.words.emplace_back(column, column);
  reference.column = section.word("column", known).value_or("");
  reference.values = section.text("values", reference.column);
  if (file.empty()) return reference;
  try {
    const std::vector<TableColumn> table = read_table(reference.file);
    if (!line.distance_to(table.front().name, 0)) {
      section.wrong("file",
                    message("a table whose first column, `{}`, is s, or one of x, y and z that changes along the line",
                            table.front().name));
    } else if (!reference.values.empty() && !column_of(table, reference.values)) {
      section.wrong(section.has("values") ? "values" : "column", "a column of " + reference.file.string());
    }
  } catch (const Error& error) {
    section.wrong("file", std::string("a table (") + error.what() + ")");
  }
  return reference;
}

std::vector<LineSettings> read_lines(std::vector<TomlSection> sections, const std::vector<std::string>& columns,
                                     const std::filesystem::path& folder) {
  std::vector<LineSettings> lines;
  for (TomlSection& section : sections) {
    LineSettings line;
    line.name = read_name(section, lines, "line");
    const auto from = section.vector("from"), to = section.vector("to");
    if (from && to && norm(*to - *from) == 0) section.wrong("to", "a point other than `from`");
    line.from = from.value_or(Vec3{});
    line.to = to.value_or(Vec3{});
    line.points = section.integer("points", 2, line.points, 1'000'000);
    for (TomlSection& reference : section.tables("reference"))
      line.references.push_back(read_reference(reference, line, columns, folder));
    lines.push_back(line);
  }
  return lines;
}

std::vector<IntegralSettings> read_integrals(std::vector<TomlSection> sections, const ModelSetup& setup) {
  std::vector<IntegralSettings> integrals;
  const std::vector<std::string> patches = setup.patches(), fields = names_on_patches(setup.quantities());
  for (TomlSection& section : sections) {
    IntegralSettings integral;
    integral.name = read_name(section, integrals, "integral");
    integral.patches = section.words("patches", patches, patches, 1);
    integral.fields = section.words("fields", fields, fields, 1);
    integral.every_steps = section.integer("every_steps", 1, integral.every_steps);
    integrals.push_back(integral);
  }
  return integrals;
}

std::vector<ForceSettings> read_forces(std::vector<TomlSection> sections, const std::vector<std::string>& patches) {
  std::vector<ForceSettings> forces;
  const auto direction = [](TomlSection& section, const char* key, const Vec3& fallback) {
    const Vec3 given = section.vector(key, fallback);
    if (norm(given) > 0) return given / norm(given);
    section.wrong(key, "a direction other than [0, 0, 0]");
    return fallback;
  };
  for (TomlSection& section : sections) {
    ForceSettings force;
    force.name = read_name(section, forces, "force");
    force.patches = section.words("patches", patches, patches, 1);
    force.density = section.real("density", positive, force.density);
    force.moment_about = section.optional_vector("moment_about");
    const auto velocity = section.optional_real("reference_velocity", positive),
               area = section.optional_real("reference_area", positive);
    if (velocity && !area) section.wrong("reference_velocity", "`reference_area` beside it");
    if (area && !velocity) section.wrong("reference_area", "`reference_velocity` beside it");
    if (velocity && area) {
      constexpr double least = 1e-100, most = 1e100;  // bounds of the divisor of forces
      const double reference = force.density * *velocity * *velocity * *area / 2;
      if (reference < least || reference > most) {
        section.wrong("reference_velocity",
                      message("one with which density * velocity^2 * area / 2 is from {} to {} N, "
                              "not {:.3g}",
                              least, most, reference));
      }
      force.reference = {*velocity, *area};
    }
    force.drag = direction(section, "drag_direction", force.drag);
    force.lift = direction(section, "lift_direction", force.lift);
    force.every_steps = section.integer("every_steps", 1, force.every_steps);
    forces.push_back(force);
  }
  return forces;
}

/// The run has to end later than the earlier run whose clock goes on.
void require_end_after_begin(TomlSection& root, const ModelSetup& setup) {
  const EarlierFields* const earlier = setup.run_that_goes_on();
  if (!earlier || setup.time->begin < setup.time->end) return;
  root.table("initial").wrong(
      "time", message("an `end` in [time] later than that of {}, {:.6g} s", earlier->name(), setup.time->begin));
}

/// The physics of the case; more than one is a fault.
const PhysicsTable& physics_of(TomlSection& root) {
  const std::vector<PhysicsTable>& all = physics_tables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) root.exclusive(all[i].name, all[k].name, root.has(all[i].name));
  }
  const auto asked_for = [&](const PhysicsTable& physics) { return root.has(physics.name); };
  const auto last = std::find_if(all.rbegin(), all.rend(), asked_for);
  return last == all.rend() ? all.front() : *last;
}

/// Whether sums must be reproducible; the sums of hypre cannot be.
bool read_reproducible(TomlSection section, const nlohmann::ordered_json& effective) {
  const bool reproducible = section.flag("reproducible", false);
  if (!reproducible || !effective.contains("solver")) return reproducible;
  for (const auto& [name, solver] : effective["solver"].items()) {
    if (!solver.contains("preconditioner") || solver["preconditioner"] != "boomeramg") continue;
    section.wrong(
        "reproducible",
        message("false beside preconditioner = \"boomeramg\" in [solver.{}]: hypre's sums depend on the ranks", name));
  }
  return reproducible;
}

/// The name of a case, as in tools/run: cases/cavity/case.toml is cavity, cases/cavity/re1000.toml cavity-re1000.
std::string name_of(const std::filesystem::path& file) {
  const std::filesystem::path whole = std::filesystem::absolute(file).lexically_normal();
  const std::filesystem::path variant = whole.extension() == ".toml" ? whole.stem() : whole.filename();
  const std::string folder = whole.parent_path().filename().string();
  if (folder.empty()) return variant.string();  // at the root of the disk
  return variant == "case" ? folder : folder + "-" + variant.string();
}

/// Throws unless `file` exists, is no folder, and does not have the name of a mesh.
void require_file(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  require_input(!fs::is_directory(file, ignored), [&] {
    return message("{} is a folder; expected a case file, such as {}", file.string(), (file / "case.toml").string());
  });
  require_input(fs::exists(file, ignored), [&] {
    std::vector<std::string> names;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    const auto near = nearest_name(file.filename().string(), names);
    return message("{}: no such file", file.string()) + (near ? ": did you mean " + *near + "?" : "");
  });
  require_input(!is_mesh_name(file), [&] {
    return message(
        "{} is a mesh; expected a case file (.toml), which names it as `file` in [mesh]. `solenoid check {}` "
        "looks at the mesh alone",
        file.string(), file.string());
  });
  require_input(!is_foreign_mesh_name(file), [&] {
    return message("{}: not a case file (.toml), nor a mesh I read{}", file.string(), way_to_msh(file));
  });
}
}  // namespace

nlohmann::ordered_json Case::settings() const {
  nlohmann::ordered_json all = effective;
  for (std::size_t i = 0; i < functions.size(); ++i) all["table"][i]["checksum"] = functions[i].checksum;
  for (const PointValuesFile& table : point_tables) {
    nlohmann::ordered_json* at = &all;
    for (const std::string& key : table.key) at = &(*at)[key];
    (*at)["checksum"] = table.checksum;
  }
  return all;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& sets, Beginning beginning) {
  require_file(file);
  TomlDocument document(file, sets);
  TomlSection root = document.root();
  FunctionTables functions(document, root, file.parent_path());
  const PhysicsTable& physics = physics_of(root);

  Case result;
  result.file = file;
  result.name = name_of(file);
  result.title = root.text("title", printable(result.name));
  if (has_control_character(result.title)) root.wrong("title", "a title of one line, without control characters");
  result.mesh = read_mesh_settings(root.required_table("mesh", "`file`"), file.parent_path());
  result.setup = physics.read(root, file);
  const std::string whole = result.setup->needs_whole_mesh();
  if (result.mesh.distributed && !whole.empty()) {
    root.table("mesh").wrong("distributed", message("false: the mesh is checked as a whole for {}", whole));
  }
  if (const auto& time = result.setup->time) {
    const bool begins_later = beginning == Beginning::of_checkpoint && result.setup->run_that_goes_on();
    if (begins_later) result.setup->begin_at(0);  // until the checkpoint is known
    require_end_after_begin(root, *result.setup);
    const double from = begins_later ? time->end : time->begin;
    functions.require_times(from, time->end), document.require_times_of_points(from, time->end);
  }
  const std::vector<QuantityInfo> quantities = result.setup->quantities();
  const std::vector<std::string> fields = field_words(quantities, false), at_points = field_words(quantities, true);
  TomlSection output = root.table("output");
  result.output.fields = output.words("fields", fields, fields);
  result.output.format = output.word("format", field_formats, "pvtu").value_or(FieldFormat::pvtu);
  if (const auto within = output.optional_table("within")) result.output.shown.within = read_within(*within);
  result.output.shown.every = output.optional_integer("every_cells", 1).value_or(1);
  if (const auto& time = result.setup->time) {
    read_output_times(output, time->end, physics.has_usual_outputs ? usual_interval(*time) : 0, result.output);
  }
  result.probes = read_probes(root.tables("probe"), at_points, result.setup->time);
  result.lines = read_lines(root.tables("line"), columns_of(quantities), file.parent_path());
  result.integrals = read_integrals(root.tables("integral"), *result.setup);
  result.planes = read_planes(root.tables("plane"), quantities, result.output.fields);
  result.isosurfaces = read_isosurfaces(root.tables("isosurface"), quantities, result.output.fields);
  if (const auto& time = result.setup->time) {
    result.averages = read_averages(root.tables("average"), *result.setup, time->end);
    result.profiles = read_profiles(root.tables("profile"), *result.setup, time->end);
    if (root.has("checkpoint")) result.checkpoint = read_checkpoint(root.table("checkpoint"));
  } else {
    root.refuse("average", "belongs to a case with [time]");
    root.refuse("profile", "belongs to a case with [time]");
    root.refuse("checkpoint", "belongs to a case with [time]");
  }
  if (physics.name == "flow") {
    result.forces = read_forces(root.tables("force"), result.setup->wetted_patches());
    result.sections = read_sections(root.tables("section"), result.setup->patches(), quantities);
    result.tracers = read_tracers(root.tables("tracer"), *result.setup->time);
  } else {
    root.refuse("force", "belongs to [flow]");
    for (const char* table : {"periodic", "section", "tracer", "temperature", "scalar"}) {
      root.refuse(table, "belongs to [flow]");
    }
  }
  result.reproducible = read_reproducible(root.table("run"), document.effective());
  document.finish();
  result.effective = document.effective();
  result.functions = functions.all();
  result.last_time_of_functions = functions.last_time();
  result.point_tables = document.point_tables();
  for (const PointValuesFile& table : result.point_tables) {
    if (const auto times = table.values->times())
      result.last_time_of_functions = std::min(result.last_time_of_functions, times->second);
  }
  return result;
}

}  // namespace solenoid
