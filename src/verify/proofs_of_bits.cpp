/// Proofs that compare bits: their changes must not alter any digit.
#include "base/error.hpp"
#include "parallel/memory.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "verify/proof.hpp"

namespace solenoid {

namespace {

// Even powers of two: multigrid and single precision scale a matrix by the square roots of its diagonal, and the root
// of an odd power is not exact.
constexpr int longer = 10, shorter = -6;

Finding in_bits(const Difference& difference) {
  if (difference.largest == 0) return {Verdict::held, 0.0, 0.0, ""};
  return {Verdict::failed, difference.largest, 0.0, message("values differ, the first in {}", difference.of)};
}

Finding as_reference(ShortCase& subject, const Snapshot& other) {
  return in_bits(count_of_different_bits(subject.comm, other, subject.reference()));
}

Finding twice(ShortCase& subject) { return as_reference(subject, subject.run(subject.as_given)); }

Finding in_poisoned_memory(ShortCase& subject) {
  const Snapshot& reference = subject.reference();  // before the poison
  const PoisonedArrays poison;
  return in_bits(count_of_different_bits(subject.comm, subject.run(subject.as_given), reference));
}

Finding in_other_lengths(ShortCase& subject) {
  return as_reference(subject, subject.run(subject.as_given, Frame::of_units(longer, 0)));
}

Finding in_other_times(ShortCase& subject) {
  return as_reference(subject, subject.run(subject.as_given, Frame::of_units(0, shorter)));
}

/// Writes a checkpoint after these steps, or before the last one of a case that ends within them, and returns its path.
std::filesystem::path leave_checkpoint(ShortCase& subject, int after) {
  ShortRun run(subject.comm, subject.as_given, subject.source);
  run.advance(after);
  const bool is_over = subject.as_given.setup->time->is_over(run.model().time());
  if (is_over && run.steps() > 0) return leave_checkpoint(subject, run.steps() - 1);
  Checkpoints checkpoints(subject.as_given, run.mesh(), run.state());
  checkpoints.open(subject.folder, 0);
  return subject.folder.path() / checkpoints.write(run.steps(), run.model().time(), 0);
}

Finding from_restart(ShortCase& subject) {
  if (!subject.as_given.setup->time) return {Verdict::not_applicable, {}, {}, "a steady state has no steps"};
  const int half = subject.steps / 2;
  const std::filesystem::path file = leave_checkpoint(subject, half);
  std::optional<ShortRun> run;
  {
    CheckpointReader checkpoint(subject.comm, file);
    run.emplace(subject.comm, subject.as_given, checkpoint.mesh());
    restore(checkpoint, subject.as_given, *run->mesh().local, run->state(), [](const std::string&) {});
  }
  subject.comm.guard([&] {
    std::error_code ignored;  // a left-over file does no harm
    if (subject.comm.is_root()) std::filesystem::remove(file, ignored);
  });
  run->advance(subject.steps - half);
  return as_reference(subject, snapshot_of(*run));
}

}  // namespace

std::vector<Proof> proofs_of_bits() {
  return {{"twice", "the same run again, in bits", twice},
          {"restart", "through a checkpoint halfway, in bits", from_restart},
          {"memory", "new memory full of NaN, in bits", in_poisoned_memory},
          {"length", message("all lengths times 2^{}, in bits", longer), in_other_lengths},
          {"time", message("all times times 2^{}, in bits", shorter), in_other_times}};
}

}  // namespace solenoid
