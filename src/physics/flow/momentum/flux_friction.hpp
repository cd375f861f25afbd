/// Face-average friction of fluxes in single precision, for the iterations of a momentum system.
#pragma once

#include <utility>

#include "field/field.hpp"
#include "parallel/device_array.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"

namespace solenoid {

/// K_0 of FaceAverageFriction in units of a length, in two gathers over cells: of their velocity, and of the friction
/// at each of their faces. A matrix product adds both cells' values to the row of each face.
class FluxFrictionInSingle {
 public:
  struct Vector {
    float x = 0, y = 0, z = 0;
  };
  struct OfFaces {
    float of[4];
  };
  /// factor times K_0 U at an owned face.
  struct AtFace {
    const OfFaces* of_cells;
    const int* place;
    Scalar<float> factor;
    SOLENOID_HD float operator()(Index<Face> i) const {
      const int one = place[2 * i.value], other = place[2 * i.value + 1];
      const float sum = of_cells[one / 4].of[one % 4];
      return factor * (other < 0 ? sum : sum + of_cells[other / 4].of[other % 4]);
    }
  };

  /// Refers to both, which must outlive it. Collective.
  FluxFrictionInSingle(const LocalMesh& mesh, const FaceAverageFriction& friction);

  /// Factor from this K_0 to that in SI units [1/m^3].
  real unit() const { return unit_; }
  void compute(Exchanged<Face, float> flux);  ///< Collective.
  /// At faces, from the last compute().
  AtFace times(const Scalar<>& factor) const {
    return {std::as_const(of_cells_).view().data, place_.data(), Scalar<float>(factor)};
  }

 private:
  const LocalMesh& mesh_;
  const FaceAverageFriction& friction_;
  real unit_ = 1;
  DeviceArray<Vector> arm_;         // by slot of cells, +-(x_f - x_c)
  DeviceArray<float> conductance_;  // A/L
  DeviceArray<float> inverse_volume_;
  DeviceArray<int> place_;  // two per face: 4 times a cell plus its slot, or -1
  Field<Cell, Vector> velocity_;
  Field<Cell, OfFaces> of_cells_;
};

}  // namespace solenoid
