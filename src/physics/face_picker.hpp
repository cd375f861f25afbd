/// Values of a few faces on the host of the rank that asks for them, whoever owns them.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

class FacePicker {
 public:
  /// `faces`: indices into `numbering`, in any order, repeated or not. Collective.
  FacePicker(const Comm& comm, const LocalNumbering& numbering, const std::vector<int>& faces);

  /// The values at those faces, in their order. `room` is overwritten: device memory for as many values as the
  /// numbering has. Collective.
  std::vector<real> pick(const Field<Face>& values, DeviceArray<real>& room);

 private:
  HaloExchange exchange_;
  DeviceArray<int> place_;  // of each face: owned ones, then the wanted ones of other ranks
  DeviceArray<real> picked_;
};

}  // namespace solenoid
