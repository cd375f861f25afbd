#include "io/gmsh/part_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

namespace {

Vec3 on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const real length = dot(ab, ab);
  return length > 0 ? a + std::clamp<real>(dot(p - a, ab) / length, 0, 1) * ab : a;
}

/// Of a triangle: the foot of the perpendicular if it lies in it, else on an edge.
real distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(b - a, c - a);
  const real square = dot(n, n);
  if (square > 0) {
    const Vec3 foot = p - dot(p - a, n) / square * n;
    const bool is_in = dot(cross(b - a, foot - a), n) >= 0 && dot(cross(c - b, foot - b), n) >= 0 &&
                       dot(cross(a - c, foot - c), n) >= 0;
    if (is_in) return norm(p - foot);
  }
  return std::min({norm(p - on_segment(p, a, b)), norm(p - on_segment(p, b, c)), norm(p - on_segment(p, c, a))});
}

class Naming {
 public:
  Naming(const PartModel& part, const std::string& file) : part_(part), file_(file) {
    names_.of_surface.resize(part.surfaces.size());
    names_.of_volume.resize(part.volumes.size());
    boundary_ = part.dimension == 2 ? "curve" : "surface";
    for (const PartSurface& surface : part.surfaces) {
      if (surface.number != 0 && !surface.name.empty()) of_surfaces_.insert(surface.name);
    }
  }

  void apply(const PartGroup& group) {
    (std::holds_alternative<PartVolumes>(group.selected) ? of_volumes_ : of_surfaces_).insert(group.name);
    std::visit([&](const auto& selected) { select(group, selected); }, group.selected);
  }

  /// Names what no group has.
  PartNames rest() && {
    for (std::size_t s = 0; s < part_.surfaces.size(); ++s) {
      const PartSurface& surface = part_.surfaces[s];
      std::string& name = names_.of_surface[s];
      if (!name.empty() || is_within(surface)) continue;
      name = !surface.name.empty() ? surface.name : message("{}", surface.number);
      if (surface.number == 0 || surface.name.empty())
        require_unused(name, surface.title(part_.dimension), of_surfaces_);
    }
    const bool has_names = std::any_of(names_.of_volume.begin(), names_.of_volume.end(),
                                       [](const std::string& name) { return !name.empty(); });
    for (std::size_t v = 0; v < part_.volumes.size(); ++v) {
      std::string& name = names_.of_volume[v];
      if (!name.empty() || (!has_names && part_.volumes.size() < 2)) continue;
      name = message("{}", part_.volumes[v].number);
      require_unused(name, "volume " + name, of_volumes_);
    }
    return std::move(names_);
  }

 private:
  static bool is_within(const PartSurface& surface) { return surface.volumes.size() > 1; }

  /// `name`: what something is called that is in no table.
  void require_unused(const std::string& name, const std::string& what, const std::set<std::string>& given) const {
    require_input(given.count(name) == 0, [&] {
      return message(
          "{}: {} is in no [[mesh.group]], and its own name, `{}`, is that of another group: give one of "
          "them another name",
          file_, what, name);
    });
  }

  std::string where(const PartGroup& group) const { return message("{}: [[mesh.group]] `{}`", file_, group.name); }

  void take(const PartGroup& group, std::size_t s) {
    const PartSurface& surface = part_.surfaces[s];
    std::string& name = names_.of_surface[s];
    require_input(!is_within(surface), [&] {
      return message("{}: {} lies between the volumes {} and {}, and is no boundary", where(group),
                     surface.title(part_.dimension), surface.volumes[0], surface.volumes[1]);
    });
    require_input(name.empty() || name == group.name, [&] {
      return message("{}: takes {}, which is in the group `{}` already", where(group), surface.title(part_.dimension),
                     name);
    });
    name = group.name;
  }

  void select(const PartGroup& group, const PartSurfaces& surfaces) {
    for (const int number : surfaces.numbers) {
      const auto found = std::find_if(part_.surfaces.begin(), part_.surfaces.end(),
                                      [&](const PartSurface& surface) { return surface.number == number; });
      require_input(found != part_.surfaces.end(), [&] {
        return message("{}: the part has no {} {}; `solenoid check {}` lists them", where(group), boundary_, number,
                       file_);
      });
      take(group, static_cast<std::size_t>(found - part_.surfaces.begin()));
    }
  }

  void select(const PartGroup& group, const PartVolumes& volumes) {
    for (const int number : volumes.numbers) {
      require_input(number >= 1 && number <= static_cast<int>(part_.volumes.size()), [&] {
        return message("{}: the part has no volume {}, but {}", where(group), number, part_.volumes.size());
      });
      std::string& name = names_.of_volume[static_cast<std::size_t>(number) - 1];
      require_input(name.empty() || name == group.name, [&] {
        return message("{}: takes volume {}, which is in the group `{}` already", where(group), number, name);
      });
      name = group.name;
    }
  }

  void select(const PartGroup& group, const PartNear& near) {
    std::vector<std::pair<double, std::size_t>> distances;
    for (std::size_t s = 0; s < part_.surfaces.size(); ++s) {
      if (is_within(part_.surfaces[s])) continue;
      distances.emplace_back(distance_to(part_.surfaces[s], near.point, part_.dimension), s);
    }
    std::sort(distances.begin(), distances.end());
    constexpr double same = 1e-4;  // of the extent: the surfaces are facets
    const bool is_clear = distances.size() < 2 || distances[1].first - distances[0].first > same * part_.extent;
    require_input(is_clear, [&] {
      return message("{}: {} is as near to {} as to {}; take a point within one of them", where(group),
                     text_of_place(near.point), part_.surfaces[distances[0].second].title(part_.dimension),
                     part_.surfaces[distances[1].second].title(part_.dimension));
    });
    take(group, distances.front().second);
  }

