#include "io/gmsh/part_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/mesh_forecast.hpp"
#include "io/gmsh/mesh_request.hpp"
#include "io/gmsh/part_groups.hpp"
#include "io/gmsh/part_shapes.hpp"
#include "io/gmsh/stl_part.hpp"

namespace fs = std::filesystem;

namespace solenoid {

const std::array<std::string, 6> side_names{"x-min", "x-max", "y-min", "y-max", "z-min", "z-max"};

bool is_stl(const fs::path& file) { return extension_of(file) == ".stl"; }

bool is_part(const fs::path& file) {
  const std::string extension = extension_of(file);
  return is_stl(file) || extension == ".step" || extension == ".stp" || extension == ".iges" || extension == ".igs" ||
         extension == ".brep";
}

std::string PartSurface::title(int dimension) const {
  if (number == 0) return "the side " + name;
  return message("{} {}", dimension == 2 ? "curve" : "surface", number);
}

namespace {

using Entities = gmsh::Entities;
using Triple = std::array<double, 3>;

Triple triple_of(const Vec3& p) { return {p.x, p.y, p.z}; }

std::vector<int> boundary_numbers(const Entities& entities) {
  std::set<int> numbers;
  for (const auto& entity : gmsh::boundary(entities)) numbers.insert(entity.second);
  return {numbers.begin(), numbers.end()};
}

/// Positions of the simplices of `dimension` that Gmsh has on an entity, one after the other.
class MeshOnModel {
 public:
  MeshOnModel() {
    const auto [ids, x] = gmsh::nodes();
    for (std::size_t n = 0; n < ids.size(); ++n) {
      at_[ids[n]] = {static_cast<real>(x[3 * n]), static_cast<real>(x[3 * n + 1]), static_cast<real>(x[3 * n + 2])};
    }
  }
  std::vector<Vec3> corners(int dimension, int entity) const {
    std::vector<Vec3> corners;
    for (const gmsh::Elements& elements : gmsh::elements(dimension, entity)) {
      if (elements.type != dimension) continue;  // Gmsh's numbers: 1 for lines, 2 for triangles
      for (const std::size_t node : elements.nodes) corners.push_back(at_.at(node));
    }
    return corners;
  }

 private:
  std::unordered_map<std::size_t, Vec3> at_;
};

/// Normal of a simplex as long as its area; of a segment, to its right.
Vec3 normal_of(const PartSurface& surface, std::size_t first, int dimension) {
  const Vec3 &a = surface.corners[first], &b = surface.corners[first + 1];
  if (dimension == 2) return {b.y - a.y, a.x - b.x, 0};
  return cross(b - a, surface.corners[first + 2] - a) / 2;
}

/// Sets the mean position and normal; `turn`: -1 where the simplices look inwards.
void measure(PartSurface& surface, int dimension, const std::vector<int>& turn) {
  Vec3 normal, centre;
  real area = 0, flat = 0;
  const auto corners = static_cast<std::size_t>(dimension);
  for (std::size_t k = 0; k + corners <= surface.corners.size(); k += corners) {
    const Vec3 now = static_cast<real>(turn[k / corners]) * normal_of(surface, k, dimension);
    Vec3 middle;
    for (std::size_t j = 0; j < corners; ++j) middle += surface.corners[k + j] / static_cast<real>(dimension);
    normal += now;
    area += norm(now);
    centre += norm(now) * middle;
  }
  flat = norm(normal);
  constexpr real round_off = 1e-6;
  surface.is_flat = area > 0 && flat >= (1 - round_off) * area;
  if (flat > 0) surface.normal = normal / flat;
  if (area > 0) surface.centre = centre / area;
  if (surface.area == 0) surface.area = area;
}

/// Makes the coarse meshes resolve a part `part` across in a model `whole` across.
void set_coarse_sizes(double part, double whole) {
  gmsh::set_option("Mesh.MeshSizeMax", whole / 20);
  gmsh::set_option("Mesh.MeshSizeMin", part / 1000);
  gmsh::set_option("Mesh.MeshSizeFromCurvature", 24);
  gmsh::set_option("Mesh.MeshSizeFromPoints", 0);
}

/// Surfaces of OpenCASCADE's shapes, or of what remains of the box without them.
class OccPart {
 public:
  OccPart(const fs::path& file, const PartSettings& settings) : file_(file.string()), settings_(settings) {
    PartShapes read = import_shapes(file);
    shapes_ = std::move(read.shapes);
    model_.dimension = read.dimension;
    model_.unit = read.unit;
    lower_ = model_.dimension - 1;
    ask_gmsh(file_, "Gmsh cannot put its solids together", [&] {
      if (shapes_.size() > 1) shapes_ = gmsh::occ::fragments(shapes_);
      gmsh::occ::synchronize();
    });
    for (const int entity : boundary_numbers(shapes_)) number_of_[entity] = entity;
    for (const int entity : boundary_numbers(shapes_)) colour_of_[entity] = gmsh::colour(lower_, entity);
    extent_ = extent_of_model();
    if (settings.outside) cut_box();
    collect_volumes();
    collect_surfaces();
  }

