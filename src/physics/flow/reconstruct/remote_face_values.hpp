/// Values of a few faces on the rank that asks for them, whichever rank owns them.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

class RemoteFaceValues {
 public:
  /// `faces`: local faces of `layout`, in any order, repeated or not. Collective.
  RemoteFaceValues(const Layout& layout, const std::vector<int>& faces);

  /// Values at those faces, in their order. `values` is on a layout with the same owned faces. Collective.
  std::vector<real> pick(const Field<Face>& values);

 private:
  Layout wanted_;  // the owned faces, then the requested ones of other ranks
  Field<Face> values_;
  DeviceArray<int> place_;  // of each face in wanted_
  DeviceArray<real> picked_;
};

}  // namespace solenoid
