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

/// Outcome of a proof.
struct Finding {
  Verdict verdict = Verdict::held;
  std::optional<double> found, bar;  ///< measured value, and its bound
  std::string remark;                ///< place of the largest difference, or reason why it does not apply
};

/// A case as it is given and as comparisons need it.
struct CaseForms {
  const Case& as_given;
  const Case& tight;       ///< with solver tolerances at round-off
  const Case& unnumbered;  ///< and independent of the numbering of the mesh
  const Case& looser;      ///< the same with ten times these tolerances
};

/// The first steps of a case. All functions are collective.
class ShortCase : public CaseForms {
 public:
  /// `source`: the mesh on rank 0. Keeps references to its arguments, which must outlive it.
  ShortCase(const Comm& comm, const CaseForms& forms, const std::optional<MeshSource>& source,
            const OutputFolder& folder, int steps);

  const Comm& comm;
  const std::optional<MeshSource>& source;
  const OutputFolder& folder;
  const int steps, dimension;

  /// State after these steps, in `frame`.
  Snapshot run(const Case& wanted, const Frame& frame = {}) const;
  // States after these steps in the case's own frame, computed once.
  const Snapshot& reference();
  const Snapshot& tight_reference();
  const Snapshot& unnumbered_reference();
  /// Relative difference that ten times the tolerances make in `unnumbered`.
  double difference_of_tolerances();

 private:
  const Snapshot& made_once(std::optional<Snapshot>& snapshot, const Case& wanted) const;
  std::optional<Snapshot> reference_, tight_reference_, unnumbered_reference_;
  std::optional<double> difference_of_tolerances_;
};

struct Proof {
  std::string name;      ///< for scripts
  std::string compared;  ///< description of the comparison
  Finding (*prove)(ShortCase&);
};

// Changes that must not alter a bit; changes within round-off; convergence with smaller steps.
std::vector<Proof> proofs_of_bits();
std::vector<Proof> proofs_of_round_off();
std::vector<Proof> proofs_of_time();

}  // namespace solenoid
