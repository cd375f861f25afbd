#include "io/layers/wall_layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/host_memory.hpp"
#include "base/user_text.hpp"
#include "io/layers/layer_directions.hpp"
#include "io/layers/layer_prisms.hpp"
#include "io/layers/layer_room.hpp"

namespace solenoid {

namespace {

class Layers {
 public:
  Layers(MeshSource& mesh, const LayerSettings& settings, const std::vector<int>& patches)
      : mesh_(mesh),
        settings_(settings),
        patches_(patches),
        surfaces_(find_surfaces(mesh, patches)),
        directions_(layer_directions(mesh, surfaces_)),
        share_(mesh.points.size(), 1) {
    for (const BoundingFace& face : surfaces_.faces) faces_ += face.is_layered;
    for (std::size_t point = 0; point < mesh.points.size(); ++point) {
      if (norm(directions_[point]) > 0) walls_.push_back(static_cast<int>(point));
    }
    refuse_too_many();
    heights_ = settings.heights();
    for (const real v : volumes(mesh.points)) before_.push_back(v);
    find_shares();
  }

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
    for (const int point : walls_) {
      const real share = share_[static_cast<std::size_t>(point)];
      none += share == 0;
      thinner += share > 0 && share < 1;
      if (share > 0) least = std::min(least, share);
    }
    std::string text = message(
        "layers on {}: {} of them on {} faces, from {:.3g} m at the wall to {:.3g} m, {:.3g} m in all; {} cells", names,
        settings_.count, faces_, settings_.first, settings_.first * std::pow(settings_.growth, settings_.count - 1),
        settings_.thickness(), added_);
    if (thinner + none > 0) {
      text += message("; for want of room thinner at {} of {} nodes, down to {:.2g} of that", thinner, walls_.size(),
                      least);
      if (none > 0) text += message(", and none at {}", none);
    }
    return text;
  }

 private:
  bool is_layered(int patch) const { return std::find(patches_.begin(), patches_.end(), patch) != patches_.end(); }

  std::size_t node(const BoundingFace& face, int k) const {
    return static_cast<std::size_t>(surfaces_.nodes[static_cast<std::size_t>(face.first + k)]);
  }

  /// Places in the lists of a mesh are 32-bit numbers, and memory ends.
  void refuse_too_many() const {
    const int corners = mesh_.dimension + 1;
    const double parts = mesh_.dimension == 2 ? 2 : 3, count = settings_.count;
    const double more = parts * static_cast<double>(faces_) * count;
    const double points = static_cast<double>(mesh_.points.size()) + static_cast<double>(walls_.size()) * count;
    constexpr double most = std::numeric_limits<int>::max(), bytes_per_cell = 200;
    const bool fits = corners * (mesh_.cell_count() + more) <= most && points <= most;
    require_input(fits && bytes_per_cell * more <= host_bytes_left(), [&] {
      return message(
          "{}: {} layers, `count` in [mesh.layers], on {} faces are {:.2g} cells, which {}: take fewer layers "
          "or a coarser mesh",
          mesh_.name, settings_.count, faces_, more,
          fits ? "do not fit into the memory left here" : "are more than a mesh can have");
    });
  }

  real volume_of(const std::vector<Vec3>& x, std::span<const int> cell) const {
    std::array<Vec3, 4> corners;
    for (std::size_t k = 0; k < cell.size(); ++k) corners[k] = x[static_cast<std::size_t>(cell[k])];
    return signed_volume(std::span(corners).first(cell.size()));
  }

  std::vector<real> volumes(const std::vector<Vec3>& x) const {
    std::vector<real> all;
    for (int cell = 0; cell < mesh_.cell_count(); ++cell) all.push_back(volume_of(x, mesh_.points_of_cell(cell)));
    return all;
  }

  std::vector<Vec3> wall_displacements() const {
    std::vector<Vec3> moved(mesh_.points.size());
    const auto whole = static_cast<real>(settings_.thickness());
    for (const int point : walls_) {
      const auto place = static_cast<std::size_t>(point);
      moved[place] = share_[place] * whole * directions_[place];
    }
    return moved;
  }

  /// How far nodes may have to give way: the thickness in edges, and some more.
  int rings() const {
    real sum = 0;
    int count = 0;
    for (const BoundingFace& face : surfaces_.faces) {
      if (!face.is_layered) continue;
      sum += norm(mesh_.points[node(face, 1)] - mesh_.points[node(face, 0)]);
      ++count;
    }
    constexpr double spread = 5;
    constexpr int most = 40;
    const double edges = count > 0 && sum > 0 ? settings_.thickness() * count / sum : 0;
    return static_cast<int>(std::min<double>(most, 3 + std::ceil(spread * edges)));
  }

