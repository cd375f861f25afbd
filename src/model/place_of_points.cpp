#include "model/place_of_points.hpp"

#include "base/error.hpp"

namespace solenoid {

bool is_within(const PlaceOfPoints& place, const Vec3& x) {
  if (const auto* const ball = std::get_if<BallOfPoints>(&place)) return norm(x - ball->centre) <= ball->radius;
  const auto& [from, to] = std::get<BoxOfPoints>(place);
  return from.x <= x.x && x.x <= to.x && from.y <= x.y && x.y <= to.y && from.z <= x.z && x.z <= to.z;
}

std::string text_of_extent(const Comm& comm, const Box& own, int dimension) {
  const Vec3 low{comm.min(own.low.x), comm.min(own.low.y), comm.min(own.low.z)};
  const Vec3 high{comm.max(own.high.x), comm.max(own.high.y), comm.max(own.high.z)};
  return message("from {} to {} m", text_of_place(low, dimension), text_of_place(high, dimension));
}

}  // namespace solenoid
