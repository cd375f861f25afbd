/// Time averages of a case: [[average]].
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "case/case_settings.hpp"
#include "model/earlier_fields.hpp"
#include "model/patch_average.hpp"
#include "model/time_average.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// One [[average]]: its quantities, patches, start, and last sample. All functions are collective unless noted.
class Average {
 public:
  /// `all`: the quantities of the model; outlives this. Every patch must be one of the mesh.
  Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all);

  /// Adds the state after `step` (0: the start) at `time` [s], if a sample is due; the first is due at `from`.
  void sample(int step, real time);
  bool has_begun() const;
  /// Calls `work` with quantities() up to the current `time` [s]; later samples are unaffected.
  void look(real time, const std::function<void()>& work);
  std::vector<Quantity> quantities() const;
  void visit_state(StateVisitor& visitor);
  /// Call after a restart at `time` [s]. Averages that began before `from`, lack the variance, are of other patches, or
  /// are missing from the restored state begin anew. Reports that to `say`.
  void go_on(real time, const OutputList::Say& say);
  /// Call at the start of a run at `time` [s] whose clock goes on from an earlier run: the averages of that run go on,
  /// interpolated to this mesh, where they have the same name, began at `from` or later, and have the variance. Reports
  /// to `say` which do, and why others begin anew.
  void go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say);
  /// Adds its times to the summary. Not collective.
  void conclude(ModelOutcome& outcome) const;

  const AverageSettings& settings() const { return settings_; }
  /// Indices into the patches of the mesh, ascending. Not collective.
  std::vector<int> patches() const { return faces_ ? faces_->patches() : std::vector<int>{}; }

 private:
  struct Part {
    std::unique_ptr<AveragedQuantity> averaged;
    std::int64_t samples = 0;
    real first = 0, last = 0;  // times of samples [s]
    void sample(real time);
  };
  std::string take_over(const LocalMesh& mesh, const EarlierFields& earlier, real time, Part& part);
  real from() const { return static_cast<real>(settings_.from); }
  bool is_begun_by(real time) const;

  AverageSettings settings_;
  std::optional<PatchFaces> faces_;  // of the patches, if any
  std::vector<Part> parts_;
  real shown_ = 0;  // time of the last look() [s]
};

/// All averages of a case.
class Averages {
 public:
  Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings, const std::vector<Quantity>& all,
           const MemoryOf& = MemoryOf("averages"));

  void sample(int step, real time);
  void visit_state(StateVisitor& visitor);
  void go_on(real time, const OutputList::Say& say);
  void go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say);
  /// The next time after `time` that a step must end at [s]: the start of an average, or `end`.
  real next(real time, real end) const;
  std::vector<Quantity> quantities() const;  ///< of all averages
  /// A sink per average, which writes the series averages/NAME.pvd or .vtkhdf, and the patches averages/NAME.vtm; this
  /// outlives them.
  std::vector<std::unique_ptr<Sink>> sinks(const LocalMesh& mesh, FieldFormat format) const;

 private:
  std::vector<std::unique_ptr<Average>> averages_;
};

}  // namespace solenoid
