#include "case/box_case.hpp"

namespace solenoid {

std::optional<Box> box_between(TomlSection& section, const std::optional<Vec3>& low, const std::optional<Vec3>& high) {
  if (!low || !high) return std::nullopt;
  if (low->x <= high->x && low->y <= high->y && low->z <= high->z) return Box{*low, *high};
  section.wrong("max", "no coordinate less than that of `min`");
  return std::nullopt;
}

std::optional<Box> read_box(TomlSection section) {
  const std::optional<Vec3> low = section.vector("min"), high = section.vector("max");
  return box_between(section, low, high);
}

}  // namespace solenoid
