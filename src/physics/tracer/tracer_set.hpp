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

/// When a tracer begins at each seed: at `start` and, where `every` is not 0, each `every` after it up to `end` [s].
struct Releases {
  real start = 0, every = 0, end = std::numeric_limits<real>::max();
};

/// What became of them, on all ranks.
struct TracerCounts {
  std::int64_t released = 0, alive = 0, lost = 0;
  std::vector<std::int64_t> left;  ///< by patch
};

class TracerSet {
 public:
  /// `seeds`: in the mesh, which outlives this.
  TracerSet(const LocalMesh& mesh, std::string name, const PointSampler& seeds, const Releases& releases);

  const std::string& name() const { return name_; }

  /// Releases what is due at the start of a run, at `time` [s]. Collective.
  void start(real time);
  /// True where tracers are in the flow, or will be before a step ends at `time` [s]. Not collective.
  bool is_busy(real time) const { return counts_.alive > 0 || is_due(time); }
  /// Takes them through a step that began at `begin` [s]; those that are released in it from then on. Collective.
  void advance(const TracerAdvection& paths, const CarryingStep& step, real begin);

  /// Everything that the next step depends on, but for when tracers are released, which is this set's. Where `visitor`
  /// overwrites it, restored() takes each tracer to the rank that has its cell, and counts as released what is due by
  /// `time` [s]; of a set that the state has none of, the last of these comes in the next step. Both are collective.
  void visit_state(StateVisitor& visitor);
  void restored(real time);

  /// Those on this rank, between steps, by their ids: numbers from 0 on in the order of releases and of the seeds in
  /// each, the same on any ranks.
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
  std::vector<Tracer> seeds_;  // of this rank, as they are released, by their places in each release
  std::vector<Tracer> tracers_;
  int next_release_ = 0;
  TracerCounts counts_;
  LocalNumbering numbering_;  // of the state's rows
};

}  // namespace solenoid
