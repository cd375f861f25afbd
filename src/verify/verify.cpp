#include "verify/verify.hpp"

#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/partial_sum.hpp"
#include "base/phases.hpp"
#include "parallel/placement.hpp"
#include "run/result/result_folder.hpp"
#include "run/result/version.hpp"
#include "solve/tolerances.hpp"
#include "verify/proof.hpp"

namespace solenoid {

namespace {

using Json = nlohmann::ordered_json;

/// The tolerance of solves in comparisons.
constexpr double tight = by_precision(1e-12, 1e-6);

/// The `--set` values that tighten the solvers of a case to this tolerance.
std::vector<std::string> tolerances(const Case& wanted, double largest) {
  std::vector<std::string> sets;
  if (!wanted.effective.contains("solver")) return sets;
  for (const auto& [name, solver] : wanted.effective["solver"].items()) {
    if (solver.value("tolerance", 0.0) > largest) sets.push_back(message("solver.{}.tolerance={}", name, largest));
  }
  return sets;
}

const char* word(Verdict verdict) {
  if (verdict == Verdict::not_applicable) return "not applicable";
  return verdict == Verdict::held ? "held" : "failed";
}

std::string line_of(const Proof& proof, const Finding& finding) {
  const auto number = [](const std::optional<double>& value) { return value ? message("{:.3g}", *value) : "-"; };
  return message("  {:<9}{:<44}{:>11}{:>9}  {}{}", proof.name, proof.compared, number(finding.found),
                 number(finding.bar), word(finding.verdict), finding.remark.empty() ? "" : ": " + finding.remark);
}

Json as_json(const Proof& proof, const Finding& finding) {
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"name", proof.name},         {"compared", proof.compared},      {"found", number(finding.found)},
          {"bar", number(finding.bar)}, {"result", word(finding.verdict)}, {"remark", finding.remark}};
}

/// Runs a proof; a failing run counts as a failed proof. Collective.
Finding attempt(const Proof& proof, ShortCase& subject) {
  try {
    return proof.prove(subject);
  } catch (const Error& error) {
    if (!error.collective() || error.code() != ExitCode::failure) throw;
    return {Verdict::failed, {}, {}, error.what()};
  }
}

}  // namespace

ExitCode verify(const Comm& comm, const VerifyOptions& options) {
  const Stopwatch watch;
  Log log(comm, false);
  Phases phases;
  Case wanted, with_tight_solves, unnumbered, looser;
  std::filesystem::path folder;
  comm.guard([&] {
    wanted = read_case(options.case_file, options.sets);
    const auto read_with = [&](double tolerance) {
      std::vector<std::string> sets = options.sets;
      for (const std::string& set : tolerances(wanted, tolerance)) sets.push_back(set);
      return read_case(options.case_file, sets);
    };
    with_tight_solves = read_with(tight);
    with_tight_solves.setup->fix_time_scheme();
    unnumbered = read_with(tight);
    unnumbered.setup->ignore_numbering();
    looser = read_with(10 * tight);
    looser.setup->ignore_numbering();
    folder = options.output.empty() ? std::filesystem::path("results") / (wanted.name + "-verify") : options.output;
    if (comm.is_root()) require_replaceable(folder);
  });
  make_sums_exact(wanted.reproducible);
  const Device device = select_device(comm);
  const Placement placement = find_placement(comm, device);
  log.line(wanted.title + ": " + placement.text);
  for (const std::string& warning : placement.warnings) log.line("warning: " + warning);
  std::optional<MeshSource> source;
  OutputFolder results(folder);
  comm.guard([&] {
    if (!comm.is_root()) return;
    source = read_case_mesh(wanted, log, phases);
  });
  ShortCase subject(comm, {wanted, with_tight_solves, unnumbered, looser}, source, results, options.steps);
  {
    const Activity shown(log, "taking the first steps");
    subject.reference();
  }
  comm.guard([&] {
    if (comm.is_root()) results = claim_result_folder(folder, [&](const std::string& text) { log.line(text); });
  });
  log.line(message("  {:<9}{:<44}{:>11}{:>9}", "check", "compared", "found", "bar"));
  Json checks = Json::array();
  int failed = 0;
  for (const auto& group : {proofs_of_round_off(), proofs_of_bits(), proofs_of_time()}) {
    for (const Proof& proof : group) {
      Finding finding;
      {
        const Activity shown(log, proof.compared);
        finding = attempt(proof, subject);
      }
      log.line(line_of(proof, finding));
      checks.push_back(as_json(proof, finding));
      failed += finding.verdict == Verdict::failed;
    }
  }
  comm.guard([&] {
    if (!comm.is_root()) return;
    const Json summary{
        {"program", version_summary()}, {"case", wanted.effective}, {"overrides", options.sets}, {"ranks", comm.size()},
        {"steps", options.steps},       {"failed", failed},         {"checks", checks}};
    write_text_file(results.file("verify.json"), summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  });
  log.line(message("{}, after {}: {} has the figures",
                   failed == 0 ? "All held that applies" : message("{} failed", failed), duration_text(watch.seconds()),
                   (folder / "verify.json").string()));
  return failed == 0 ? ExitCode::done : ExitCode::failure;
}

}  // namespace solenoid
