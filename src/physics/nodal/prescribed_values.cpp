#include "physics/nodal/prescribed_values.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

std::vector<int> owned_prescribed(const Space<Node>& unknowns) {
  std::vector<int> nodes;
  for (int n = 0; n < unknowns.mesh().owned<Node>(); ++n) {
    if (unknowns.role()[n] == Space<Node>::prescribed) nodes.push_back(n);
  }
  return nodes;
}

void set_difference_at(const DeviceArray<int>& nodes, const Field<Node>& given, const Field<Node>& from,
                       Field<Node>& values) {
  const auto wanted = given.view(), there = from.view();
  const auto difference = values.view();
  const int* const node = nodes.data();
  forall(
      static_cast<int>(nodes.size()), SOLENOID_KERNEL(int k) {
        const Index<Node> n{node[k]};
        difference[n] = wanted[n] - there[n];
      });
}

void copy_at(const DeviceArray<int>& nodes, const Field<Node>& given, Field<Node>& values) {
  const auto from = given.view();
  const auto to = values.view();
  const int* const node = nodes.data();
  forall(
      static_cast<int>(nodes.size()), SOLENOID_KERNEL(int k) {
        const Index<Node> n{node[k]};
        to[n] = from[n];
      });
}

}  // namespace solenoid
