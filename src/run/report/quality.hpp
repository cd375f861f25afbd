/// Quality of the cells of a distributed mesh, in figures.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "mesh/quality.hpp"

namespace solenoid::report {

struct QualityFigure {
  QualityMeasure measure;    ///< without its values
  real worst = 0, mean = 0;  ///< over all cells
  std::int64_t beyond = 0;   ///< cells beyond the limit of the measure
};

/// Collective.
std::vector<QualityFigure> quality_of(const LocalMesh& mesh);

}  // namespace solenoid::report
