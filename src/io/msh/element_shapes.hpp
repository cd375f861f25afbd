/// Shapes of Gmsh's elements, and their division into simplices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace solenoid {

enum class ElementShape { point, line, triangle, quadrangle, tetrahedron, hexahedron, prism, pyramid };

/// The most corners of a shape.
inline constexpr int most_corners = 8;

int dimension_of(ElementShape shape);
int corners_of(ElementShape shape);
const char* plural_of(ElementShape shape);
bool is_simplex(ElementShape shape);

/// Appends the nodes of the triangles of a polygon, in its orientation: a fan from its lowest number.
void append_fan(std::span<const std::int64_t> polygon, std::vector<std::int64_t>& nodes);

/// Appends the nodes of the simplices that an element is divided into; `corners`: the node numbers of its corners in
/// Gmsh's order. A quadrangle becomes 2, a pyramid 2, a prism 3, a hexahedron 6, all of one orientation.
///
/// An element is the cone from its corner of the lowest number to its faces without that corner, which are divided in
/// the same way: the division by pulling (Lee 1991). Each diagonal begins at the lowest number of its face, as in
/// Dompierre, Labbe, Vallet & Camarero (1999), so elements on both sides of a face divide it alike.
void append_simplices(ElementShape shape, std::span<const std::int64_t> corners, std::vector<std::int64_t>& nodes);

}  // namespace solenoid
