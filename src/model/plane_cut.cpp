#include "model/plane_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "base/error.hpp"

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

constexpr real round_off = 1000 * std::numeric_limits<real>::epsilon();

/// Those within round-off of `size` become 0.
std::vector<real> rounded(std::vector<real> levels, real size) {
  for (real& level : levels) {
    if (!(std::abs(level) > round_off * size)) level = 0;
  }
  return levels;
}

/// Of each local point from the plane [m]: 0 within round-off of the reach of the mesh. Collective.
std::vector<real> distances_from(const Plane& plane, const LocalMesh& mesh) {
  real reach = 0;
  std::vector<real> distances;
  for (const Vec3& x : mesh.part().points) {
    reach = std::max(reach, norm(x - plane.point));
    distances.push_back(dot(plane.normal, x - plane.point));
  }
  return rounded(std::move(distances), mesh.comm().max(reach));
}

/// A cell and the levels of its corners: distances from a plane, or values less that of a surface.
class CellAtLevel {
 public:
  CellAtLevel(const MeshPart& part, const std::vector<real>& levels, int cell)
      : corners_(part.corners()), points_(part.points), at_(part.cell_points_of(cell)) {
    for (int k = 0; k < corners_; ++k) {
      level_[k] = levels[at_[k]];
      positive_ += level_[k] >= 0;
      zeros_ += level_[k] == 0;
    }
  }

  int dimension() const { return corners_ - 1; }
  bool is_cut() const { return positive_ > 0 && positive_ < corners_; }
  real level(int corner) const { return level_[corner]; }
  /// Whether the face opposite to a corner lies in the surface.
  bool has_opposite(int corner) const { return zeros_ - (level_[corner] == 0) == corners_ - 1; }
  /// The corner whose opposite face alone lies in the surface; -1: there is none.
  int opposite_to_surface() const {
    for (int k = 0; k < corners_; ++k) {
      if (level_[k] != 0 && has_opposite(k)) return k;
    }
    return -1;
  }

  /// The corners of its cut, each once, around it.
  std::vector<CutCorner> cut() const {
    std::vector<int> above, below;
    for (int k = 0; k < corners_; ++k) (level_[k] >= 0 ? above : below).push_back(k);
    std::vector<CutCorner> polygon;
    for (const int a : above) {
      for (const int b : below) polygon.push_back(between(a, b));
    }
    if (polygon.size() == 4) std::swap(polygon[2], polygon[3]);
    const auto is_same = [](const CutCorner& a, const CutCorner& b) {
      return a.above == b.above && a.below == b.below;
    };
    polygon.erase(std::unique(polygon.begin(), polygon.end(), is_same), polygon.end());
    if (polygon.size() > 1 && is_same(polygon.front(), polygon.back())) polygon.pop_back();
    return polygon;
  }
  std::vector<CutCorner> face_opposite_to(int corner) const {
    std::vector<CutCorner> face;
    for (int k = 0; k < corners_; ++k) {
      if (k != corner) face.push_back({k, k, 0});
    }
    return face;
  }
  Corner place_of(const CutCorner& corner) const { return mixed(node(corner.above), corner.share, node(corner.below)); }
  /// From the corner with the least level to that with the largest.
  Vec3 ascent() const {
    const auto [least, most] = std::minmax_element(level_.begin(), level_.begin() + corners_);
    return points_[at_[most - level_.begin()]] - points_[at_[least - level_.begin()]];
  }

 private:
  Corner node(int k) const {
    Corner corner{points_[at_[k]]};
    corner.weight[k] = 1;
    return corner;
  }
  CutCorner between(int above, int below) const {
    if (level_[above] == 0) return {above, above, 0};
    return {above, below, level_[above] / (level_[above] - level_[below])};
  }

