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
  /// `part`: the part of `whole` without the volume groups `solids`, in the same partition (without_regions). Refers to
  /// `whole`. Collective.
  FluidPart(const LocalMesh& whole, MeshPart part, const std::vector<std::string>& solids);

  const LocalMesh& whole() const { return whole_; }
  const LocalMesh& mesh() const { return fluid_; }

  /// Copies values of the whole mesh to the fluid's nodes.
  void restrict_to_fluid(Exchanged<Node> of_whole, Field<Node>& of_fluid) const;
  /// Copies fluxes to the whole mesh. `of_whole` must already be 0 on all faces outside the fluid; no flux passes the
  /// faces between fluid and solids.
  void spread(const Field<Face>& of_fluid, Field<Face>& of_whole) const;

  /// The quantities of the fluid's mesh on the whole one, 0 in solids. They refer to this object.
  std::vector<Quantity> spread(std::vector<Quantity> of_fluid) const;

 private:
  template <class L, class T>
  void spread_values(const Field<L, T>& of_fluid, Field<L, T>& of_whole) const;
  template <class T>
  void spread_values(const BoundaryField<T>& of_fluid, BoundaryField<T>& of_whole) const;
  void find_places(const std::vector<std::string>& solids);
  std::vector<real> turns_of_faces() const;
  void find_strangers();
  void find_boundary();

  const LocalMesh& whole_;
  const LocalMesh fluid_;
  std::vector<int> cells_, nodes_, faces_;  // of the fluid's owned entities: local indices in the whole mesh
  DeviceArray<int> on_device_nodes_, on_device_faces_;
  DeviceArray<real> face_turn_;  // -1 if the normals of an owned face in the two meshes are opposite, else 1
  std::vector<int> boundary_;    // of the fluid's boundary faces: indices in the whole boundary, or -1
  std::vector<std::vector<int>> sent_nodes_,
      got_nodes_;  // by rank: shared nodes to send (fluid) and to receive (whole)
};

}  // namespace solenoid
