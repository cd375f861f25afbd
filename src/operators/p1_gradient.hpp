/// Gradient on cells of P1 functions.
#pragma once

#include "field/field.hpp"

namespace solenoid {

class P1Gradient {
 public:
  explicit P1Gradient(const LocalMesh& mesh) : points_(mesh.part().points) {}

  /// grad v on each owned cell [unit of v / m]; exact for linear v.
  void apply(Exchanged<Node> values, Field<Cell, Vec3>& gradient) const;

 private:
  DeviceArray<Vec3> points_;  // [m]
};

}  // namespace solenoid
