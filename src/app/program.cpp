#include "app/program.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/run.hpp"
#include "app/version.hpp"
#include "base/nearest_name.hpp"

namespace solenoid {

namespace {

constexpr const char* run_help =
    "Runs a case. Start it under mpirun or srun for several ranks:\n"
    "  mpirun -n 4 solenoid run cases/cavity/case.toml --set flow.viscosity=0.01";

/// What the command line asks for, or the text that answers it.
struct Request {
  std::optional<RunOptions> run;
  std::string answer;
};

/// Names the word nearest to one that no command or option has.
void require_known_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string command = argv[1];
  require_input(command != "check" && command != "bench",
                [&] { return message("the command `{}` is not available in this version; there is: run", command); });
  require_input(command == "run", [&] {
    const auto near = nearest_name(command, {"run", "check", "bench"});
    return message("unknown command `{}`{}", command,
                   near ? "; did you mean `" + *near + "`?" : ": there is `run`; see solenoid --help");
  });
}

Request parse(const Comm& comm, int argc, char** argv) {
  require_known_command(argc, argv);
  CLI::App app(
      "Solenoid: incompressible flow on unstructured triangle meshes, one rank per GPU or CPU core.\n"
      "Exit codes: 0 done, 1 the computation failed, 2 the input is wrong.",
      "solenoid");
  app.require_subcommand(0, 1);
  bool version = false;
  app.add_flag("--version", version, "Version, commit, backend, MPI library, precision");

  RunOptions options;
  std::string case_file, output, restart;
  CLI::App* run = app.add_subcommand("run", run_help);
  run->add_option("CASE", case_file, "The case file (TOML)")->required();
  run->add_option("--set", options.sets, "key=value, laid over the case file; may be repeated")
      ->allow_extra_args(false);
  run->add_option("--output", output, "Result folder (default: results/<name of the case's folder>)");
  run->add_flag("--quiet", options.quiet, "Print errors only");
  run->add_flag("--dry-run", options.dry_run, "All of a run but the steps: says whether the input is right");
  run->add_flag("--restart{auto}", restart)->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    for (const CLI::App* chosen : app.get_subcommands()) return {std::nullopt, chosen->help()};
    return {std::nullopt, app.help()};
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::bad_input, message("{} (see solenoid --help, solenoid run --help)", error.what()));
  }
  if (version) return {std::nullopt, version_text(comm)};
  if (!run->parsed()) return {std::nullopt, app.help()};
  require_input(restart.empty(), [] { return "the option --restart is not available in this version"; });
  options.case_file = case_file;
  options.output = output;
  return {options, ""};
}

}  // namespace

ExitCode answer_for_errors(const Comm& comm, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (...) {
    const Error error = current_error();
    if (!error.collective()) {
      std::fprintf(stderr, "error on rank %d: %s\n", comm.rank(), error.what());
      comm.abort(error.code());
    }
    if (comm.is_root()) std::fprintf(stderr, "error: %s\n", error.what());
    return error.code();
  }
}

ExitCode run_program(const Comm& comm, int argc, char** argv) {
  return answer_for_errors(comm, [&] {
    Request request;
    comm.guard([&] { request = parse(comm, argc, argv); });
    if (request.run) return run_case(comm, *request.run);
    if (comm.is_root()) std::printf("%s", request.answer.c_str());
    return ExitCode::done;
  });
}

}  // namespace solenoid
