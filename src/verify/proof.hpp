/// The proofs of `solenoid verify`, and their subject.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output_folder.hpp"
#include "case/case_file.hpp"
#include "verify/snapshot.hpp"

namespace solenoid {

enum class Verdict { held, failed, not_applicable };

/// How a proof went.
struct Finding {
  Verdict verdict = Verdict::held;
  std::optional<double> found, bar;  ///< what was measured, and what it had to keep to
  std::string remark;                ///< where it was largest, or why it does not apply
};

/// The first steps of a case. Everything is collective.
class ShortCase {
 public:
  /// `source`: the mesh on rank 0. Refers to its arguments, which outlive it.
  ShortCase(const Comm& comm, const Case& as_given, const Case& tight, const Case& unnumbered,
            const std::optional<MeshSource>& source, const OutputFolder& folder, int steps);

  const Comm& comm;
  const Case& as_given;
  const Case& tight;       ///< with tolerances of solvers that leave nothing but round-off
  const Case& unnumbered;  ///< and with nothing that depends on how the mesh is numbered
  const std::optional<MeshSource>& source;
  const OutputFolder& folder;
  const int steps, dimension;

  /// After these steps, as `frame` shows them.
  Snapshot run(const Case& wanted, const Frame& frame = {}) const;
  // After these steps as they are; made once.
  const Snapshot& reference();
  const Snapshot& tight_reference();
  const Snapshot& unnumbered_reference();

 private:
  const Snapshot& made_once(std::optional<Snapshot>& snapshot, const Case& wanted) const;
  std::optional<Snapshot> reference_, tight_reference_, unnumbered_reference_;
};

struct Proof {
  std::string name;      ///< for scripts
  std::string compared;  ///< for people
  Finding (*prove)(ShortCase&);
};

// What must not change a bit; what may change round-off; what a smaller step makes better.
std::vector<Proof> proofs_of_bits();
std::vector<Proof> proofs_of_round_off();
std::vector<Proof> proofs_of_time();

}  // namespace solenoid
