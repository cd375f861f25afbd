#include "io/layers/wall_layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/layers/layer_columns.hpp"
#include "io/layers/layer_prisms.hpp"
#include "mesh/joined_points.hpp"

namespace solenoid {

namespace {

class Layers {
 public:
  Layers(MeshSource& mesh, const LayerSettings& settings, const PatchPairs& pairs, const std::vector<int>& patches)
      : mesh_(mesh),
        settings_(settings),
        patches_(patches),
        joined_(joined_points(mesh, pairs)),
        surfaces_(find_surfaces(mesh, patches, joined_)),
        columns_(mesh, settings, surfaces_, joined_) {}

  void build() {
    place_points();
    const auto corners = static_cast<std::size_t>(mesh_.dimension);
    for (int& node : mesh_.cells) node = top(node);
    for (std::size_t f = 0; f < mesh_.boundary_patch.size(); ++f) {
      // Those of layered walls stay: they are the outer faces of the layers.
      if (is_layered(mesh_.boundary_patch[f])) continue;
      for (std::size_t k = 0; k < corners; ++k) {
        int& node = mesh_.boundary_faces[corners * f + k];
        node = top(node);
      }
    }
    for (const BoundingFace& face : surfaces_.faces) {
      if (face.is_layered) add_cells(face);
    }
    add_sides();
  }

  std::string report(const std::string& names) const {
    int thinner = 0, none = 0;
    real least = 1;
    for (const int point : columns_.walls()) {
      const real share = columns_.share(point);
      none += share == 0;
      thinner += share > 0 && share < 1;
      if (share > 0) least = std::min(least, share);
    }
    std::string text = message(
        "layers on {}: {} of them on {} faces, from {:.3g} m at the wall to {:.3g} m, {:.3g} m in all; {} cells", names,
        settings_.count, surfaces_.layered(), settings_.first,
        settings_.first * std::pow(settings_.growth, settings_.count - 1), settings_.thickness(), added_);
    if (thinner + none > 0) {
      text += message("; for want of room thinner at {} of {} nodes, down to {:.2g} of that", thinner,
                      columns_.walls().size(), least);
      if (none > 0) text += message(", and none at {}", none);
    }
    return text;
  }

 private:
  bool is_layered(int patch) const { return std::find(patches_.begin(), patches_.end(), patch) != patches_.end(); }

  /// New points behind the others: those of each node of the walls from the second layer on.
  void place_points() {
    first_.assign(mesh_.points.size(), -1);
    const auto count = static_cast<int>(mesh_.points.size());
    std::int64_t highest =
        mesh_.point_ids.empty() ? 0 : *std::max_element(mesh_.point_ids.begin(), mesh_.point_ids.end());
    for (const int point : columns_.walls()) {
      const auto place = static_cast<std::size_t>(point);
      if (columns_.share(point) == 0) continue;
      first_[place] = static_cast<int>(mesh_.points.size());
      const Vec3 foot = mesh_.points[place];
      for (int k = 1; k <= settings_.count; ++k) {
        mesh_.points.push_back(foot + columns_.rise(point, k));
        if (!mesh_.point_ids.empty()) mesh_.point_ids.push_back(++highest);
      }
    }
    for (int point = 0; point < count; ++point) {
      if (!columns_.is_wall(point)) mesh_.points[static_cast<std::size_t>(point)] += columns_.displacement(point);
    }
  }

  /// The node at the end of layer `k` above a point, from 0, the wall.
  int level(int point, int k) const {
    const int first = first_[static_cast<std::size_t>(point)];
    return k == 0 || first < 0 ? point : first + k - 1;
  }
  int top(int point) const { return level(point, settings_.count); }