  /// Thins layers until every cell keeps a tenth of its volume, and every prism and its parts are the right way round.
  void find_shares() {
    LayerRoom room(mesh_, surfaces_, rings());
    constexpr int most_tries = 40;
    constexpr real least_part = real(0.1), less = real(0.7), thinnest = real(0.05);
    int last = -1;
    for (int tries = 0; tries < most_tries; ++tries) {
      displacement_ = room.displace(wall_displacements());
      std::vector<Vec3> x = mesh_.points;
      for (const int point : room.movable())
        x[static_cast<std::size_t>(point)] += displacement_[static_cast<std::size_t>(point)];
      std::vector<char> is_to_thin(mesh_.points.size(), 0);
      int narrow = -1;  // a point of a cell without room
      for (int cell = 0; cell < mesh_.cell_count(); ++cell) {
        const auto points = mesh_.points_of_cell(cell);
        const real before = before_[static_cast<std::size_t>(cell)];
        if (std::none_of(points.begin(), points.end(), [&](int p) { return room.source(p) >= 0; })) continue;
        if (volume_of(x, points) * (before < 0 ? -1 : 1) >= least_part * std::abs(before)) continue;
        narrow = points[0];
        bool has_layers = false;
        for (const int point : points) {
          if (room.source(point) < 0) continue;
          is_to_thin[static_cast<std::size_t>(room.source(point))] = 1;
          has_layers = has_layers || share_[static_cast<std::size_t>(room.source(point))] > 0;
        }
        for (const int point : points) {
          if (!has_layers && room.source(point) >= 0) mark_around(room.source(point), is_to_thin);
        }
      }
      for (const BoundingFace& face : surfaces_.faces) {
        if (!face.is_layered || (is_upright(face, x) && has_good_parts(face))) continue;
        narrow = static_cast<int>(node(face, 0));
        for (int k = 0; k < mesh_.dimension; ++k) is_to_thin[node(face, k)] = 1;
      }
      bool is_done = true;
      for (const int point : walls_) {
        const auto place = static_cast<std::size_t>(point);
        if (is_to_thin[place] == 0 || share_[place] == 0) continue;
        share_[place] = share_[place] * less < thinnest ? 0 : share_[place] * less;
        is_done = false;
      }
      if (is_done && narrow < 0) return;
      if (is_done) refuse_narrow(narrow);
      smooth_shares();
      last = narrow;
    }
    refuse_narrow(last);
  }

  [[noreturn]] void refuse_narrow(int point) const {
    throw Error(ExitCode::bad_input,
                message("{}: there is no room for the layers of [mesh.layers], {:.3g} m thick, around {}: take thinner "
                        "or fewer layers, or a coarser mesh",
                        mesh_.name, settings_.thickness(),
                        text_of_place(mesh_.points[static_cast<std::size_t>(std::max(point, 0))], mesh_.dimension)));
  }

  /// The points of layered faces at a point.
  void mark_around(int point, std::vector<char>& marked) const {
    for (const int f : surfaces_.at_point[static_cast<std::size_t>(point)]) {
      const BoundingFace& face = surfaces_.faces[static_cast<std::size_t>(f)];
      for (int k = 0; face.is_layered && k < mesh_.dimension; ++k) marked[node(face, k)] = 1;
    }
  }

  /// Whether the simplices of the layers on a face have volumes of the right sign, divided as add_cells() does.
  bool has_good_parts(const BoundingFace& face) const {
    const auto count = static_cast<std::int64_t>(mesh_.points.size());
    const auto number = [&](std::size_t point, int k) {  // in the order of the numbers of place_points()
      const auto place = static_cast<std::int64_t>(point);
      return k == 0 || share_[point] == 0 || norm(directions_[point]) == 0 ? place
                                                                           : count + place * settings_.count + (k - 1);
    };
    const auto position = [&](std::int64_t at) {
      const auto above = std::max<std::int64_t>(0, at - count);
      const auto point = static_cast<std::size_t>(at < count ? at : above / settings_.count);
      const real height = at < count ? 0 : heights_[static_cast<std::size_t>(above % settings_.count) + 1];
      return mesh_.points[point] + height * displacement_[point];
    };
    const real inwards = mesh_.dimension == 2 ? 1 : -1;  // the nodes of the face are in order from outside
    const auto dimension = static_cast<std::size_t>(mesh_.dimension);
    for (int k = 0; k < settings_.count; ++k) {
      std::vector<std::int64_t> bottom, top_nodes;
      for (int j = 0; j < mesh_.dimension; ++j) {
        bottom.push_back(number(node(face, j), k));
        top_nodes.push_back(number(node(face, j), k + 1));
      }
      std::vector<Vec3> x;
      for (const std::int64_t at : simplices_of_prism(bottom, top_nodes)) {
        x.push_back(position(at));
        if (x.size() <= dimension) continue;
        if (!(inwards * signed_volume(x) > 0)) return false;
        x.clear();
      }
    }
    return true;
  }

