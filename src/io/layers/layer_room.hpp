/// Room for layers: the nodes near a wall move away from it, and less so the farther they are.
#pragma once

#include <map>
#include <vector>

#include "io/layers/layer_directions.hpp"

namespace solenoid {

/// The nodes near layered walls, and their neighbours along edges.
class LayerRoom {
 public:
  /// `rings`: so many edges from the walls nodes may move. `joined`: see joined_points(); these move alike.
  LayerRoom(const MeshSource& mesh, const LayerSurfaces& surfaces, const std::vector<int>& joined, int rings);

  /// Displacements of all points where those of the walls are given, by a weighted mean of the neighbours' that is
  /// nearly in balance; points on other boundaries stay on these. Begins with the ones of the last call.
  const std::vector<Vec3>& displace(const std::vector<Vec3>& of_walls);

  /// Points whose cells are to be looked at: those that may move.
  const std::vector<int>& movable() const { return order_; }
  /// The nearest point of a layered wall to a point that may move; -1 for others.
  int source(int point) const { return source_[static_cast<std::size_t>(point)]; }

 private:
  void connect(const LayerSurfaces& surfaces);
  void relax(int point);
  /// Calls f with each other point that is one with this one.
  template <class F>
  void for_others(int point, F f) const {
    if (const auto found = others_.find(joined_[static_cast<std::size_t>(point)]); found != others_.end()) {
      for (const int other : found->second) {
        if (other != point) f(other);
      }
    }
  }

  const MeshSource& mesh_;
  const LayerSurfaces& surfaces_;
  const std::vector<int>& joined_;
  std::map<int, std::vector<int>> others_;  // by the lowest of points that are one: all of them
  std::vector<int> order_;                  // by distance from the walls
  std::vector<int> source_;
  std::vector<char> is_wall_, is_on_surface_;
  std::vector<std::vector<int>> neighbours_;  // of those that move; on a surface, those on it
  std::vector<Vec3> displacement_;
};

}  // namespace solenoid