  void add_cells(const BoundingFace& face) {
    const auto dimension = static_cast<std::size_t>(mesh_.dimension);
    const std::span<const int> nodes = surfaces_.nodes_of(face);
    const int region = mesh_.cell_region[static_cast<std::size_t>(face.cell)];
    std::int64_t id = mesh_.cell_ids.empty() ? 0 : mesh_.cell_ids[static_cast<std::size_t>(face.cell)];
    for (int k = 0; k < settings_.count; ++k) {
      const std::vector<LayerColumns::Corner> simplices = columns_.divided(nodes, k, simplices_of_prism);
      for (const LayerColumns::Corner& corner : simplices) mesh_.cells.push_back(level(corner.point, corner.level));
      for (std::size_t s = 0; s < simplices.size(); s += dimension + 1) {
        mesh_.cell_region.push_back(region);
        if (!mesh_.cell_ids.empty()) mesh_.cell_ids.push_back(id);
        ++added_;
      }
    }
  }

  /// The ends of the layers where their wall meets another boundary: strips of faces of that boundary.
  void add_sides() {
    const int dimension = mesh_.dimension;
    for (const BoundingFace& face : surfaces_.faces) {
      if (face.is_layered || face.patch < 0) continue;
      const std::span<const int> nodes = surfaces_.nodes_of(face);
      for (int k = 0; k < dimension; ++k) {
        const int a = nodes[static_cast<std::size_t>(k)], b = nodes[static_cast<std::size_t>((k + 1) % dimension)];
        const std::vector<int> ends = dimension == 2 ? std::vector<int>{a} : std::vector<int>{a, b};
        if (touches_wall(ends)) add_strip(face.patch, ends);
      }
    }
  }

  /// Whether a layered face has all these nodes.
  bool touches_wall(const std::vector<int>& nodes) const {
    const std::vector<int>& faces = surfaces_.at_point[static_cast<std::size_t>(nodes.front())];
    return std::any_of(faces.begin(), faces.end(), [&](int f) {
      const BoundingFace& face = surfaces_.faces[static_cast<std::size_t>(f)];
      if (!face.is_layered) return false;
      const auto begin = surfaces_.nodes.begin() + face.first, end = begin + mesh_.dimension;
      return std::all_of(nodes.begin(), nodes.end(), [&](int n) { return std::find(begin, end, n) != end; });
    });
  }

  void add_strip(int patch, std::span<const int> nodes) {
    for (int k = 0; k < settings_.count; ++k) {
      const std::vector<LayerColumns::Corner> faces = columns_.divided(nodes, k, simplices_of_strip);
      for (const LayerColumns::Corner& corner : faces)
        mesh_.boundary_faces.push_back(level(corner.point, corner.level));
      mesh_.boundary_patch.insert(mesh_.boundary_patch.end(), faces.size() / static_cast<std::size_t>(mesh_.dimension),
                                  patch);
    }
  }

  MeshSource& mesh_;
  const LayerSettings& settings_;
  std::vector<int> patches_;
  std::vector<int> joined_;
  LayerSurfaces surfaces_;
  LayerColumns columns_;
  std::vector<int> first_;  // by point: its second level in the new mesh, -1: none
  std::int64_t added_ = 0;
};

}  // namespace

void add_wall_layers(MeshSource& mesh, const LayerSettings& settings, const PatchPairs& pairs,
                     const std::function<void(const std::string&)>& say) {
  std::vector<int> patches;
  for (const std::string& name : settings.patches) {
    const auto found = std::find(mesh.patches.begin(), mesh.patches.end(), name);
    require_input(found != mesh.patches.end(), [&] {
      const auto near = nearest_name(name, mesh.patches);
      return message("{}: `patches` in [mesh.layers]: the mesh has no boundary group `{}`{}", mesh.name, name,
                     near ? ": did you mean `" + *near + "`?" : "");
    });
    patches.push_back(static_cast<int>(found - mesh.patches.begin()));
  }
  Layers layers(mesh, settings, pairs, patches);
  layers.build();
  say(layers.report(joined(settings.patches, ", ")));
}

}  // namespace solenoid
