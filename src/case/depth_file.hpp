/// The depth of water from a file: an ESRI grid (.asc) or soundings (.xyz).
#pragma once

#include <optional>
#include <string>

#include "case/case_table.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

/// Depths [m] at places [m].
class DepthFile {
 public:
  /// `name`: of the file, with its format, .asc or .xyz, perhaps packed, .asc.gz; `level` [m]: the file has heights of
  /// the bottom, and the still water surface is at this height; nullopt: it has depths. Throws Error (bad input) with
  /// the line and the fault.
  DepthFile(const CaseText& text, const std::string& name, std::optional<double> level);

  /// Linear between soundings, in the triangles of their Delaunay triangulation, and bilinear between the centres of a
  /// grid's cells, beyond the outermost centres constant. Evaluation throws Error (bad input) with the name and the
  /// place beyond the soundings or the grid, and where a grid has no data.
  const Coefficient<real>& depth() const { return depth_; }

 private:
  Coefficient<real> depth_;
};

}  // namespace solenoid
