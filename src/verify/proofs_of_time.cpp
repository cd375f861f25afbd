/// The proof that smaller steps converge at the order of the time scheme.
#include <cmath>

#include "base/error.hpp"
#include "solve/tolerances.hpp"
#include "verify/proof.hpp"

namespace solenoid {

namespace {

/// States of one run to the common end time.
struct Way {
  Snapshot::Shown start, first, end;  ///< the main quantity before and after its first step, and at the end
};

Way take(ShortCase& subject, int parts, real& dt) {
  ShortRun run(subject.comm, subject.tight, subject.source);
  if (parts == 1) dt = run.next_step();
  Way way;
  way.start = main_quantity(run);
  run.advance(1, dt / static_cast<real>(parts));
  way.first = main_quantity(run);
  run.advance(subject.steps * parts - 1, dt / static_cast<real>(parts));
  way.end = main_quantity(run);
  return way;
}

Finding order(ShortCase& subject) {
  const auto& time = subject.tight.setup->time;
  if (!time) return {Verdict::not_applicable, {}, {}, "a steady state has no steps"};
  const Comm& comm = subject.comm;
  real dt = 0;
  const Way whole = take(subject, 1, dt), halves = take(subject, 2, dt), quarters = take(subject, 4, dt);
  const auto between = [&](const Snapshot::Shown& a, const Snapshot::Shown& b) { return distance(comm, a, b); };
  Snapshot::Shown none = quarters.end;
  for (real& value : none.values) value = 0;

  constexpr real round_off = tolerance::of_halved_steps;
  const real coarse = between(whole.end, halves.end), fine = between(halves.end, quarters.end);
  if (coarse <= round_off * between(quarters.end, none)) {
    return {Verdict::not_applicable, {}, {}, "the step makes no difference beyond round-off"};
  }
  // A smooth start goes four times as far in a step four times as long; an impulsive start, twice.
  constexpr real least = 3;
  if (between(whole.first, whole.start) < least * between(quarters.first, quarters.start)) {
    return {Verdict::not_applicable, {}, {}, "impulsive start: the prescribed values do not fit the initial state"};
  }
  const double bar = time->scheme == TimeScheme::euler ? 0.75 : 1.5, found = std::log2(coarse / fine);
  return {found >= bar ? Verdict::held : Verdict::failed, found, bar,
          message("in {}, steps of {:.3g} s", quarters.end.info.name, dt)};
}

}  // namespace

std::vector<Proof> proofs_of_time() { return {{"order", "order in time, steps dt, dt/2, dt/4: at least", order}}; }

}  // namespace solenoid
