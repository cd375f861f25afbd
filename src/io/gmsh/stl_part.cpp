#include "io/gmsh/stl_part.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/stl_surface.hpp"

namespace solenoid {

namespace {

StlPoint point_of(const Vec3& p) { return {p.x, p.y, p.z}; }

/// Adds the sides of the box around all points of the part.
void surround(StlTriangles& mesh, const Box& box, const std::string& file) {
  const StlPoint low = point_of(box.low), high = point_of(box.high);
  const double margin = 1e-6 * mesh.extent;
  for (const StlPoint& p : mesh.points) {
    for (std::size_t k = 0; k < 3; ++k) {
      require_input(p[k] > low[k] + margin && p[k] < high[k] - margin, [&] {
        return message(
            "{}: reaches to {}, out of the box of [mesh.outside], from {} to {}; an .stl lies within it: cut "
            "the part at the box in the program that made it, or give it as .step",
            file, text_of_place(vec3_of(p)), text_of_place(box.low), text_of_place(box.high));
      });
    }
  }
  append_box(mesh, low, high, side_names);
}

/// Of each triangle that Gmsh has, the surface.
using Surfaces = std::map<std::array<std::size_t, 3>, int>;

std::array<std::size_t, 3> triangle_key(std::array<std::size_t, 3> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Gives Gmsh the triangles and edges, and returns the entities that it makes of each surface: parts of it.
std::vector<std::vector<int>> entities_of(const StlSurface& surface, const std::string& file) {
  std::vector<double> positions;
  for (const StlPoint& p : surface.mesh.points) positions.insert(positions.end(), p.begin(), p.end());
  std::vector<std::size_t> triangles, lines;
  Surfaces surface_of;
  const auto add = [&](const std::array<std::size_t, 3>& nodes, int of_surface) {
    triangles.insert(triangles.end(), nodes.begin(), nodes.end());
    surface_of[triangle_key(nodes)] = of_surface;
  };
  std::vector<int> counts(static_cast<std::size_t>(surface.surfaces), 0);
  for (const int s : surface.surface_of) ++counts[static_cast<std::size_t>(s)];
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    const int of_surface = surface.surface_of[t];
    std::array<std::size_t, 3> nodes{};
    for (std::size_t k = 0; k < 3; ++k) nodes[k] = static_cast<std::size_t>(surface.mesh.triangles[t][k]) + 1;
    if (counts[static_cast<std::size_t>(of_surface)] > 1) {
      add(nodes, of_surface);
      continue;
    }
    // Gmsh meshes a surface of a single triangle without end: it gets three.
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (const std::size_t node : nodes) sum += positions[3 * (node - 1) + i];
      positions.push_back(sum / 3);
    }
    const std::size_t centre = positions.size() / 3;
    for (std::size_t k = 0; k < 3; ++k) add({nodes[k], nodes[(k + 1) % 3], centre}, of_surface);
  }
  for (const auto& edge : surface.edges) {
    for (const int end : edge) lines.push_back(static_cast<std::size_t>(end) + 1);
  }
  gmsh::discrete::add(2, positions, triangles);
  if (!lines.empty()) gmsh::discrete::add(1, {}, lines);
  gmsh::discrete::make_surfaces();
  std::vector<std::vector<int>> entities(static_cast<std::size_t>(surface.surfaces));
  for (const auto& entity : gmsh::entities(2)) {
    std::set<int> found;
    for (const gmsh::Elements& elements : gmsh::elements(2, entity.second)) {
      for (std::size_t n = 0; n + 2 < elements.nodes.size(); n += 3) {
        found.insert(surface_of.at(triangle_key({elements.nodes[n], elements.nodes[n + 1], elements.nodes[n + 2]})));
      }
    }
    require_input(found.size() <= 1, [&] {
      return message("{}: Gmsh joins surfaces {} and {}, which it should not: give another `angle` in [mesh]", file,
                     *found.begin() + 1, *found.rbegin() + 1);
    });
    if (!found.empty()) entities[static_cast<std::size_t>(*found.begin())].push_back(entity.second);
  }
  const auto without = std::find(entities.begin(), entities.end(), std::vector<int>{});
  require_input(without == entities.end(), [&] {
    return message("{}: Gmsh makes nothing of surface {}: give another `angle` in [mesh]", file,
                   without - entities.begin() + 1);
  });
  return entities;
}

/// Whether solids name surfaces: there are two names, or one beside none. Solids of one name become one.
bool merge_solids(StlTriangles& mesh, const std::string& file) {
  const std::set<std::string> different(mesh.solids.begin(), mesh.solids.end());
  if (different.size() < 2) return false;
  std::map<std::string, int> first;
  std::vector<int> now;
  for (const std::string& name : mesh.solids) {
    require_input(!has_control_character(name) && name.find('"') == std::string::npos, [&] {
      return message("{}: solid {} is called {}: expected a name without quotation marks and control characters", file,
                     now.size() + 1, printable(name));
    });
    const int place = static_cast<int>(now.size());
    now.push_back(name.empty() ? place : first.try_emplace(name, place).first->second);
  }
  for (int& solid : mesh.solid_of) solid = now[static_cast<std::size_t>(solid)];
  return true;
}

}  // namespace