  int corners_, positive_ = 0, zeros_ = 0;
  const std::vector<Vec3>& points_;
  std::span<const int> at_;
  std::array<real, 4> level_{1, 1, 1, 1};
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
std::optional<CutPiece> piece_of(int number, const CellAtLevel& cell, std::vector<CutCorner> corners) {
  if (std::ssize(corners) < cell.dimension()) return std::nullopt;
  std::vector<Corner> polygon;
  for (const CutCorner& corner : corners) polygon.push_back(cell.place_of(corner));
  Vec3 area = area_of(polygon);
  if (norm(area) == 0) return std::nullopt;
  if (dot(area, cell.ascent()) < 0) {
    area = -area;
    std::reverse(corners.begin(), corners.end());
  }
  const Corner centre = centroid_of(polygon);
  CutPiece piece{.cell = number, .area = area, .centre = centre.x, .corners = static_cast<int>(corners.size())};
  std::copy(centre.weight.begin(), centre.weight.end(), piece.weight);
  std::copy(corners.begin(), corners.end(), piece.corner);
  return piece;
}

/// The cuts where a function with these levels at the local points, linear in each cell, is zero.
std::vector<CutPiece> cut_where_zero(const LocalMesh& mesh, const std::vector<real>& levels,
                                     const std::vector<char>& is_left_out) {
  const MeshPart& part = mesh.part();
  std::vector<char> on_positive(part.faces(), 0), on_negative(part.faces(), 0);  // cells of a face in the surface
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    if (is_left_out[c]) continue;
    const CellAtLevel cell(part, levels, c);
    for (int k = 0; k < part.corners(); ++k) {
      if (!cell.has_opposite(k)) continue;
      ++(cell.level(k) < 0 ? on_negative : on_positive)[part.cell_faces_of(c)[k]];
    }
  }
  std::vector<CutPiece> pieces;
  const auto add = [&](const std::optional<CutPiece>& piece) {
    if (piece) pieces.push_back(*piece);
  };
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (is_left_out[c]) continue;
    const CellAtLevel cell(part, levels, c);
    if (cell.is_cut()) {
      add(piece_of(c, cell, cell.cut()));
    } else if (const int corner = cell.opposite_to_surface(); corner >= 0 && cell.level(corner) > 0) {
      const int face = part.cell_faces_of(c)[corner];
      if (on_negative[face] == 0 && on_positive[face] == 1) add(piece_of(c, cell, cell.face_opposite_to(corner)));
    }
  }
  return pieces;
}

bool is_nothing(const LocalMesh& mesh, const std::vector<CutPiece>& cuts) {
  return mesh.comm().sum(std::int64_t{std::ssize(cuts)}) == 0;
}

}  // namespace

Vec3 place_of(const MeshPart& part, const CutPiece& piece, int k) {
  const std::span<const int> points = part.cell_points_of(piece.cell);
  const auto& [above, below, share] = piece.corner[k];
  return (1 - share) * part.points[points[above]] + share * part.points[points[below]];
}

std::vector<CutPiece> cut_by(const LocalMesh& mesh, const Plane& plane, const std::vector<char>& is_left_out) {
  return cut_where_zero(mesh, distances_from(plane, mesh), is_left_out);
}

std::vector<CutPiece> cut_at(const LocalMesh& mesh, const std::vector<real>& at_nodes, real value,
                             const std::vector<char>& is_left_out) {
  const MeshPart& part = mesh.part();
  real size = std::abs(value);
  for (const real v : at_nodes) size = std::max(size, std::abs(v));
  std::vector<real> levels(part.points.size());
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    for (int k = 0; k < part.corners(); ++k) {
      levels[part.cell_points_of(c)[k]] = at_nodes[part.cell_nodes_of(c)[k]] - value;
    }
  }
  return cut_where_zero(mesh, rounded(std::move(levels), mesh.comm().max(size)), is_left_out);
}

std::vector<CutPiece> cut_within(const LocalMesh& mesh, const Plane& plane, const std::optional<PlaceOfPoints>& within,
                                 const std::vector<char>& is_left_out, const std::string& what,
                                 const std::string& domain) {
  require_on_all_ranks(
      mesh.dimension() == 3 || plane.normal.z == 0,
      [&] { return message("{}: `plane`: the normal points out of the plane of a 2D mesh, expected z = 0", what); },
      ExitCode::bad_input);
  std::vector<CutPiece> cuts = cut_by(mesh, plane, is_left_out);
  if (is_nothing(mesh, cuts)) {
    Box box;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      for (const int p : mesh.part().cell_points_of(c)) {
        if (!is_left_out[c]) box.include(mesh.part().points[p]);
      }
    }
    const std::string extent = text_of_extent(mesh.comm(), box, mesh.dimension());
    throw Error(ExitCode::bad_input,
                message("{}: `plane`: the plane through {} with the normal {} cuts no cell of the {}, which reaches {}",
                        what, text_of_place(plane.point, mesh.dimension()),
                        text_of_place(plane.normal, mesh.dimension()), domain, extent),
                true);
  }
  if (!within) return cuts;
  Box box;
  for (const CutPiece& cut : cuts) box.include(cut.centre);
  std::erase_if(cuts, [&](const CutPiece& cut) { return !is_within(*within, cut.centre); });
  if (is_nothing(mesh, cuts)) {
    const std::string extent = text_of_extent(mesh.comm(), box, mesh.dimension());
    throw Error(
        ExitCode::bad_input,
        message("{}: `within`: no cell's cut by the plane lies there; the middles of the cuts reach {}", what, extent),
        true);
  }
  return cuts;
}

}  // namespace solenoid
