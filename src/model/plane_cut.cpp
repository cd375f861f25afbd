#include "model/plane_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace solenoid {

namespace {

/// A point of a cell with its barycentric coordinates.
struct Corner {
  Vec3 x;
  std::array<real, 4> weight{};
};

Corner mixed(const Corner& a, real share, const Corner& b) {
  Corner result{(1 - share) * a.x + share * b.x};
  for (std::size_t k = 0; k < 4; ++k) result.weight[k] = (1 - share) * a.weight[k] + share * b.weight[k];
  return result;
}

/// Of each local point from the plane [m]: 0 within round-off. Collective.
std::vector<real> distances_from(const Plane& plane, const LocalMesh& mesh) {
  constexpr real round_off = 1000 * std::numeric_limits<real>::epsilon();  // of the reach of the mesh
  const std::vector<Vec3>& points = mesh.part().points;
  real reach = 0;
  for (const Vec3& x : points) reach = std::max(reach, norm(x - plane.point));
  reach = mesh.comm().max(reach);
  std::vector<real> distances;
  for (const Vec3& x : points) {
    const real d = dot(plane.normal, x - plane.point);
    distances.push_back(std::abs(d) > round_off * reach ? d : 0);
  }
  return distances;
}

/// A cell and the distances of its corners from the plane.
class CellAtPlane {
 public:
  CellAtPlane(const MeshPart& part, const std::vector<real>& distances, int cell)
      : corners_(part.corners()), points_(part.points), at_(part.cell_points_of(cell)) {
    for (int k = 0; k < corners_; ++k) {
      distance_[k] = distances[at_[k]];
      positive_ += distance_[k] >= 0;
      in_plane_ += distance_[k] == 0;
    }
  }

  bool is_cut() const { return positive_ > 0 && positive_ < corners_; }
  /// The corner opposite to a face in the plane; -1: there is none.
  int opposite_to_plane() const {
    if (in_plane_ != corners_ - 1) return -1;
    return static_cast<int>(std::find_if(distance_.begin(), distance_.end(), [](real d) { return d != 0; }) -
                            distance_.begin());
  }
  bool is_positive(int corner) const { return distance_[corner] >= 0; }

  /// The corners of its cut, around it.
  std::vector<Corner> cut() const {
    std::vector<int> above, below;
    for (int k = 0; k < corners_; ++k) (is_positive(k) ? above : below).push_back(k);
    std::vector<Corner> polygon;
    for (const int a : above) {
      for (const int b : below) polygon.push_back(between(a, b));
    }
    if (polygon.size() == 4) std::swap(polygon[2], polygon[3]);
    return polygon;
  }
  std::vector<Corner> face_opposite_to(int corner) const {
    std::vector<Corner> face;
    for (int k = 0; k < corners_; ++k) {
      if (k != corner) face.push_back(node(k));
    }
    return face;
  }

 private:
  Corner node(int k) const {
    Corner corner{points_[at_[k]]};
    corner.weight[k] = 1;
    return corner;
  }
  Corner between(int above, int below) const {
    return mixed(node(above), distance_[above] / (distance_[above] - distance_[below]), node(below));
  }

  int corners_, positive_ = 0, in_plane_ = 0;
  const std::vector<Vec3>& points_;
  std::span<const int> at_;
  std::array<real, 4> distance_{1, 1, 1, 1};
};

Vec3 area_of(const std::vector<Corner>& polygon) {
  const Vec3& a = polygon[0].x;
  if (polygon.size() == 2) return {polygon[1].x.y - a.y, a.x - polygon[1].x.x, 0};
  return cross(polygon[2].x - a, polygon.back().x - polygon[1].x) / 2;
}

Corner middle_of(const Corner& a, const Corner& b, const Corner& c) {
  return mixed(mixed(a, real{0.5}, b), real{1} / 3, c);
}

Corner centroid_of(const std::vector<Corner>& polygon) {
  const Corner &a = polygon[0], &b = polygon[1];
  if (polygon.size() == 2) return mixed(a, real{0.5}, b);
  const Corner &c = polygon[2], near = middle_of(a, b, c);
  if (polygon.size() == 3) return near;
  const Corner& d = polygon[3];
  const real of_near = norm(cross(b.x - a.x, c.x - a.x)), of_far = norm(cross(c.x - a.x, d.x - a.x));
  return mixed(near, of_far / (of_near + of_far), middle_of(a, c, d));
}

/// nullopt if it has no area.
std::optional<CutPiece> piece_of(int cell, const std::vector<Corner>& polygon, const Plane& plane) {
  Vec3 area = area_of(polygon);
  if (norm(area) == 0) return std::nullopt;
  if (dot(area, plane.normal) < 0) area = -area;
  const Corner centre = centroid_of(polygon);
  CutPiece piece{cell, area, centre.x};
  std::copy(centre.weight.begin(), centre.weight.end(), piece.weight);
  return piece;
}

}  // namespace

std::vector<CutPiece> cut_by(const LocalMesh& mesh, const Plane& plane, const std::vector<char>& is_left_out) {
  const MeshPart& part = mesh.part();
  const std::vector<real> distances = distances_from(plane, mesh);
  std::vector<char> is_counted(part.faces(), 0);  // by a cell on the negative side
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    if (is_left_out[c]) continue;
    const CellAtPlane cell(part, distances, c);
    const int opposite = cell.opposite_to_plane();
    if (opposite >= 0 && !cell.is_positive(opposite)) is_counted[part.cell_faces_of(c)[opposite]] = 1;
  }
  std::vector<CutPiece> pieces;
  const auto add = [&](const std::optional<CutPiece>& piece) {
    if (piece) pieces.push_back(*piece);
  };
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (is_left_out[c]) continue;
    const CellAtPlane cell(part, distances, c);
    const int opposite = cell.opposite_to_plane();
    if (cell.is_cut()) {
      add(piece_of(c, cell.cut(), plane));
    } else if (opposite >= 0 && cell.is_positive(opposite) && !is_counted[part.cell_faces_of(c)[opposite]]) {
      add(piece_of(c, cell.face_opposite_to(opposite), plane));
    }
  }
  return pieces;
}

}  // namespace solenoid
