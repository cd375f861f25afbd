/// Faces of periodic pairs on the device: the flux through them and the pressure drop over them.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

class PairFaces {
 public:
  /// Refers to `mesh`, which must outlive it.
  explicit PairFaces(const LocalMesh& mesh);

  std::size_t count() const { return faces_.size(); }  ///< of periodic pairs of the mesh

  /// sum_f s_f x_f over each pair, s = 1 where the normal leads out of the domain through its second patch, else -1:
  /// for fluxes x, the flux through the pair. Collective.
  std::vector<real> sum(const Field<Face>& x) const;

  /// sum_f s_f A_f n_f of each pair [m^2]. Collective.
  std::vector<Vec3> areas() const;

  /// x_f += s_f values[k] on pair k.
  void add(const std::vector<real>& values, Field<Face>& x) const;
  void subtract(std::vector<real> values, Field<Face>& x) const;

 private:
  struct Faces {
    DeviceArray<int> face;  // owned
    DeviceArray<real> sign;
  };
  const LocalMesh& mesh_;
  std::vector<Faces> faces_;
};

}  // namespace solenoid