  /// Whether the face still looks the same way where its layers end.
  bool is_upright(const BoundingFace& face, const std::vector<Vec3>& x) const {
    const auto at = [&](int k) { return x[node(face, k)]; };
    const auto old = [&](int k) { return mesh_.points[node(face, k)]; };
    constexpr real least = real(0.1);
    if (mesh_.dimension == 2)
      return dot(at(1) - at(0), old(1) - old(0)) > least * dot(old(1) - old(0), old(1) - old(0));
    const Vec3 now = cross(at(1) - at(0), at(2) - at(0)), then = cross(old(1) - old(0), old(2) - old(0));
    return dot(now, then) > least * dot(then, then);
  }

  /// No layers more than twice as thick as those at the next node.
  void smooth_shares() {
    for (bool changes = true; changes;) {
      changes = false;
      for (const BoundingFace& face : surfaces_.faces) {
        if (!face.is_layered) continue;
        real least = 1;
        const auto share = [&](int k) -> real& { return share_[node(face, k)]; };
        const auto is_wall = [&](int k) { return norm(directions_[node(face, k)]) > 0; };
        for (int k = 0; k < mesh_.dimension; ++k) {
          if (is_wall(k) && share(k) > 0) least = std::min(least, share(k));
        }
        for (int k = 0; k < mesh_.dimension; ++k) {
          if (!is_wall(k) || share(k) <= 2 * least) continue;
          share(k) = 2 * least;
          changes = true;
        }
      }
    }
  }

  /// New points behind the others: those of each node of the walls from the second layer on.
  void place_points() {
    first_.assign(mesh_.points.size(), -1);
    const std::size_t count = mesh_.points.size();
    std::int64_t highest =
        mesh_.point_ids.empty() ? 0 : *std::max_element(mesh_.point_ids.begin(), mesh_.point_ids.end());
    for (const int point : walls_) {
      const auto place = static_cast<std::size_t>(point);
      if (share_[place] == 0) continue;
      first_[place] = static_cast<int>(mesh_.points.size());
      const Vec3 foot = mesh_.points[place];
      for (int k = 1; k <= settings_.count; ++k) {
        mesh_.points.push_back(foot + heights_[static_cast<std::size_t>(k)] * displacement_[place]);
        if (!mesh_.point_ids.empty()) mesh_.point_ids.push_back(++highest);
      }
    }
    for (std::size_t point = 0; point < count; ++point) {
      const bool is_wall = norm(directions_[point]) > 0;
      if (!is_wall) mesh_.points[point] += displacement_[point];
    }
  }

  /// The node at the end of layer `k` above a point, from 0, the wall.
  int level(int point, int k) const {
    const int first = first_[static_cast<std::size_t>(point)];
    return k == 0 || first < 0 ? point : first + k - 1;
  }
  int top(int point) const { return level(point, settings_.count); }
  std::vector<std::int64_t> levels(std::span<const int> points, int k) const {
    std::vector<std::int64_t> above;
    for (const int point : points) above.push_back(level(point, k));
    return above;
  }

  void add_cells(const BoundingFace& face) {
    const auto dimension = static_cast<std::size_t>(mesh_.dimension);
    const std::span<const int> nodes =
        std::span(surfaces_.nodes).subspan(static_cast<std::size_t>(face.first), dimension);
    const int region = mesh_.cell_region[static_cast<std::size_t>(face.cell)];
    std::int64_t id = mesh_.cell_ids.empty() ? 0 : mesh_.cell_ids[static_cast<std::size_t>(face.cell)];
    for (int k = 0; k < settings_.count; ++k) {
      const std::vector<std::int64_t> simplices = simplices_of_prism(levels(nodes, k), levels(nodes, k + 1));
      for (std::size_t s = 0; s < simplices.size(); s += dimension + 1) {
        for (std::size_t j = 0; j <= dimension; ++j) mesh_.cells.push_back(static_cast<int>(simplices[s + j]));
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
      const std::span<const int> nodes =
          std::span(surfaces_.nodes).subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(dimension));
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
      const std::vector<std::int64_t> faces = simplices_of_strip(levels(nodes, k), levels(nodes, k + 1));
      for (const std::int64_t node : faces) mesh_.boundary_faces.push_back(static_cast<int>(node));
      mesh_.boundary_patch.insert(mesh_.boundary_patch.end(), faces.size() / static_cast<std::size_t>(mesh_.dimension),
                                  patch);
    }
  }

  MeshSource& mesh_;
  const LayerSettings& settings_;
  std::vector<int> patches_;
  LayerSurfaces surfaces_;
  std::vector<Vec3> directions_;
  std::vector<real> share_;    // of the thickness, by point
  std::vector<real> heights_;  // of the ends of the layers, as parts of the thickness, from 0
  std::vector<int> walls_;     // points with layers
  std::vector<int> first_;     // by point: its second level in the new mesh, -1: none
  std::vector<real> before_;   // volumes, signed
  std::vector<Vec3> displacement_;
  std::int64_t faces_ = 0, added_ = 0;
};

}  // namespace

void add_wall_layers(MeshSource& mesh, const LayerSettings& settings,
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
  Layers layers(mesh, settings, patches);
  layers.build();
  say(layers.report(joined(settings.patches, ", ")));
}

}  // namespace solenoid
