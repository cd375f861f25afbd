#include "io/msh/element_quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// A corner of an element and its neighbours along edges, positively oriented; in 2D two of them.
struct Corner {
  int at, to[3];
};

struct CornersOfShape {
  std::vector<Corner> corners;
  real ideal;  ///< the volume of unit vectors along the edges at each of them
};

const CornersOfShape& corners_of_shape(ElementShape shape) {
  const real of_triangle = std::sqrt(real{3}) / 2, of_tetrahedron = std::sqrt(real{2}) / 2;
  static const CornersOfShape triangle{{{0, {1, 2, 0}}, {1, {2, 0, 0}}, {2, {0, 1, 0}}}, of_triangle},
      quadrangle{{{0, {1, 3, 0}}, {1, {2, 0, 0}}, {2, {3, 1, 0}}, {3, {0, 2, 0}}}, 1},
      tetrahedron{{{0, {1, 2, 3}}, {1, {2, 0, 3}}, {2, {0, 1, 3}}, {3, {2, 1, 0}}}, of_tetrahedron},
      hexahedron{{{0, {1, 3, 4}},
                  {1, {2, 0, 5}},
                  {2, {3, 1, 6}},
                  {3, {0, 2, 7}},
                  {4, {7, 5, 0}},
                  {5, {4, 6, 1}},
                  {6, {5, 7, 2}},
                  {7, {6, 4, 3}}},
                 1},
      prism{{{0, {1, 2, 3}}, {1, {2, 0, 4}}, {2, {0, 1, 5}}, {3, {5, 4, 0}}, {4, {3, 5, 1}}, {5, {4, 3, 2}}},
            of_triangle},
      pyramid{{{0, {1, 3, 4}}, {1, {2, 0, 4}}, {2, {3, 1, 4}}, {3, {0, 2, 4}}}, of_tetrahedron}, none{{}, 1};
  switch (shape) {
    case ElementShape::triangle:
      return triangle;
    case ElementShape::quadrangle:
      return quadrangle;
    case ElementShape::tetrahedron:
      return tetrahedron;
    case ElementShape::hexahedron:
      return hexahedron;
    case ElementShape::prism:
      return prism;
    case ElementShape::pyramid:
      return pyramid;
    default:
      return none;
  }
}

class Collected {
 public:
  void add(real value) {
    worst_ = std::min(worst_, value);
    sum_ += value;
    ++count_;
  }
  std::optional<ShapeFigures> figures() const {
    if (count_ == 0) return std::nullopt;
    return ShapeFigures{worst_, sum_ / static_cast<real>(count_)};
  }

 private:
  real worst_ = 1, sum_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

real scaled_jacobian(ElementShape shape, std::span<const Vec3> corners) {
  const CornersOfShape& of = corners_of_shape(shape);
  real least = 1, most = -1, sum = 0;
  for (const Corner& corner : of.corners) {
    const auto edge = [&](int k) { return corners[corner.to[k]] - corners[corner.at]; };
    const Vec3 a = edge(0), b = edge(1), c = dimension_of(shape) == 2 ? Vec3{0, 0, 1} : edge(2);
    const real lengths = norm(a) * norm(b) * norm(c);
    const real value = lengths > 0 ? dot(cross(a, b), c) / lengths / of.ideal : 0;
    least = std::min(least, value), most = std::max(most, value), sum += value;
  }
  return std::min(sum < 0 ? -most : least, real{1});
}

std::optional<ShapeFigures> shape_before(const DividedElements& elements, const MeshSource& mesh) {
  Collected all;
  std::array<Vec3, most_corners> corners;
  std::size_t first = 0;
  for (const ElementShape shape : elements.shapes) {
    const auto count = static_cast<std::size_t>(corners_of(shape));
    if (dimension_of(shape) == mesh.dimension) {
      for (std::size_t k = 0; k < count; ++k) {
        const auto place = std::lower_bound(mesh.point_ids.begin(), mesh.point_ids.end(), elements.nodes[first + k]);
        corners[k] = mesh.points[static_cast<std::size_t>(place - mesh.point_ids.begin())];
      }
      all.add(scaled_jacobian(shape, std::span(corners).first(count)));
    }
    first += count;
  }
  return all.figures();
}

std::optional<ShapeFigures> shape_after(const MeshSource& mesh) {
  const ElementShape shape = mesh.dimension == 2 ? ElementShape::triangle : ElementShape::tetrahedron;
  const std::vector<std::int64_t>& ids = mesh.cell_ids;
  Collected all;
  std::array<Vec3, 4> corners;
  for (std::size_t c = 0; c < ids.size(); ++c) {
    const bool is_divided = (c > 0 && ids[c - 1] == ids[c]) || (c + 1 < ids.size() && ids[c + 1] == ids[c]);
    if (!is_divided) continue;
    const std::span<const int> points = mesh.points_of_cell(static_cast<int>(c));
    for (std::size_t k = 0; k < points.size(); ++k) corners[k] = mesh.points[static_cast<std::size_t>(points[k])];
    all.add(scaled_jacobian(shape, std::span(corners).first(points.size())));
  }
  return all.figures();
}

std::string text_of_shapes(const DividedElements& elements, const MeshSource& mesh) {
  const auto before = shape_before(elements, mesh), after = shape_after(mesh);
  if (!after) return "";
  const bool is_planar = mesh.dimension == 2;
  const std::string as_was =
      before ? message(" of the elements: worst {:.3g}, mean {:.3g};", before->worst, before->mean) : "";
  return message("scaled Jacobian (1: {}){} of their {}: worst {:.3g}, mean {:.3g}",
                 is_planar ? "squares, regular triangles" : "cubes, regular tetrahedra", as_was,
                 is_planar ? "triangles" : "tetrahedra", after->worst, after->mean);
}

}  // namespace solenoid
