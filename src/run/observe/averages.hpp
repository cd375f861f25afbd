/// Time averages of a case: [[average]].
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "case/case_settings.hpp"
#include "model/earlier_fields.hpp"
#include "model/patch_average.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/profiles.hpp"
#include "run/observe/sampled_means.hpp"

namespace solenoid {

struct Case;
struct FieldSeries;

/// One [[average]]: its quantities and patches. All functions are collective unless noted.
class Average : public SampledMeans {
 public:
  /// `all`: the quantities of the model; outlives this. Every patch must be one of the mesh.
  Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all);

  std::vector<Quantity> quantities() const;
  /// Call at the start of a run at `time` [s] whose clock goes on from an earlier run: the averages of that run go on,
  /// interpolated to this mesh, where they have the same name, began at `from` or later, and have the variance. Reports
  /// to `say` which do, and why others begin anew.
  void go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say);

  const AverageSettings& settings() const { return settings_; }
  /// Indices into the patches of the mesh, ascending. Not collective.
  std::vector<int> patches() const { return faces_ ? faces_->patches() : std::vector<int>{}; }

 private:
  std::string take_over(const LocalMesh& mesh, const EarlierFields& earlier, real time, Part& part);

  AverageSettings settings_;
  std::optional<PatchFaces> faces_;  // of the patches, if any
  std::vector<std::unique_ptr<AveragedQuantity>> quantities_;
};

/// All averages of a case, and its profiles.
class Averages {
 public:
  /// Those of the case. Throws as PlaneProfile does.
  Averages(const LocalMesh& mesh, const Case& wanted, const std::vector<Quantity>& all,
           const MemoryOf& = MemoryOf("averages"));
  /// These alone, without profiles.
  Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings, const std::vector<Quantity>& all,
           const MemoryOf& = MemoryOf("averages"));

  void sample(int step, real time);
  void visit_state(StateVisitor& visitor);
  void go_on(real time, const OutputList::Say& say);
  void go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say);
  /// The next time after `time` that a step must end at [s]: the first sample of one, or `end`.
  real next(real time, real end) const;
  std::vector<Quantity> quantities() const;  ///< of all averages
  /// A sink per average, which writes the series averages/NAME.pvd or .vtkhdf, of the format and cells of `fields`, and
  /// the patches averages/NAME.vtm, and one per profile, which writes profiles/NAME.csv; this outlives them.
  std::vector<std::unique_ptr<Sink>> sinks(const LocalMesh& mesh, const FieldSeries& fields) const;

 private:
  std::vector<SampledMeans*> all() const;

  std::vector<std::unique_ptr<Average>> averages_;
  std::vector<std::unique_ptr<Profile>> profiles_;
};

}  // namespace solenoid
