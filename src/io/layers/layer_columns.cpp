#include "io/layers/layer_columns.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/host_memory.hpp"
#include "base/user_text.hpp"
#include "io/layers/layer_prisms.hpp"
#include "io/layers/layer_room.hpp"

namespace solenoid {

namespace {

real volume_of(std::span<const int> cell, const std::vector<Vec3>& x) {
  std::array<Vec3, 4> corners;
  for (std::size_t k = 0; k < cell.size(); ++k) corners[k] = x[static_cast<std::size_t>(cell[k])];
  return signed_volume(std::span(corners).first(cell.size()));
}

}  // namespace

LayerColumns::LayerColumns(const MeshSource& mesh, const LayerSettings& settings, const LayerSurfaces& surfaces,
                           const std::vector<int>& joined)
    : mesh_(mesh),
      settings_(settings),
      surfaces_(surfaces),
      joined_(joined),
      directions_(layer_directions(mesh, surfaces)),
      share_(mesh.points.size(), 1) {
  join_directions();
  for (int point = 0; point < static_cast<int>(mesh.points.size()); ++point) {
    if (is_wall(point)) walls_.push_back(point);
  }
  refuse_too_many();
  heights_ = settings.heights();
  find_shares();
}

/// Those of points that are one become that of the lowest, or none where one of them has none: there a wall ends.
void LayerColumns::join_directions() {
  for (std::size_t point = 0; point < directions_.size(); ++point) {
    if (norm(directions_[point]) == 0) directions_[lowest(point)] = {};
  }
  for (std::size_t point = 0; point < directions_.size(); ++point) directions_[point] = directions_[lowest(point)];
}

/// Places in the lists of a mesh are 32-bit numbers, and memory ends.
void LayerColumns::refuse_too_many() const {
  const int corners = mesh_.dimension + 1;
  const std::int64_t faces = surfaces_.layered();
  const double parts = mesh_.dimension == 2 ? 2 : 3, count = settings_.count;
  const double more = parts * static_cast<double>(faces) * count;
  const double points = static_cast<double>(mesh_.points.size()) + static_cast<double>(walls_.size()) * count;
  constexpr double most = std::numeric_limits<int>::max(), bytes_per_cell = 200;
  const bool fits = corners * (mesh_.cell_count() + more) <= most && points <= most;
  require_input(fits && bytes_per_cell * more <= host_bytes_left(), [&] {
    return message(
        "{}: {} layers, `count` in [mesh.layers], on {} faces are {:.2g} cells, which {}: take fewer layers "
        "or a coarser mesh",
        mesh_.name, settings_.count, faces, more,
        fits ? "do not fit into the memory left here" : "are more than a mesh can have");
  });
}

std::vector<Vec3> LayerColumns::wall_displacements() const {
  std::vector<Vec3> moved(mesh_.points.size());
  const auto whole = static_cast<real>(settings_.thickness());
  for (const int point : walls_) {
    const auto place = static_cast<std::size_t>(point);
    moved[place] = share_[place] * whole * directions_[place];
  }
  return moved;
}

/// How far nodes may have to give way: the thickness in edges, and some more.
int LayerColumns::rings() const {
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
void LayerColumns::find_shares() {
  LayerRoom room(mesh_, surfaces_, joined_, rings());
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
      if (std::none_of(points.begin(), points.end(), [&](int p) { return room.source(p) >= 0; })) continue;
      const real before = volume_of(points, mesh_.points);
      if (volume_of(points, x) * (before < 0 ? -1 : 1) >= least_part * std::abs(before)) continue;
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
    for (const int point : walls_) {
      const auto place = static_cast<std::size_t>(point);
      is_to_thin[lowest(place)] |= is_to_thin[place];
    }
    for (const int point : walls_) {
      const auto place = static_cast<std::size_t>(point);
      is_to_thin[place] = is_to_thin[lowest(place)];
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

void LayerColumns::refuse_narrow(int point) const {
  throw Error(ExitCode::bad_input,
              message("{}: there is no room for the layers of [mesh.layers], {:.3g} m thick, around {}: take thinner "
                      "or fewer layers, or a coarser mesh",
                      mesh_.name, settings_.thickness(),
                      text_of_place(mesh_.points[static_cast<std::size_t>(std::max(point, 0))], mesh_.dimension)));
}

/// The points of layered faces at a point.
void LayerColumns::mark_around(int point, std::vector<char>& marked) const {
  for (const int f : surfaces_.at_point[static_cast<std::size_t>(point)]) {
    const BoundingFace& face = surfaces_.faces[static_cast<std::size_t>(f)];
    for (int k = 0; face.is_layered && k < mesh_.dimension; ++k) marked[node(face, k)] = 1;
  }
}

/// Whether the simplices of the layers on a face have volumes of the right sign, divided as in the mesh.
bool LayerColumns::has_good_parts(const BoundingFace& face) const {
  const std::span<const int> nodes = surfaces_.nodes_of(face);
  const real inwards = mesh_.dimension == 2 ? 1 : -1;  // the nodes of the face are in order from outside
  const auto dimension = static_cast<std::size_t>(mesh_.dimension);
  for (int k = 0; k < settings_.count; ++k) {
    std::vector<Vec3> x;
    for (const auto& [point, level] : divided(nodes, k, simplices_of_prism)) {
      const auto place = static_cast<std::size_t>(point);
      x.push_back(mesh_.points[place] + rise(point, level));
      if (x.size() <= dimension) continue;
      if (!(inwards * signed_volume(x) > 0)) return false;
      x.clear();
    }
  }
  return true;
}

/// Whether the face still looks the same way where its layers end.
bool LayerColumns::is_upright(const BoundingFace& face, const std::vector<Vec3>& x) const {
  const auto at = [&](int k) { return x[node(face, k)]; };
  const auto old = [&](int k) { return mesh_.points[node(face, k)]; };
  constexpr real least = real(0.1);
  if (mesh_.dimension == 2) return dot(at(1) - at(0), old(1) - old(0)) > least * dot(old(1) - old(0), old(1) - old(0));
  const Vec3 now = cross(at(1) - at(0), at(2) - at(0)), then = cross(old(1) - old(0), old(2) - old(0));
  return dot(now, then) > least * dot(then, then);
}

/// No layers more than twice as thick as those at the next node.
void LayerColumns::smooth_shares() {
  for (bool changes = true; changes;) {
    changes = false;
    for (const int point : walls_) {
      real &share = share_[static_cast<std::size_t>(point)],
           &of_lowest = share_[lowest(static_cast<std::size_t>(point))];
      if (share == of_lowest) continue;
      share = of_lowest = std::min(share, of_lowest);
      changes = true;
    }
    for (const BoundingFace& face : surfaces_.faces) {
      if (!face.is_layered) continue;
      real least = 1;
      const auto share = [&](int k) -> real& { return share_[node(face, k)]; };
      for (int k = 0; k < mesh_.dimension; ++k) {
        if (is_wall(static_cast<int>(node(face, k))) && share(k) > 0) least = std::min(least, share(k));
      }
      for (int k = 0; k < mesh_.dimension; ++k) {
        if (!is_wall(static_cast<int>(node(face, k))) || share(k) <= 2 * least) continue;
        share(k) = 2 * least;
        changes = true;
      }
    }
  }
}

}  // namespace solenoid
