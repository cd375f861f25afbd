#include "io/gmsh/part_settings.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// With its length: no two lists of names read the same.
std::string text_of(const std::string& name) { return message(" {}:{}", name.size(), name); }

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += text_of(name);
  return text;
}

std::string text_of(const Vec3& p) { return message("({} {} {})", p.x, p.y, p.z); }

std::string text_of(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += message(" {}", number);
  return text;
}

std::string text_of(const PartGroup& group) {
  const auto selected =
      Overloaded{[](const PartRest&) { return std::string("rest"); },
                 [](const PartSurfaces& surfaces) { return "surfaces" + text_of(surfaces.numbers); },
                 [](const PartVolumes& volumes) { return "volumes" + text_of(volumes.numbers); },
                 [](const PartNear& near) { return "near" + text_of(near.point); },
                 [](const PartPlane& plane) { return "plane" + text_of(plane.point) + text_of(plane.normal); },
                 [](const PartColour& colour) { return "colour" + solenoid::text_of(colour); }};
  return message(";{}: {}", text_of(group.name), std::visit(selected, group.selected));
}

std::string text_of(const PartSize& size) {
  const auto place =
      Overloaded{[](const SizePatches& patches) { return "patches" + text_of(patches.names); },
                 [](const Box& box) { return "box" + text_of(box.low) + text_of(box.high); },
                 [](const SizeCylinder& axis) {
                   return message("cylinder{}{}{}", text_of(axis.from), text_of(axis.to), axis.radius);
                 },
                 [](const SizeBall& ball) { return message("ball{}{}", text_of(ball.centre), ball.radius); }};
  return message("; {} {} at {}", size.size, size.growth, std::visit(place, size.place));
}

}  // namespace

std::string text_of(const PartColour& colour) {
  return message("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

std::string PartSettings::text() const {
  constexpr int version = 2;  // another one: parts of the same settings become other meshes
  std::string text = message("{}; {} {} {}", version, size_min.value_or(0), per_circle, angle);
  if (outside) text += text_of(outside->low) + text_of(outside->high);
  for (const PartGroup& group : groups) text += text_of(group);
  for (const PartSize& size : sizes) text += text_of(size);
  return text;
}

}  // namespace solenoid
