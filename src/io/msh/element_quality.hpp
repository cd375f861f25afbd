/// Shape of elements before and after they are divided into simplices.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "io/msh/element_shapes.hpp"
#include "io/msh/msh_records.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// The scaled Jacobian of an element: over its corners the least volume, in 2D area, spanned by unit vectors along its
/// three, or two, edges there, in proportion to that of the ideal element (Knupp, Int. J. Numer. Meth. Engng 48, 2000;
/// Stimpson et al., The Verdict Geometric Quality Library, SAND2007-1751). 1 for squares, cubes, and pyramids, prisms
/// and simplices of equal edges, and at most; of a hexahedron Verdict's is the least of these and that at its centre; 0
/// if flat at a corner, negative if turned inside out there. `corners` [m] in Gmsh's order, in either orientation; in
/// 2D in the plane z = const. Of a pyramid the corners of its base.
real scaled_jacobian(ElementShape shape, std::span<const Vec3> corners);

/// The worst and the mean of some elements; absent without any.
struct ShapeFigures {
  real worst = 1, mean = 0;
};

/// Of the elements of the mesh's dimension that were divided, as the file has them.
std::optional<ShapeFigures> shape_before(const DividedElements& elements, const MeshSource& mesh);
/// Of the simplices of divided elements, which have one number.
std::optional<ShapeFigures> shape_after(const MeshSource& mesh);

/// "scaled Jacobian (1: cubes, regular tetrahedra) of the elements: worst .., mean ..; of their tetrahedra: worst ..,
/// mean ..", without the elements if there are none; empty if nothing was divided.
std::string text_of_shapes(const DividedElements& elements, const MeshSource& mesh);

}  // namespace solenoid
