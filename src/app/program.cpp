#include "app/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <variant>

#include "app/command_texts.hpp"
#include "app/commands.hpp"
#include "base/user_text.hpp"
#include "case/case_settings.hpp"
#include "run/result/version.hpp"
#include "verify/verify.hpp"

namespace solenoid {

namespace {

constexpr const char* check_help =
    "Reports on a case or a mesh before anything is solved: sizes, boundary groups and conditions, quality and\n"
    "the worst cells, parts and holes, a partition preview, memory, steps. Leaves mesh.vtu for ParaView and "
    "check.json:\n"
    "  solenoid check cases/cavity/case.toml\n"
    "  solenoid check part.msh --scale 0.001 --ranks 8";

constexpr const char* bench_help =
    "Measures the cost of the building blocks on this machine: vector operations, mesh operators, halo exchanges, "
    "matrix\n"
    "products and CG iterations, each in time and bytes per unknown and relative to the memory bandwidth:\n"
    "  mpirun -n 2 solenoid bench --square 566 --json bench.json\n"
    "  solenoid bench gradient cg/pressure --mesh part.msh";

constexpr const char* run_help =
    "Runs a case. Start it under mpirun or srun for several ranks:\n"
    "  mpirun -n 4 solenoid run cases/cavity/case.toml --set flow.viscosity=0.01";

constexpr const char* verify_help =
    "Takes the first steps of a case again and again and says whether they stay the same: on one rank and on all,\n"
    "from a restart, in other units, along other axes, in memory full of NaN; and how fast smaller steps converge:\n"
    "  mpirun -n 3 solenoid verify cases/cavity/case.toml --set mesh.size=0.05";

const std::string see_help = " (see solenoid --help, solenoid COMMAND --help)";
constexpr const char* trust_help = "Let the .geo run programs and write files, which is refused otherwise";

/// A parsed command line: a command with its options, or a text.
struct VersionOptions {};
using Request = std::variant<RunOptions, CheckOptions, VerifyOptions, BenchOptions, VersionOptions, std::string>;

/// Throws for an unknown command and suggests the nearest one.
void require_known_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string command = argv[1];
  const std::vector<std::string> commands{"run", "check", "verify", "bench"};
  if (std::find(commands.begin(), commands.end(), command) != commands.end()) return;
  const auto near = nearest_name(command, commands);
  throw Error(ExitCode::bad_input,
              message("unknown command `{}`{}", command,
                      near ? "; did you mean `" + *near + "`?"
                           : ": there are `run`, `check`, `verify` and `bench`; see solenoid --help"));
}

/// Refuses an empty name, which an unset shell variable leaves.
const CLI::Validator a_name(
    [](std::string& text) { return text.empty() ? std::string("expected a name, found nothing") : ""; }, "");

/// Message about words that no option or argument accepts.
std::string about_extras(const CLI::App& app) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::vector<std::string> extras =
      command->remaining(true).empty() ? app.remaining(true) : command->remaining(true);
  std::vector<std::string> known;
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& extra : extras) {
    if (!extra.starts_with("-")) continue;
    const std::string name = extra.substr(0, extra.find('='));
    const auto near = nearest_name(name, known);
    return message("unknown option `{}`{}", name, near ? "; did you mean `" + *near + "`?" : "");
  }
  return message("`{}` is one argument too many", extras.empty() ? "" : extras.front());
}

/// The command line quoted for a shell.
std::string command_line(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    std::string word = argv[i];
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) || std::strchr("_-+=./:,@%", c) != nullptr;
    });
    if (!is_plain) {
      for (std::size_t at = word.find('\''); at != word.npos; at = word.find('\'', at + 4))
        word.replace(at, 1, "'\\''");
      word = "'" + word + "'";
    }
    words.push_back(word);
  }
  return joined(words, " ");
}

