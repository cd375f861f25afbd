/// Tracers released at the same points, once or periodically, and sent from rank to rank.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/point_sampler.hpp"
#include "model/state_visitor.hpp"
#include "physics/tracer/tracer_advection.hpp"

namespace solenoid {

/// Release times at each seed: `start` and, if `every` is not 0, each `every` after it up to `end` [s].
struct Releases {
  real start = 0, every = 0, end = std::numeric_limits<real>::max();
};

/// Numbers of tracers by fate, over all ranks.
struct TracerCounts {
  std::int64_t released = 0, alive = 0, lost = 0;
  std::vector<std::int64_t> left;  ///< by patch
};

class TracerSet {
 public:
  /// `seeds` lie in the mesh, which outlives this.
  TracerSet(const LocalMesh& mesh, std::string name, const PointSampler& seeds, const Releases& releases);

  const std::string& name() const { return name_; }

  /// Releases the tracers due at the start of a run, at `time` [s]. Collective.
  void start(real time);
  /// True if tracers are in the flow, or will be before a step ends at `time` [s]. Not collective.
  bool is_busy(real time) const { return counts_.alive > 0 || is_due(time); }
  /// Advances the tracers through a step that began at `begin` [s]; those released in it from their release on.
  /// Collective.
  void advance(const TracerAdvection& paths, const CarryingStep& step, real begin);

  /// All data that the next step depends on, except the release times, which belong to this set. If `visitor`
  /// overwrites them, restored() moves each tracer to the rank that owns its cell and counts the releases due by `time`
  /// [s] as done; for a set absent from the state, the last of these follows in the next step. Both are collective.
  void visit_state(StateVisitor& visitor);
  void restored(real time);

  /// This rank's tracers, between steps, sorted by id: ids count from 0 in the order of releases and of the seeds in
  /// each, the same on any number of ranks.
  const std::vector<Tracer>& tracers() const { return tracers_; }
  const TracerCounts& counts() const { return counts_; }

 private:
  real time_of(int release) const { return releases_.start + static_cast<real>(release) * releases_.every; }
  bool is_due(real time) const;
  void release(real begin, real length);
  std::vector<std::vector<Tracer>> settle(std::vector<Tracer> moved, std::vector<std::int64_t>& gone);
  int owned_cell(std::int64_t id) const;
  std::vector<real> state_rows() const;
  void set_rows(const std::vector<real>& rows);

  const LocalMesh& mesh_;
  std::string name_;
  Releases releases_;
  std::int64_t seed_count_;
  std::vector<Tracer> seeds_;  // of this rank, in the state of release, with their indices in a release as ids
  std::vector<Tracer> tracers_;
  int next_release_ = 0;
  TracerCounts counts_;
  LocalNumbering numbering_;  // of the state's rows
};

}  // namespace solenoid
