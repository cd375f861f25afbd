/// The height of waves at each node, from the elevations of a span of time.
#pragma once

#include "model/time_average.hpp"

namespace solenoid {

/// The meaning of a height: of waves of one period the distance from trough to crest, 2 sqrt(2) times the root mean
/// square of the elevation less its mean; of a sea of many periods the significant height, four times it.
enum class HeightMeaning { regular, significant };

class WaveHeight {
 public:
  /// Over the time from `from` [s] on.
  WaveHeight(const LocalMesh& mesh, HeightMeaning meaning, real from);

  /// Adds the elevation [m] at `time` [s] unless it is before the span. Collective.
  void sample(const Field<Node>& elevation, real time);
  /// [m], 0 with less than two samples; halo included. Collective.
  Field<Node>& now();

  void visit_state(StateVisitor& visitor);  ///< see Model
  /// Begins anew if the restored span begins before `from`.
  void state_restored();

 private:
  HeightMeaning meaning_;
  real from_;
  TimeAverage<Node, real> elevation_;
  std::int64_t samples_ = 0;
  real first_ = 0, last_ = 0;  // times of samples [s]
  Field<Node> height_;
};

}  // namespace solenoid