  PartModel result() && { return std::move(model_); }

 private:
  void cut_box() {
    const Box& box = *settings_.outside;
    const std::map<int, PartSurface> originals = whole_surfaces();
    Triple low = triple_of(box.low), high = triple_of(box.high);
    const bool is_plane = model_.dimension == 2;
    if (is_plane) low[2] = high[2] = originals.begin()->second.corners.front().z;
    require_input(is_plane || low[2] < high[2], [&] {
      return message("{}: has solids, and the box of [mesh.outside] no extent along z: `min` and `max` have z = {}",
                     file_, low[2]);
    });
    const int whole = is_plane ? gmsh::occ::add_rectangle(low, high) : gmsh::occ::add_box(low, high);
    Entities fluid;
    ask_gmsh(file_, "Gmsh cannot cut it out of the box of [mesh.outside]", [&] {
      fluid = gmsh::occ::cut({{model_.dimension, whole}}, shapes_);
      gmsh::occ::synchronize();
      find_origins(boundary_numbers(fluid), originals, low, high);
    });
    Entities inner;  // of hollow parts
    std::erase_if(fluid, [&](const std::pair<int, int>& volume) {
      const std::vector<int> around = boundary_numbers({volume});
      const bool reaches_sides =
          std::any_of(around.begin(), around.end(), [&](int s) { return side_of_.count(s) != 0; });
      if (!reaches_sides) inner.push_back(volume);
      return !reaches_sides;
    });
    require_input(!fluid.empty(), [&] {
      return message("{}: nothing remains of the box of [mesh.outside] without the part; expected one around the part",
                     file_);
    });
    gmsh::occ::remove(shapes_);
    if (!inner.empty()) gmsh::occ::remove(inner);
    gmsh::occ::synchronize();
    shapes_ = fluid;
    const std::vector<int> around = boundary_numbers(shapes_);
    require_input(std::any_of(around.begin(), around.end(), [&](int s) { return side_of_.count(s) == 0; }), [&] {
      return message("{}: does not lie in the box of [mesh.outside], from {} to {}", file_, text_of_place(box.low),
                     text_of_place(box.high));
    });
  }

  /// Of the part before it is cut, by a coarse mesh: their corners alone.
  std::map<int, PartSurface> whole_surfaces() const {
    set_coarse_sizes(extent_, extent_);
    ask_gmsh(file_, "Gmsh cannot mesh its surfaces", [&] { gmsh::generate_mesh(lower_); });
    const MeshOnModel mesh;
    std::map<int, PartSurface> surfaces;
    for (const auto& original : number_of_) {
      PartSurface& surface = surfaces[original.first];
      surface.number = original.first;
      surface.corners = corners_on(mesh, original.first);
    }
    gmsh::clear_mesh();
    return surfaces;
  }

  std::vector<Vec3> corners_on(const MeshOnModel& mesh, int entity) const {
    std::vector<Vec3> corners = mesh.corners(lower_, entity);
    require_input(!corners.empty(), [&] {
      return message("{}: Gmsh makes no mesh on {} {}: repair the part in the CAD system", file_,
                     model_.dimension == 2 ? "curve" : "surface", entity);
    });
    return corners;
  }

  /// Of those that the part has not: sides of the box, or pieces of surfaces of the part that the box has cut.
  void find_origins(const std::vector<int>& entities, const std::map<int, PartSurface>& originals, const Triple& low,
                    const Triple& high) {
    set_coarse_sizes(extent_, extent_of_model());
    gmsh::generate_mesh(lower_);
    const MeshOnModel mesh;
    std::map<int, std::vector<Vec3>> pieces;
    for (const int entity : entities) {
      if (number_of_.count(entity) == 0) pieces[entity] = corners_on(mesh, entity);
    }
    gmsh::clear_mesh();
    for (const auto& [entity, corners] : pieces) {
      if (const int side = side_with(corners, low, high); side >= 0) {
        side_of_[entity] = side;
      } else {
        const int original = original_of(corners, originals);
        number_of_[entity] = original;
        colour_of_[entity] = colour_of_.at(original);
      }
    }
  }

  /// -1: not all the points are on one side of the box.
  int side_with(const std::vector<Vec3>& points, const Triple& low, const Triple& high) const {
    double most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, high[k] - low[k]);
    constexpr double same = 1e-6;
    for (int side = 0; side < 2 * model_.dimension; ++side) {
      const auto axis = static_cast<std::size_t>(side / 2);
      const double at = side % 2 == 0 ? low[axis] : high[axis];
      const auto is_on_it = [&](const Vec3& p) { return std::abs(triple_of(p)[axis] - at) < same * most; };
      if (std::all_of(points.begin(), points.end(), is_on_it)) return side;
    }
    return -1;
  }

