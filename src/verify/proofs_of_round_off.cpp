/// Proofs with runs that sum the same numbers in another order: they agree to round-off.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "solve/tolerances.hpp"
#include "verify/proof.hpp"

namespace solenoid {

namespace {

using Json = nlohmann::ordered_json;

constexpr double round_off = by_precision(1e-10, 1e-3);

/// Factors of loops are rounded to 2^-38 of the largest flux or potential, which far exceeds the flux of a face, and
/// the numbering selects the cycles that they multiply (HarmonicFluxes).
constexpr double of_factors = std::max(1e-9, round_off);

/// Differences above round-off have a bar of what ten times the solvers' tolerances make: between cells so flat that
/// even tolerances at round-off leave more.
Finding within_round_off(ShortCase& subject, const Difference& difference) {
  const Json& settings = subject.as_given.effective;
  const bool has_factors = subject.dimension == 3 && settings.contains("flow") && settings["flow"]["method"] == "exact";
  double bar = has_factors ? of_factors : round_off;
  std::string where = difference.largest > 0 ? "largest in " + difference.of : "";
  if (difference.largest > bar) {
    constexpr double most = by_precision(1e-7, 1e-2);
    bar = std::clamp(subject.difference_of_tolerances(), bar, most);
    where += message(", ten times the tolerances make {:.3g}", subject.difference_of_tolerances());
  }
  return {difference.largest <= bar ? Verdict::held : Verdict::failed, difference.largest, bar, where};
}

Finding on_one_rank(ShortCase& subject) {
  if (subject.comm.size() == 1) return {Verdict::not_applicable, {}, {}, "start it on several ranks (mpirun -n 3)"};
  const bool in_bits = subject.as_given.reproducible;
  const Case& wanted = in_bits ? subject.as_given : subject.tight;
  std::optional<Snapshot> alone;
  subject.comm.guard([&] {
    if (!subject.comm.is_root()) return;
    const Comm self(MPI_COMM_SELF);
    ShortRun run(self, wanted, subject.source);
    run.advance(subject.steps);
    alone = snapshot_of(run);
  });
  const Snapshot& together = in_bits ? subject.reference() : subject.tight_reference();
  const Difference difference = relative_difference(subject.comm, together, alone.value_or(Snapshot{}), true);
  if (!in_bits) return within_round_off(subject, difference);
  if (difference.largest == 0) return {Verdict::held, 0.0, 0.0, "reproducible, in bits"};
  return {Verdict::failed, difference.largest, 0.0, message("reproducible, but not in {}", difference.of)};
}

Finding along(ShortCase& subject, const Frame& frame) {
  const Snapshot other = subject.run(subject.unnumbered, frame);
  return within_round_off(subject, relative_difference(subject.comm, other, subject.unnumbered_reference(), false));
}

Finding turned(ShortCase& subject) { return along(subject, Frame::of_axes({1, 0, 2}, {-1, 1, 1})); }

Finding mirrored(ShortCase& subject) { return along(subject, Frame::of_axes({0, 1, 2}, {-1, 1, 1})); }

Finding along_other_axes(ShortCase& subject) {
  if (subject.dimension == 2) return {Verdict::not_applicable, {}, {}, "the mesh lies in a plane"};
  return along(subject, Frame::of_axes({1, 2, 0}, {1, 1, 1}));
}

}  // namespace

std::vector<Proof> proofs_of_round_off() {
  return {{"ranks", "all ranks against one", on_one_rank},
          {"turn", "a quarter turn about z", turned},
          {"mirror", "mirrored, x to -x", mirrored},
          {"axes", "x, y, z become z, x, y", along_other_axes}};
}

}  // namespace solenoid
