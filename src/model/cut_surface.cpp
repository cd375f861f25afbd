#include "model/cut_surface.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace solenoid {

namespace {

/// Numbers of the ends of an edge in the whole mesh, ascending; both are its own for a cut point at a node.
using EdgeKey = std::array<std::int64_t, 2>;

/// The different ones of a list of keys, ascending.
struct MergedKeys {
  std::vector<int> first;  ///< the first place of each in the list
  std::vector<int> place;  ///< of each entry of the list among them
};

template <class Key>
MergedKeys merged(const std::vector<Key>& keys) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
  MergedKeys all;
  all.place.resize(keys.size());
  for (const int k : order) {
    if (all.first.empty() || keys[all.first.back()] != keys[k]) all.first.push_back(k);
    all.place[k] = static_cast<int>(all.first.size()) - 1;
  }
  return all;
}

std::vector<EdgeKey> pairs_of(const std::vector<std::int64_t>& flat) {
  std::vector<EdgeKey> keys;
  for (std::size_t k = 0; k < flat.size(); k += 2) keys.push_back({flat[k], flat[k + 1]});
  return keys;
}

}  // namespace

CutSurface::CutSurface(const LocalMesh& mesh, const std::vector<CutPiece>& pieces) : mesh_(mesh) {
  const MeshPart& part = mesh.part();
  const Comm& comm = mesh.comm();
  std::vector<EdgeKey> keys;
  std::vector<Ends> ends;
  std::vector<Vec3> places;
  for (const CutPiece& piece : pieces) {
    own_cells_.push_back(piece.cell);
    const auto points = part.cell_points_of(piece.cell), nodes = part.cell_nodes_of(piece.cell);
    for (int k = 0; k < piece.corners; ++k) {
      const auto& [above, below, share] = piece.corner[k];
      const auto [low, high] = std::minmax({part.point_id(points[above]), part.point_id(points[below])});
      keys.push_back({low, high});
      ends.push_back({nodes[above], nodes[below], share});
      places.push_back(place_of(part, piece, k));
    }
  }

  const MergedKeys own = merged(keys);
  std::vector<std::int64_t> own_keys, own_polygons;  // polygons: cell, number of corners, corners among all ranks'
  std::vector<real> own_places;
  for (const int k : own.first) {
    own_keys.insert(own_keys.end(), keys[k].begin(), keys[k].end());
    own_places.insert(own_places.end(), {places[k].x, places[k].y, places[k].z});
    ends_.push_back(ends[k]);
  }
  const std::vector<std::int64_t> counts = comm.gather(std::ssize(own.first));
  const std::int64_t before = std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::int64_t{0});
  std::size_t corner = 0;
  for (const CutPiece& piece : pieces) {
    own_polygons.insert(own_polygons.end(), {part.cell_numbering.global_id[piece.cell], piece.corners});
    for (int k = 0; k < piece.corners; ++k) own_polygons.push_back(before + own.place[corner++]);
  }
  const std::vector<EdgeKey> all_keys = pairs_of(comm.gather_on_root(own_keys));
  const std::vector<real> all_places = comm.gather_on_root(own_places);
  const std::vector<std::int64_t> polygons = comm.gather_on_root(own_polygons);

  const MergedKeys all = merged(all_keys);
  point_from_ = all.first;
  for (const int k : point_from_) {
    const real* const x = &all_places[3 * static_cast<std::size_t>(k)];
    points_.push_back({x[0], x[1], x[2]});
  }
  std::vector<std::int64_t> cells;
  std::vector<std::size_t> begins;
  for (std::size_t k = 0; k < polygons.size(); k += 2 + polygons[k + 1]) {
    cells.push_back(polygons[k]);
    begins.push_back(k + 1);
  }
  cell_from_ = merged(cells).first;
  for (const int k : cell_from_) {
    cells_.push_back(cells[k]);
    const std::int64_t* const polygon = &polygons[begins[k]];
    for (int i = 1; i <= polygon[0]; ++i) corners_.push_back(all.place[polygon[i]]);
    begin_.push_back(static_cast<int>(corners_.size()));
  }
}

/// On rank 0, of the values of all ranks those from these places.
std::vector<real> CutSurface::chosen(const std::vector<real>& here, const std::vector<int>& from,
                                     int components) const {
  const std::vector<real> all = mesh_.comm().gather_on_root(here);
  std::vector<real> result;
  result.reserve(from.size() * components);
  for (const int k : from) {
    const auto first = all.begin() + std::ptrdiff_t{k} * components;
    result.insert(result.end(), first, first + components);
  }
  return result;
}

std::vector<real> CutSurface::at_points(const std::vector<real>& values, int components) const {
  std::vector<real> here;
  for (const auto& [above, below, share] : ends_) {
    for (int i = 0; i < components; ++i) {
      here.push_back((1 - share) * values[std::size_t(above) * components + i] +
                     share * values[std::size_t(below) * components + i]);
    }
  }
  return chosen(here, point_from_, components);
}

std::vector<real> CutSurface::in_cells(const std::vector<real>& values, int components) const {
  std::vector<real> here;
  for (const int c : own_cells_) {
    const auto first = values.begin() + std::ptrdiff_t{c} * components;
    here.insert(here.end(), first, first + components);
  }
  return chosen(here, cell_from_, components);
}

}  // namespace solenoid
