#include "verify/proof.hpp"

namespace solenoid {

ShortCase::ShortCase(const Comm& comm_, const Case& as_given_, const Case& tight_, const Case& unnumbered_,
                     const std::optional<MeshSource>& source_, const OutputFolder& folder_, int steps_)
    : comm(comm_),
      as_given(as_given_),
      tight(tight_),
      unnumbered(unnumbered_),
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

}  // namespace solenoid
