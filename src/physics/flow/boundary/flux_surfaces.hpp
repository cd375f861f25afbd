/// Surfaces of faces that a flux is summed over: periodic pairs, and patches.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// Faces of some surfaces on the device, with the sign s_f = 1 where the normal leads along the surface's own
/// direction, else -1.
class FluxSurfaces {
 public:
  /// The periodic pairs: out of the domain through the second patch. Refers to `mesh`, which must outlive it.
  static FluxSurfaces of_pairs(const LocalMesh& mesh);
  /// Patches, by their places in mesh.part().patches: out of the domain. Refers to `mesh`, which must outlive it.
  static FluxSurfaces of_patches(const LocalMesh& mesh, const std::vector<int>& patches);

  std::size_t count() const { return faces_.size(); }
  const LocalMesh& mesh() const { return mesh_; }

  /// sum_f s_f x_f over each surface: for fluxes x, the flux through it. Collective.
  std::vector<real> sum(const Field<Face>& x) const;

  /// sum_f s_f A_f n_f of each surface [m^2]. Collective.
  std::vector<Vec3> areas() const;

  /// x_f += s_f values[k] on surface k.
  void add(const std::vector<real>& values, Field<Face>& x) const;
  void subtract(std::vector<real> values, Field<Face>& x) const;

 private:
  struct Faces {
    DeviceArray<int> face;  // owned
    DeviceArray<real> sign;
  };
  explicit FluxSurfaces(const LocalMesh& mesh) : mesh_(mesh) {}
  void append(const std::vector<int>& faces, const std::vector<real>& signs);

  const LocalMesh& mesh_;
  std::vector<Faces> faces_;
};

}  // namespace solenoid
