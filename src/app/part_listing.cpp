#include "app/part_listing.hpp"

#include <cmath>

#include "base/error.hpp"

namespace solenoid {

namespace {

std::string text_of(const Vec3& p, int dimension, int digits) {
  if (dimension == 2) return message("({:.{}g}, {:.{}g})", p.x, digits, p.y, digits);
  return message("({:.{}g}, {:.{}g}, {:.{}g})", p.x, digits, p.y, digits, p.z, digits);
}

/// To whole units; -0 is 0.
Vec3 rounded(const Vec3& p, double unit) {
  const auto of = [&](real x) { return static_cast<real>(std::round(x / unit) * unit + 0); };
  return {of(p.x), of(p.y), of(p.z)};
}

std::string group_of(const NamedPart& named, std::size_t s) {
  const PartSurface& surface = named.part.surfaces[s];
  if (surface.volumes.size() > 1) return message("between {} and {}", surface.volumes[0], surface.volumes[1]);
  return named.names.of_surface.empty() ? "" : named.names.of_surface[s];
}

}  // namespace

std::vector<std::string> listing_of(const NamedPart& named) {
  const int dimension = named.part.dimension;
  std::vector<std::string> lines;
  const char* columns = "{:>8}  {:<10}  {:<30}  {:<22}  {:<8}  {:<12}  {}";
  lines.push_back(dimension == 2 ? message(columns, "curve", "length", "centre", "normal", "colour", "shape", "group")
                                 : message(columns, "surface", "area", "centre", "normal", "colour", "shape", "group"));
  for (std::size_t s = 0; s < named.part.surfaces.size(); ++s) {
    const PartSurface& surface = named.part.surfaces[s];
    lines.push_back(
        message(columns, surface.number == 0 ? "-" : message("{}", surface.number), message("{:.5g}", surface.area),
                text_of(rounded(surface.centre, 1e-7 * named.part.extent), dimension, 5),
                surface.is_flat ? text_of(rounded(surface.normal, 1e-3), dimension, 3) : "curved",
                surface.colour ? solenoid::text_of(*surface.colour) : "-", surface.type, group_of(named, s)));
  }
  return lines;
}

nlohmann::ordered_json summary_of(const NamedPart& named) {
  auto all = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < named.part.surfaces.size(); ++s) {
    const PartSurface& surface = named.part.surfaces[s];
    const auto list = [](const Vec3& p) { return nlohmann::ordered_json{p.x, p.y, p.z}; };
    all.push_back({{"number", surface.number},
                   {"area", surface.area},
                   {"centre", list(surface.centre)},
                   {"normal", surface.is_flat ? list(surface.normal) : nlohmann::ordered_json()},
                   {"colour", surface.colour ? nlohmann::ordered_json(solenoid::text_of(*surface.colour)) : nullptr},
                   {"shape", surface.type},
                   {"group", group_of(named, s)}});
  }
  return all;
}

}  // namespace solenoid
