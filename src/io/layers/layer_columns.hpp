/// The nodes of layers above the points of walls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "io/layers/layer_directions.hpp"
#include "io/layers/layer_settings.hpp"

namespace solenoid {

/// Columns of nodes from the points of layered walls into the mesh, as high as the layers where there is room, else
/// less, down to nothing; and how far other points move out of their way. Alike on both patches of periodic pairs.
class LayerColumns {
 public:
  /// `settings.first` in metres. Refers to all, which must outlive it. Throws an input error for more cells than a mesh
  /// or the memory can have, and for a place without room.
  /// `joined`: see joined_points().
  LayerColumns(const MeshSource& mesh, const LayerSettings& settings, const LayerSurfaces& surfaces,
               const std::vector<int>& joined);

  const std::vector<int>& walls() const { return walls_; }  ///< points that can have a column, ascending
  bool is_wall(int point) const { return norm(directions_[static_cast<std::size_t>(point)]) > 0; }
  /// Height of the column over that of all layers.
  real share(int point) const { return share_[static_cast<std::size_t>(point)]; }
  /// Of the end of the column, or of any other point [m].
  const Vec3& displacement(int point) const { return displacement_[static_cast<std::size_t>(point)]; }
  /// From the foot of the column to the end of its layer `level`, from 0, the foot itself [m].
  Vec3 rise(int point, int level) const { return heights_[static_cast<std::size_t>(level)] * displacement(point); }

  struct Corner {
    int point, level;
  };
  /// The corners of the `simplices` of layer k above these points, as simplices_of_prism and simplices_of_strip divide
  /// by the numbers of nodes: feet first, then the columns of one after the other, of points that a pair makes one by
  /// the lowest of them. So diagonals are the same on both patches of a pair.
  template <class Simplices>
  std::vector<Corner> divided(std::span<const int> points, int k, Simplices simplices) const {
    std::vector<std::int64_t> bottom, above;
    const auto number = [&](int point, int level) {
      const auto place = static_cast<std::size_t>(point);
      const auto lowest_place = static_cast<std::int64_t>(lowest(place));
      if (level == 0 || share_[place] == 0 || norm(directions_[place]) == 0) return lowest_place;
      return std::ssize(share_) + lowest_place * settings_.count + (level - 1);
    };
    for (const int point : points) {
      bottom.push_back(number(point, k));
      above.push_back(number(point, k + 1));
    }
    std::vector<Corner> corners;
    for (const std::int64_t wanted : simplices(bottom, above)) {
      const auto at = std::find(bottom.begin(), bottom.end(), wanted);
      const bool is_below = at != bottom.end();
      const auto place = is_below ? at - bottom.begin() : std::find(above.begin(), above.end(), wanted) - above.begin();
      corners.push_back({points[static_cast<std::size_t>(place)], is_below ? k : k + 1});
    }
    return corners;
  }

 private:
  std::size_t node(const BoundingFace& face, int k) const {
    return static_cast<std::size_t>(surfaces_.nodes[static_cast<std::size_t>(face.first + k)]);
  }

  /// The lowest of the points that are one with this one in a periodic mesh.
  std::size_t lowest(std::size_t point) const { return static_cast<std::size_t>(joined_[point]); }

  void join_directions();
  void refuse_too_many() const;
  std::vector<Vec3> wall_displacements() const;
  int rings() const;
  void find_shares();
  [[noreturn]] void refuse_narrow(int point) const;
  void mark_around(int point, std::vector<char>& marked) const;
  bool has_good_parts(const BoundingFace& face) const;
  bool is_upright(const BoundingFace& face, const std::vector<Vec3>& x) const;
  void smooth_shares();

  const MeshSource& mesh_;
  const LayerSettings& settings_;
  const LayerSurfaces& surfaces_;
  const std::vector<int>& joined_;
  std::vector<Vec3> directions_;
  std::vector<real> share_;    // by point
  std::vector<real> heights_;  // of the ends of the layers, as parts of the thickness, from 0
  std::vector<int> walls_;
  std::vector<Vec3> displacement_;
};

}  // namespace solenoid
