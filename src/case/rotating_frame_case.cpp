#include "case/rotating_frame_case.hpp"

namespace solenoid {

namespace {

const WordSet<bool> observers{{{"frame", false}, {"rest", true}}, {}};

}  // namespace

std::optional<RotatingFrame> read_rotating_frame(TomlSection& of, const char* key) {
  std::optional<TomlSection> section = of.optional_table(key);
  if (!section) return std::nullopt;
  const auto rate = static_cast<real>(section->real("rate", any_number));
  const Vec3 axis = section->vector("axis", Vec3{0, 0, 1}), point = section->vector("point", Vec3{});
  if (norm(axis) == 0) {
    section->wrong("axis", "a direction of any length but 0");
    return std::nullopt;
  }
  return RotatingFrame{(rate / norm(axis)) * axis, point};
}

Coefficient<Vec3> read_seen_from(TomlSection& section, const RotatingFrame* frame, const Coefficient<Vec3>& velocity) {
  const bool is_from_rest = section.word("seen_from", observers, "frame").value_or(false);
  return is_from_rest && frame ? frame->relative(velocity) : velocity;
}

Wall read_wall_velocity(TomlSection& section, const RotatingFrame* frame, const Coefficient<Vec3>& velocity) {
  const bool is_from_rest = section.word("seen_from", observers, "frame").value_or(false);
  return {is_from_rest && frame ? frame->relative(velocity) : velocity, is_from_rest};
}

void read_seen_from(TomlSection& section, const RotatingFrame* frame, Outlet& opening) {
  const bool is_from_rest = section.word("seen_from", observers, "frame").value_or(false);
  if (!is_from_rest) return;
  if (opening.direction) section.wrong("seen_from", "\"frame\" beside `direction`, which is one that the frame sees");
  if (frame) opening.drift = frame->relative(Vec3{});
}

}  // namespace solenoid
