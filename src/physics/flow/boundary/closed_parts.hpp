/// Connected parts of a domain without outlets, in each of which the pressure is known up to a constant.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

class ClosedParts {
 public:
  /// `is_open`: per mesh.boundary(), whether it is on an outlet. Refers to `mesh`, which must outlive it. Collective.
  ClosedParts(const LocalMesh& mesh, const std::vector<char>& is_open);

  /// Makes the volume mean of `values` zero in each part. Collective.
  void remove_means(Field<Cell>& values) const;

 private:
  const LocalMesh& mesh_;
  int count_ = 0;             // on all ranks
  DeviceArray<int> part_;     // per owned cell, -1 in parts with outlets
  std::vector<real> volume_;  // of each [m^3]
};

}  // namespace solenoid
