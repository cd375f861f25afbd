/// Flow rates through the openings of a domain, on the device.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Flow rates through a patch [m^3/s, in 2D m^2/s].
struct PatchFlow {
  real leaving = 0, entering = 0;  ///< neither is negative
  real rate() const { return leaving - entering; }
};

class PatchFlows {
 public:
  /// For inlets, outlets and far fields. Collective.
  PatchFlows(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  const std::vector<int>& patches() const { return patches_; }  ///< places in mesh.part().patches, ascending

  /// One for each of patches(). Collective.
  std::vector<PatchFlow> through(const Field<Face>& flux) const;

 private:
  struct Faces {
    DeviceArray<int> face;      // owned
    DeviceArray<real> outward;  // +1 where the face's normal leaves the domain, else -1
  };
  const Comm& comm_;
  std::vector<int> patches_;
  std::vector<Faces> faces_;
};

/// Share of inflow in all that passes the patch; 0 if no more than 1e-9 of `whole` passes.
real share_entering(const PatchFlow& flow, real whole);

}  // namespace solenoid