  /// The surface of the part that a piece is of, by the distances of the centres of its simplices to the untrimmed
  /// surfaces, and among those that contain them, such as planes side by side, to the facets of the trimmed ones.
  int original_of(const std::vector<Vec3>& corners, const std::map<int, PartSurface>& originals) const {
    const auto count = static_cast<std::size_t>(model_.dimension);
    constexpr double on_it = 1e-4, same = 1e-6;  // intersections are approximate
    std::vector<int> around;
    for (const auto& original : originals) {
      const bool contains = std::all_of(corners.begin(), corners.end(), [&](const Vec3& p) {
        const Triple q = gmsh::closest_point(lower_, original.first, triple_of(p));
        return std::hypot(q[0] - p.x, q[1] - p.y, q[2] - p.z) < on_it * extent_;
      });
      if (contains) around.push_back(original.first);
    }
    std::vector<std::pair<double, int>> farthest;  // of the centres, from each of these
    for (const int original : around) {
      double distance = 0;
      for (std::size_t k = 0; k + count <= corners.size(); k += count) {
        Vec3 centre;
        for (std::size_t j = 0; j < count; ++j) centre += corners[k + j] / static_cast<real>(count);
        distance = std::max(distance, distance_to(originals.at(original), centre, model_.dimension));
      }
      farthest.emplace_back(distance, original);
    }
    std::sort(farthest.begin(), farthest.end());
    // Facets on both sides of a curved surface are so far apart, too.
    const bool is_clear =
        farthest.size() == 1 || (farthest.size() > 1 && farthest[1].first > 2 * farthest[0].first + same * extent_);
    require_input(is_clear, [&] {
      return message(
          "{}: the box of [mesh.outside] cuts off a piece around {} of which it is not clear to what {} of "
          "the part it belongs: move the box",
          file_, text_of_place(corners.front()), model_.dimension == 2 ? "curve" : "surface");
    });
    return farthest.front().second;
  }

  void collect_volumes() {
    for (const auto& shape : shapes_) {
      const double volume = gmsh::occ::mass(shape.first, shape.second);
      model_.volumes.push_back({static_cast<int>(model_.volumes.size()) + 1, shape.second, volume});
    }
  }

  /// By a coarse mesh.
  void collect_surfaces() {
    set_coarse_sizes(extent_, extent_of_model());
    ask_gmsh(file_, "Gmsh cannot mesh its surfaces", [&] { gmsh::generate_mesh(lower_); });
    const MeshOnModel mesh;
    std::map<std::pair<int, std::string>, PartSurface> found;  // sides behind the numbered ones
    std::map<int, int> turn_of;
    for (const PartVolume& volume : model_.volumes) {
      for (const auto& [dimension, signed_entity] : gmsh::oriented_boundary({{model_.dimension, volume.entity}})) {
        const int entity = std::abs(signed_entity);
        const bool is_side = side_of_.count(entity) != 0;
        const std::string name = is_side ? side_names[static_cast<std::size_t>(side_of_.at(entity))] : "";
        PartSurface& surface = found[{is_side ? std::numeric_limits<int>::max() : number_of_.at(entity), name}];
        if (surface.volumes.empty() || surface.volumes.back() != volume.number)
          surface.volumes.push_back(volume.number);
        if (std::find(surface.entities.begin(), surface.entities.end(), entity) != surface.entities.end()) continue;
        surface.number = is_side ? 0 : number_of_.at(entity);
        surface.name = name;
        surface.type = gmsh::type(dimension, entity);
        surface.entities.push_back(entity);
        surface.colour = is_side ? std::nullopt : colour_of_.at(entity);
        surface.area += gmsh::occ::mass(dimension, entity);
        turn_of[entity] = signed_entity > 0 ? 1 : -1;
      }
    }
    for (auto& [key, surface] : found) {
      std::vector<int> turn;
      for (const int entity : surface.entities) {
        const std::vector<Vec3> corners = corners_on(mesh, entity);
        surface.corners.insert(surface.corners.end(), corners.begin(), corners.end());
        turn.resize(surface.corners.size() / static_cast<std::size_t>(model_.dimension), turn_of.at(entity));
      }
      measure(surface, model_.dimension, turn);
      model_.surfaces.push_back(std::move(surface));
    }
    gmsh::clear_mesh();
  }

  std::string file_;
  const PartSettings& settings_;
  PartModel model_;
  int lower_ = 2;
  double extent_ = 0;  // longest side of the box around the part before it is cut
  Entities shapes_;
  std::map<int, int> number_of_, side_of_;  // by entity
  std::map<int, std::optional<PartColour>> colour_of_;
};

}  // namespace

PartModel load_part(const fs::path& file, const PartSettings& settings) {
  PartModel model;
  ask_gmsh(file.string(), "Gmsh cannot make a part of it",
           [&] { model = is_stl(file) ? load_stl(file, settings) : OccPart(file, settings).result(); });
  Box own;
  for (PartSurface& surface : model.surfaces) {
    for (const Vec3& p : surface.corners) {
      model.box.include(p);
      if (surface.number != 0) own.include(p);
    }
    if (is_stl(file)) measure(surface, model.dimension, std::vector<int>(surface.corners.size() / 3, 1));
  }
  const Vec3 size = own.size();
  model.extent = std::max({size.x, size.y, size.z});
  return model;
}

}  // namespace solenoid