PartModel load_stl(const std::filesystem::path& path, const PartSettings& settings) {
  const std::string file = path.string();
  StlTriangles triangles = read_stl(path);
  const std::size_t solids = triangles.solids.size();
  const bool are_named = merge_solids(triangles, file);
  if (settings.outside) surround(triangles, *settings.outside, file);
  StlSurface found = divide_stl(std::move(triangles), settings.angle, file);

  std::vector<std::vector<int>> entities;
  ask_gmsh(file, "Gmsh cannot make surfaces of its triangles", [&] { entities = entities_of(found, file); });
  PartModel model;
  std::set<int> nameless;
  model.surfaces.resize(static_cast<std::size_t>(found.surfaces));
  for (std::size_t t = 0; t < found.mesh.triangles.size(); ++t) {
    PartSurface& surface = model.surfaces[static_cast<std::size_t>(found.surface_of[t])];
    for (const int p : found.mesh.triangles[t]) {
      surface.corners.push_back(vec3_of(found.mesh.points[static_cast<std::size_t>(p)]));
    }
    const auto solid = static_cast<std::size_t>(found.mesh.solid_of[t]);
    const bool is_side = solid >= solids;
    surface.number = is_side ? 0 : found.surface_of[t] + 1;
    surface.name = is_side || are_named ? found.mesh.solids[solid] : "";
    surface.type = "triangles";
    if (are_named && !is_side && surface.name.empty()) nameless.insert(surface.number);
  }
  if (!nameless.empty()) {
    model.remarks.push_back(
        message("{}: {} surface{} of solids without a name, from surface {} on: groups by their "
                "numbers, as no solid names them",
                file, nameless.size(), nameless.size() == 1 ? " is" : "s are", *nameless.begin()));
  }
  for (std::size_t s = 0; s < model.surfaces.size(); ++s) model.surfaces[s].entities = entities[s];
  for (const StlVolume& shells : found.volumes) {
    const auto is_side = [&](int s) { return model.surfaces[static_cast<std::size_t>(s)].number == 0; };
    const std::vector<int>& outer = shells.front();
    if (settings.outside && std::none_of(outer.begin(), outer.end(), is_side)) continue;  // a cavity of the part
    const int number = static_cast<int>(model.volumes.size()) + 1;
    PartVolume volume{number, 0, 0};
    std::vector<std::vector<int>> loops;
    for (const std::vector<int>& shell : shells) {
      std::vector<int>& loop = loops.emplace_back();
      for (const int s : shell) {
        PartSurface& surface = model.surfaces[static_cast<std::size_t>(s)];
        loop.insert(loop.end(), surface.entities.begin(), surface.entities.end());
        surface.volumes.push_back(number);
        for (std::size_t k = 0; k < surface.corners.size(); k += 3) {
          volume.volume += dot(surface.corners[k], cross(surface.corners[k + 1], surface.corners[k + 2])) / 6;
        }
      }
    }
    ask_gmsh(file, "Gmsh cannot fill it", [&] { volume.entity = gmsh::discrete::add_volume(loops); });
    model.volumes.push_back(volume);
  }
  std::erase_if(model.surfaces, [](const PartSurface& surface) { return surface.volumes.empty(); });
  return model;
}

}  // namespace solenoid
