#include "verify/proof.hpp"

namespace solenoid {

ShortCase::ShortCase(const Comm& comm_, const CaseForms& forms, const std::optional<MeshSource>& source_,
                     const OutputFolder& folder_, int steps_)
    : CaseForms(forms),
      comm(comm_),
      source(source_),
      folder(folder_),
      steps(steps_),
      dimension(static_cast<int>(comm.max(std::int64_t{source ? source->dimension : 0}))) {}

Snapshot ShortCase::run(const Case& wanted, const Frame& frame) const {
  ShortRun run(comm, wanted, source, frame);
  run.advance(steps);
  return snapshot_of(run);
}

const Snapshot& ShortCase::made_once(std::optional<Snapshot>& snapshot, const Case& wanted) const {
  if (!snapshot) snapshot = run(wanted);
  return *snapshot;
}

const Snapshot& ShortCase::reference() { return made_once(reference_, as_given); }
const Snapshot& ShortCase::tight_reference() { return made_once(tight_reference_, tight); }
const Snapshot& ShortCase::unnumbered_reference() { return made_once(unnumbered_reference_, unnumbered); }

double ShortCase::difference_of_tolerances() {
  if (!difference_of_tolerances_) {
    difference_of_tolerances_ = relative_difference(comm, run(looser), unnumbered_reference(), false).largest;
  }
  return *difference_of_tolerances_;
}

}  // namespace solenoid
