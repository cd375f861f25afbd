#include "physics/waves/wave_height.hpp"

#include <cmath>
#include <numbers>

#include "parallel/backend.hpp"

namespace solenoid {

WaveHeight::WaveHeight(const LocalMesh& mesh, HeightMeaning meaning, real from)
    : meaning_(meaning), from_(from), elevation_(mesh, true), height_(mesh) {}

namespace {

bool is_before_span(real time, real from) {
  constexpr real round_off = 1e-9;
  return time < from * (1 - round_off);
}

}  // namespace

void WaveHeight::sample(const Field<Node>& elevation, real time) {
  if (is_before_span(time, from_)) return;
  if (samples_ == 0) first_ = time;
  elevation_.sample(elevation, samples_ == 0 ? 0 : time - last_);
  ++samples_;
  last_ = time;
}

Field<Node>& WaveHeight::now() {
  const real factor = meaning_ == HeightMeaning::regular ? 2 * std::numbers::sqrt2_v<real> : real{4};
  const auto variance = std::as_const(elevation_.variance()).view();
  const auto height = height_.view();
  forall(
      height_.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        height[n] = factor * std::sqrt(variance[n]);
      });
  return height_;
}

void WaveHeight::visit_state(StateVisitor& visitor) {
  elevation_.visit_state("height", visitor);
  visitor.number("height_samples", samples_);
  visitor.number("height_first_time", first_);
  visitor.number("height_last_time", last_);
}

void WaveHeight::state_restored() {
  if (samples_ == 0 || !is_before_span(first_, from_)) return;
  elevation_.begin_anew();
  samples_ = 0;
}

}  // namespace solenoid
