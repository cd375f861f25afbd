/// Pictures of fields: of a plane mesh as a whole, of a body in three planes through its middle, or in a given one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/plane_cut.hpp"
#include "model/quantity.hpp"
#include "run/report/picture.hpp"

namespace solenoid::report {

/// The picture of one plane.
struct Raster {
  std::string caption;  ///< "" if it is the only plane
  int width = 0;
  std::vector<std::uint8_t> pixels;  ///< indices in the palette, row by row from the top; 0: outside the mesh
};

struct FieldPicture {
  std::string name, unit;  ///< vectors are shown by their magnitude
  ColourScale scale = ColourScale::ascending;
  double low = 0, high = 0;          ///< ends of the colour scale
  double smallest = 0, largest = 0;  ///< extremes of the shown values
  std::vector<Raster> planes;
};

/// Pictures of the current `quantities` with values in the whole mesh, one per field. Collective; the same on every
/// rank.
std::vector<FieldPicture> field_pictures(const LocalMesh& mesh, const std::vector<Quantity>& quantities);

/// The same on a plane in a body, as far as its cut reaches; `cut`: this rank's pieces.
std::vector<FieldPicture> plane_pictures(const LocalMesh& mesh, const std::vector<Quantity>& quantities,
                                         const Plane& plane, const std::vector<CutPiece>& cut);

/// Figures with their colour bars.
std::string html_of(const std::vector<FieldPicture>& pictures);

}  // namespace solenoid::report
