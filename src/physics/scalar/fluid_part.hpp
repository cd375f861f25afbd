/// The fluid's mesh beside solids, and transfer of values between it and the whole mesh.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "model/quantity.hpp"

namespace solenoid {

class FluidPart {
 public:
  /// `part`: what the volume groups of the `solids` leave of `whole`, by the same partition (without_regions). Refers
  /// to `whole`. Collective.
  FluidPart(const LocalMesh& whole, MeshPart part, const std::vector<std::string>& solids);

  const LocalMesh& whole() const { return whole_; }
  const LocalMesh& mesh() const { return fluid_; }

  /// The fluid's nodes have their values in the whole.
  void restrict_to_fluid(Exchanged<Node> of_whole, Field<Node>& of_fluid) const;
  /// Fluxes through the fluid's faces, 0 through all others: `of_whole` has 0 there from the beginning. Through what
  /// borders on solids there is none.
  void spread(const Field<Face>& of_fluid, Field<Face>& of_whole) const;

  /// What can be looked at on the fluid's mesh, on the whole one: 0 in solids. This outlives them.
  std::vector<Quantity> spread(std::vector<Quantity> of_fluid) const;

 private:
  template <class L, class T>
  void spread_values(const Field<L, T>& of_fluid, Field<L, T>& of_whole) const;
  template <class T>
  void spread_values(const BoundaryField<T>& of_fluid, BoundaryField<T>& of_whole) const;
  void find_places(const std::vector<std::string>& solids);
  void find_strangers();
  void find_boundary();

  const LocalMesh& whole_;
  const LocalMesh fluid_;
  std::vector<int> cells_, nodes_, faces_;  // of the fluid's owned ones: their places in the whole part
  DeviceArray<int> on_device_nodes_, on_device_faces_;
  std::vector<int> boundary_;  // of the fluid's boundary faces: in that of the whole, or -1
  std::vector<std::vector<int>> sent_nodes_,
      got_nodes_;  // by rank: the fluid's, and in the whole, that one has of each
};

}  // namespace solenoid
