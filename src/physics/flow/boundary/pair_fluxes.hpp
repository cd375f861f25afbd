/// Periodic pairs: the flux through them, and the pressure drops that drive it.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Faces of periodic pairs on the device.
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

class PairDrives {
 public:
  /// Refers to both, which must outlive it.
  PairDrives(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Evaluates the drives at `time` [s]. For use inside a guard.
  void sample(real time);

  const PairFaces& faces() const { return faces_; }
  /// The pairs whose flux is prescribed.
  const std::vector<std::size_t>& driven() const { return driven_; }
  /// By pair, from its first patch to its second [m^3/s, in 2D m^2/s]; counts where one is prescribed.
  const std::vector<real>& fluxes() const { return fluxes_; }
  /// Prescribed pressure drops by pair [m^2/s^2], 0 where there is none.
  const std::vector<real>& drops() const { return drops_; }

 private:
  const FlowBoundaries& boundaries_;
  PairFaces faces_;
  std::vector<std::size_t> driven_;
  std::vector<real> fluxes_, drops_;
};

}  // namespace solenoid
