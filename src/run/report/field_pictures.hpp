/// Pictures of fields: of a plane mesh as a whole, of a body in three planes through its middle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/quantity.hpp"
#include "run/report/colours.hpp"

namespace solenoid::report {

/// Of one plane.
struct Raster {
  std::string caption;  ///< "" where there is no other
  int width = 0;
  std::vector<std::uint8_t> pixels;  ///< places in the palette, from the top; 0: outside the mesh
};

struct FieldPicture {
  std::string name, unit;  ///< of a vector its magnitude is shown
  ColourScale scale = ColourScale::ascending;
  double low = 0, high = 0;          ///< where the colours end
  double smallest = 0, largest = 0;  ///< of the values shown
  std::vector<Raster> planes;
};

/// Those of `quantities` that have values in the whole mesh, each field once, as they are now. Collective; the same on
/// every rank.
std::vector<FieldPicture> field_pictures(const LocalMesh& mesh, const std::vector<Quantity>& quantities);

/// Figures with their colour bars.
std::string html_of(const std::vector<FieldPicture>& pictures);

}  // namespace solenoid::report
