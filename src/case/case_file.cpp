#include "case/case_file.hpp"

#include <algorithm>
#include <cmath>

#include "base/characters.hpp"
#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "case/case_heat.hpp"
#include "case/case_words.hpp"
#include "case/toml_section.hpp"
#include "io/mesh_files.hpp"

namespace solenoid {

namespace {
const std::array<Formula, 3> at_rest;
const std::vector<std::string> flow_fields{"velocity", "pressure", "vorticity", "divergence", "stream_function"};
const std::vector<std::string> flow_probe_fields{"velocity", "pressure", "vorticity"};
const std::vector<std::string> heat_fields{"temperature", "heat_flux"};

const WordSet<FlowMethod> flow_methods{{{"exact", FlowMethod::exact}}, {{"classical", not_available}}};
const WordSet<ConvectionForm> convection_forms{
    {{"rotational", ConvectionForm::rotational}, {"none", ConvectionForm::none}},
    {{"divergence", not_available}, {"upwind", not_available}}};
const WordSet<DiffusionForm> diffusion_forms{{{"rotational", DiffusionForm::rotational}},
                                             {{"face-average", not_available}}};
const WordSet<PreconditionerKind> preconditioners{
    {{"none", PreconditionerKind::none}, {"jacobi", PreconditionerKind::jacobi}}, {{"multigrid", not_available}}};
const WordSet<BoundaryType> boundary_types{{{"wall", BoundaryType::wall}},
                                           {{"inlet", not_available},
                                            {"outlet", not_available},
                                            {"symmetry", not_available},
                                            {"temperature", belongs_to_heat},
                                            {"flux", belongs_to_heat},
                                            {"insulated", belongs_to_heat},
                                            {"convection", belongs_to_heat}}};

/// Round-off lies beyond: a residual cannot be made smaller than a few digits of the last place of what it is made of.
const NumberRange reachable_tolerance =
    sizeof(real) == sizeof(double)
        ? NumberRange{"a number of at least 1e-15, which double precision can reach, and less than 1",
                      [](double x) { return x >= 1e-15 && x < 1; }}
        : NumberRange{"a number of at least 1e-6, which single precision can reach, and less than 1",
                      [](double x) { return x >= 1e-6 && x < 1; }};

MeshSettings read_mesh(TomlSection section, const std::filesystem::path& folder) {
  MeshSettings mesh;
  const std::string file = section.text("file");
  if (has_control_character(file)) section.wrong("file", "a path without control characters");
  mesh.file = folder / file;
  mesh.size = section.optional_real("size", positive);
  mesh.scale = section.real("scale", positive, 1.0);
  mesh.trust = section.flag("trust", false);
  return mesh;
}

FlowSettings read_flow(TomlSection section) {
  FlowSettings flow;
  flow.method = section.word("method", flow_methods, "exact").value_or(flow.method);
  flow.viscosity = section.real("viscosity", positive);
  flow.convection = section.word("convection", convection_forms, "rotational").value_or(flow.convection);
  flow.diffusion = section.word("diffusion", diffusion_forms, "rotational").value_or(flow.diffusion);
  return flow;
}

TimeSettings read_time(TomlSection section) {
  TimeSettings time;
  time.end = read_end(section);
  section.exclusive("step", "cfl", true);
  section.exclusive("step", "step_max", false);
  time.step = section.optional_real("step", positive);
  time.cfl = section.optional_real("cfl", courant_number);
  time.step_max = section.optional_real("step_max", positive);
  check_step(section, "step", time.step, time.end);
  check_step(section, "step_max", time.step_max, time.end);
  time.scheme = section.word("scheme", time_schemes, "second-order").value_or(time.scheme);
  time.steady_tolerance = section.real("steady_tolerance", not_negative, 0.0);
  return time;
}

std::map<std::string, BoundarySettings> read_boundary(TomlSection section, const std::string& expected) {
  std::map<std::string, BoundarySettings> boundary;
  for (auto& [name, group] : section.named_tables(expected)) {
    if (const auto type = group.word("type", boundary_types)) {
      boundary[name] = {*type, group.expressions("velocity", at_rest), {}, {}};
    } else {
      group.ignore_rest();  // which keys it takes depends on the type
    }
  }
  return boundary;
}

SolverSettings read_solver(TomlSection section, double tolerance) {
  SolverSettings solver;
  solver.preconditioner = section.word("preconditioner", preconditioners, "jacobi").value_or(solver.preconditioner);
  solver.tolerance = section.real("tolerance", reachable_tolerance, tolerance);
  solver.max_iterations = section.integer("max_iterations", 1, solver.max_iterations);
  return solver;
}

std::map<std::string, SolverSettings> read_solvers(TomlSection section, bool is_heat) {
  std::map<std::string, SolverSettings> solvers;
  if (is_heat) {
    solvers["heat"] = read_solver(section.table("heat"), 1e-8);
    for (const char* name : {"potential", "pressure", "vorticity", "momentum"}) section.refuse(name, belongs_to_flow);
  } else {
    solvers["potential"] = read_solver(section.table("potential"), 1e-8);
    solvers["pressure"] = read_solver(section.table("pressure"), 1e-8);
    solvers["vorticity"] = read_solver(section.table("vorticity"), 1e-10);
    section.not_built_yet("momentum");
    section.refuse("heat", belongs_to_heat);
  }
  return solvers;
}

/// A tenth of the run, in whole steps where they have one length: outputs that nobody asked for leave the steps alone.
double usual_interval(const TimeSettings& time) {
  const double tenth = time.end / 10, step = time.step.value_or(0);
  constexpr double round_off = 1e-9;
  return step > 0 && std::isfinite(tenth / step) ? step * std::ceil(tenth / step - round_off) : tenth;
}

/// The times of [output], all before the `end` of the run. Of `every`, `often` is the default where no other key is
/// there; 0: none.
void read_output_times(TomlSection& section, double end, double often, OutputSettings& output) {
  section.exclusive("every", "every_steps", false);
  output.every_steps = section.optional_integer("every_steps", 1);
  output.times = section.ascending("times", positive);
  const bool has_default = often > 0 && !section.has("every_steps") && !section.has("times");
  output.every = has_default ? std::optional<double>(section.real("every", positive, often))
                             : section.optional_real("every", positive);
  if (!output.times.empty() && output.times.back() > end)
    section.wrong("times", message("times up to the `end` of the run in [time], {} s", end));

  constexpr double least_part = 1e-8;  // of `end`; what is closer is one time to the run
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

bool is_file_name(const std::string& name) {
  return name.find('/') == std::string::npos && !has_control_character(name);
}

/// The name of an entry of [[kind]], which becomes part of a file's name; `before` are the entries read so far.
template <class Settings>
std::string read_name(TomlSection& section, const std::vector<Settings>& before, const char* kind) {
  const std::string name = section.text("name");
  const auto same_name = [&](const Settings& other) { return !name.empty() && other.name == name; };
  if (!is_file_name(name)) section.wrong("name", "a name without / that can be part of a file's name");
  if (name.size() > 200) section.wrong("name", "a name of at most 200 bytes");
  if (std::any_of(before.begin(), before.end(), same_name))
    section.wrong("name", message("a name that no other {} has", kind));
  return name;
}

std::vector<ProbeSettings> read_probes(std::vector<TomlSection> sections, const std::vector<std::string>& fields) {
  std::vector<ProbeSettings> probes;
  for (TomlSection& section : sections) {
    ProbeSettings probe;
    probe.name = read_name(section, probes, "probe");
    probe.points = section.points("points");
    probe.fields = section.words("fields", fields, {fields.front()}, 1);
    probe.every_steps = section.integer("every_steps", 1, probe.every_steps);
    probes.push_back(probe);
  }
  return probes;
}

std::vector<LineSettings> read_lines(std::vector<TomlSection> sections) {
  std::vector<LineSettings> lines;
  for (TomlSection& section : sections) {
    LineSettings line;
    line.name = read_name(section, lines, "line");
    const auto from = section.vector("from"), to = section.vector("to");
    if (from && to && norm(*to - *from) == 0) section.wrong("to", "a point other than `from`");
    line.from = from.value_or(Vec3{});
    line.to = to.value_or(Vec3{});
    line.points = section.integer("points", 2, line.points, 1'000'000);
    lines.push_back(line);
  }
  return lines;
}

void read_flow_case(TomlSection& root, const std::string& groups, Case& result) {
  result.flow =
      read_flow(root.required_table("flow", "`viscosity`; or, for heat conduction, [heat] with `conductivity`"));
  result.time = read_time(root.required_table("time", "`end`, and `step` or `cfl`"));
  result.boundary = read_boundary(root.required_table("boundary", groups), groups);
  result.initial_velocity = root.table("initial").expressions("velocity", at_rest);
}

void read_heat_case(TomlSection& root, const std::string& groups, Case& result) {
  const bool is_transient = root.has("time");
  result.heat = read_heat(root.table("heat"), is_transient);
  if (is_transient) result.time = read_heat_time(root.table("time"));
  result.boundary = read_thermal_boundary(root.required_table("boundary", groups), groups, is_transient);
  if (is_transient) {
    result.initial_temperature = root.required_table("initial", "`temperature`").formula("temperature", any_number);
  } else {
    root.refuse("initial", "belongs to a transient run: add [time], or leave it out, for a steady state has no past");
  }
}

/// The name of a case, as tools/run has it: cases/cavity/case.toml is cavity, cases/cavity/re400.toml cavity-re400.
std::string name_of(const std::filesystem::path& file) {
  const std::filesystem::path whole = std::filesystem::absolute(file).lexically_normal();
  const std::filesystem::path variant = whole.extension() == ".toml" ? whole.stem() : whole.filename();
  const std::string folder = whole.parent_path().filename().string();
  if (folder.empty()) return variant.string();  // at the root of the disk
  return variant == "case" ? folder : folder + "-" + variant.string();
}

/// Throws unless `file` is there, is not a folder, and is no mesh by its name.
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
    return message("{}: not a case file (.toml), nor a mesh I read: .geo, .msh{}", file.string(), way_to_msh(file));
  });
}
}  // namespace

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  require_file(file);
  TomlDocument document(file, sets);
  TomlSection root = document.root();
  root.exclusive("flow", "heat", root.has("flow"));
  const bool is_heat = root.has("heat");

  Case result;
  result.file = file;
  result.name = name_of(file);
  result.title = root.text("title", printable(result.name));
  if (has_control_character(result.title)) root.wrong("title", "a title of one line, without control characters");
  result.mesh = read_mesh(root.required_table("mesh", "`file`"), file.parent_path());
  const std::string groups = "a table [boundary.NAME] for each boundary group of the mesh";
  if (is_heat) {
    read_heat_case(root, groups, result);
  } else {
    read_flow_case(root, groups, result);
  }
  result.solver = read_solvers(root.table("solver"), is_heat);
  TomlSection output = root.table("output");
  result.output.fields =
      output.words("fields", is_heat ? heat_fields : flow_fields, is_heat ? heat_fields : flow_fields);
  if (result.time)
    read_output_times(output, result.time->end, is_heat ? 0 : usual_interval(*result.time), result.output);
  result.probes = read_probes(root.tables("probe"), is_heat ? heat_fields : flow_probe_fields);
  result.lines = read_lines(root.tables("line"));
  root.not_built_yet("checkpoint");
  root.not_built_yet("force");
  document.finish();
  result.effective = document.effective();
  return result;
}

}  // namespace solenoid