  void select(const PartGroup& group, const PartPlane& plane) {
    const Vec3 normal = plane.normal / norm(plane.normal);
    constexpr double same = 1e-5;
    const auto off = [&](const PartSurface& surface) {
      real most = 0;
      for (const Vec3& p : surface.corners) most = std::max(most, std::abs(dot(p - plane.point, normal)));
      return most;
    };
    bool has_any = false;
    std::pair<double, std::size_t> nearest{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t s = 0; s < part_.surfaces.size(); ++s) {
      const double now = off(part_.surfaces[s]);
      if (is_within(part_.surfaces[s])) continue;
      if (now < nearest.first) nearest = {now, s};
      if (now > same * part_.extent) continue;
      take(group, s);
      has_any = true;
    }
    require_input(has_any, [&] {
      const PartSurface& surface = part_.surfaces[nearest.second];
      return message("{}: no {} lies in the plane; the nearest, {} with its centre at {}, reaches {:.3g} off it",
                     where(group), boundary_, surface.title(part_.dimension), text_of_place(surface.centre),
                     nearest.first);
    });
  }

  void select(const PartGroup& group, const PartColour& colour) {
    const auto is_same = [&](const PartColour& other) {
      bool same = true;
      for (std::size_t k = 0; k < 3; ++k) {
        // Gmsh has 256 intensities of light, which are few dark shades.
        const int shade = 3 + 8 * (64 - std::min(64, std::min(colour[k], other[k]))) / 64;
        same = same && std::abs(colour[k] - other[k]) <= shade;
      }
      return same;
    };
    bool has_any = false;
    std::vector<std::string> colours;
    for (std::size_t s = 0; s < part_.surfaces.size(); ++s) {
      const auto& now = part_.surfaces[s].colour;
      if (!now) continue;
      if (is_same(*now) && !is_within(part_.surfaces[s])) {
        take(group, s);
        has_any = true;
      }
      const std::string text = text_of(*now);
      if (std::find(colours.begin(), colours.end(), text) == colours.end()) colours.push_back(text);
    }
    require_input(has_any, [&] {
      return message("{}: no {} has the colour {}; {}", where(group), boundary_, text_of(colour),
                     colours.empty() ? "the file has no colours" : "those of the file are " + joined(colours, ", "));
    });
  }

  void select(const PartGroup& group, const PartRest&) {
    bool has_any = false;
    for (std::size_t s = 0; s < part_.surfaces.size(); ++s) {
      const PartSurface& surface = part_.surfaces[s];
      if (!names_.of_surface[s].empty() || is_within(surface) || surface.number == 0) continue;
      take(group, s);
      has_any = true;
    }
    require_input(has_any,
                  [&] { return message("{}: the other groups have all {}s already", where(group), boundary_); });
  }

  const PartModel& part_;
  std::string file_, boundary_;
  PartNames names_;
  std::set<std::string> of_surfaces_, of_volumes_;  // names that are given
};

/// Calls `make(name, entities, number)` for each name, with numbers from 1 in the order of their first places.
template <class EntitiesAt, class Make>
void group_by_name(const std::vector<std::string>& names, const EntitiesAt& entities_at, const Make& make) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<int>> entities;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty()) continue;
    if (entities.count(names[k]) == 0) order.push_back(names[k]);
    std::vector<int>& all = entities[names[k]];
    const std::vector<int> now = entities_at(k);
    all.insert(all.end(), now.begin(), now.end());
  }
  for (std::size_t k = 0; k < order.size(); ++k) make(order[k], entities[order[k]], static_cast<int>(k) + 1);
}

}  // namespace

double distance_to(const PartSurface& surface, const Vec3& point, int dimension) {
  real least = std::numeric_limits<real>::infinity();
  const std::vector<Vec3>& x = surface.corners;
  for (std::size_t k = 0; dimension == 2 && k + 1 < x.size(); k += 2)
    least = std::min(least, norm(point - on_segment(point, x[k], x[k + 1])));
  for (std::size_t k = 0; dimension == 3 && k + 2 < x.size(); k += 3)
    least = std::min(least, distance_to_triangle(point, x[k], x[k + 1], x[k + 2]));
  return least;
}

PartNames name_part(const PartModel& part, const std::vector<PartGroup>& groups, const std::string& file) {
  Naming naming(part, file);
  const auto is_rest = [](const PartGroup& group) { return std::holds_alternative<PartRest>(group.selected); };
  for (const PartGroup& group : groups) {
    if (!is_rest(group)) naming.apply(group);
  }
  for (const PartGroup& group : groups) {
    if (is_rest(group)) naming.apply(group);
  }
  return std::move(naming).rest();
}

void make_physical_groups(const PartModel& part, const PartNames& names) {
  const auto of_surface = [&](std::size_t s) { return part.surfaces[s].entities; };
  const auto of_volume = [&](std::size_t v) { return std::vector<int>{part.volumes[v].entity}; };
  group_by_name(names.of_surface, of_surface, [&](const std::string& name, const std::vector<int>& all, int number) {
    gmsh::add_physical_group(part.dimension - 1, all, number, name);
  });
  group_by_name(names.of_volume, of_volume, [&](const std::string& name, const std::vector<int>& all, int number) {
    gmsh::add_physical_group(part.dimension, all, number, name);
  });
}

}  // namespace solenoid