/// Parses the command line; with `page`, returns page(definitions) instead. Needs no MPI.
Request parse(int argc, char** argv, const std::function<std::string(const CLI::App&)>& page = {}) {
  require_known_command(argc, argv);
  CLI::App app(
      "Solenoid: incompressible flow, heat conduction and waves on triangles and tetrahedra, one rank per GPU or CPU "
      "core.\n"
      "Exit codes: 0 done, 1 the computation failed, 2 the input is wrong, 3 stopped early on request.",
      "solenoid");
  app.require_subcommand(0, 1);
  bool version = false;
  app.add_flag("--version", version, "Version, commit, backend, MPI library, precision");

  RunOptions options;
  std::string case_file, output, restart;
  CLI::App* run = app.add_subcommand("run", run_help);
  run->add_option("CASE", case_file, "The case file (TOML)")->required();
  run->add_option("--set", options.sets, "key=value, laid over the case file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  run->add_option("--output", output, "Result folder (default: results/<case>, or results/<case>-<variant>)")
      ->check(a_name)
      ->type_name("DIR");
  bool trust = false;
  run->add_flag("--trust", trust, trust_help);
  run->add_flag("--quiet", options.quiet, "Print errors only");
  bool no_report = false;
  run->add_flag("--no-report", no_report, "Leave out report.html, the run on one page");
  run->add_flag("--dry-run", options.dry_run, "All of a run but the steps: says whether the input is right");
  const CLI::Option* const goes_on =
      run->add_option("--restart", restart,
                      "Go on from a checkpoint: its file, or `auto`, the newest whole one in the result folder")
          ->expected(0, 1)
          ->type_name("[auto|FILE]");

  CheckOptions checked;
  std::string checked_file, checked_output;
  CLI::App* check = app.add_subcommand("check", check_help);
  check->add_option("CASE|MESH", checked_file, "A case file (TOML) or a mesh (.geo, .msh, polyMesh, ...)")->required();
  check->add_option("--set", checked.sets, "key=value, laid over the case file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  check->add_option("--size", checked.size, "Edge length of a part, or for a .geo that declares lc, in its units")
      ->check(CLI::PositiveNumber);
  check->add_option("--scale", checked.scale, "Length unit of a mesh in metres (default: 1)")
      ->check(CLI::PositiveNumber);
  check->add_flag("--trust", checked.trust, trust_help);
  check->add_option("--ranks", checked.ranks, "Preview the partition for so many ranks; may be repeated")
      ->check(CLI::Range(1, 1000000))
      ->allow_extra_args(false);
  check->add_option("--output", checked_output, "Result folder (default: results/<name>-check)")
      ->check(a_name)
      ->type_name("DIR");

  VerifyOptions verified;
  std::string verified_file, verified_output;
  bool verify_trusts = false;
  CLI::App* verify = app.add_subcommand("verify", verify_help);
  verify->add_option("CASE", verified_file, "The case file (TOML)")->required();
  verify->add_option("--set", verified.sets, "key=value, laid over the case file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  verify->add_option("--steps", verified.steps, "Of each run (default: 5)")->check(CLI::Range(2, 1000000));
  verify->add_flag("--trust", verify_trusts, trust_help);
  verify->add_option("--output", verified_output, "Result folder (default: results/<name>-verify)")
      ->check(a_name)
      ->type_name("DIR");

  BenchOptions measured;
  std::string bench_mesh, json, matrices;
  CLI::App* bench = app.add_subcommand("bench", bench_help);
  bench->add_option("NAME", measured.names, "What to measure: names, or beginnings such as cg/pressure (default: all)");
  bench->add_option("--mesh", bench_mesh, "A mesh (.geo, .msh, polyMesh, ...)")->type_name("MESH");
  bench->add_option("--square", measured.square, "The unit square as 2 N^2 triangles")->check(CLI::Range(1, 20000));
  bench->add_option("--cube", measured.cube, "The unit cube as 6 N^3 tetrahedra")->check(CLI::Range(1, 600));
  bench->add_option("--size", measured.size, "Edge length of a part, or for a .geo that declares lc, in its units")
      ->check(CLI::PositiveNumber);
  bench->add_flag("--trust", measured.trust, trust_help);
  bench->add_option("--refine", measured.refine, "Divide each cell N times, on its rank (default: 0)")
      ->check(CLI::Range(0, most_refinements))
      ->type_name("N");
  bench->add_option("--seconds", measured.seconds, "For each benchmark (default: 0.5)")->check(CLI::PositiveNumber);
  bench->add_option("--json", json, "File for the figures")->check(a_name)->type_name("FILE");
  bench->add_option("--matrices", matrices, "Folder for the matrices of pressure and heat as PETSc reads them")
      ->check(a_name)
      ->type_name("DIR");

  if (page) return page(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.help();  // of the command, if there is one
  } catch (const CLI::ExtrasError& error) {
    throw Error(ExitCode::bad_input, about_extras(app) + see_help);
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::bad_input, error.what() + see_help);
  }
  if (version) return VersionOptions();
  if (check->parsed()) {
    checked.file = checked_file;
    checked.output = checked_output;
    return checked;
  }
  if (verify->parsed()) {
    if (verify_trusts) verified.sets.push_back("mesh.trust=true");
    verified.case_file = verified_file;
    verified.output = verified_output;
    return verified;
  }
  if (bench->parsed()) {
    measured.mesh = bench_mesh;
    measured.json = json;
    measured.matrices = matrices;
    return measured;
  }
  if (!run->parsed()) return app.help();
  options.report = !no_report;
  if (goes_on->count() > 0) options.restart = restart.empty() ? "auto" : restart;
  options.command = command_line(argc, argv);
  if (trust) options.sets.push_back("mesh.trust=true");
  options.case_file = case_file;
  options.output = output;
  return options;
}

}  // namespace

std::string page_of_options(const std::string& kind) {
  return std::get<std::string>(parse(0, nullptr, [&](const CLI::App& app) {
    return kind == "man" ? manual_page(command_texts(app)) : completion(kind, command_texts(app));
  }));
}

ExitCode answer_for_errors(const Comm& comm, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (...) {
    const Error error = current_error();
    if (!error.collective()) {
      std::fprintf(stderr, "error on rank %d: %s\n", comm.rank(), printable(error.what()).c_str());
      comm.abort(error.code());
    }
    if (comm.is_root()) std::fprintf(stderr, "error: %s\n", printable(error.what()).c_str());
    return error.code();
  }
}

ExitCode run_program(const Comm& comm, int argc, char** argv) {
  return answer_for_errors(comm, [&] {
    Request request;
    comm.guard([&] { request = parse(argc, argv); });
    if (const auto* run = std::get_if<RunOptions>(&request)) return run_case(comm, *run);
    if (const auto* verified = std::get_if<VerifyOptions>(&request)) return verify(comm, *verified);
    if (const auto* checked = std::get_if<CheckOptions>(&request)) {
      check(comm, *checked);
    } else if (const auto* measured = std::get_if<BenchOptions>(&request)) {
      bench(comm, *measured);
    } else if (comm.is_root()) {
      const auto* text = std::get_if<std::string>(&request);
      std::printf("%s", (text ? *text : version_text(comm)).c_str());
    }
    return ExitCode::done;
  });
}

}  // namespace solenoid
