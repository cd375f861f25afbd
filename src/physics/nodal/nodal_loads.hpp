/// Integrals of a diffusion problem's data against the nodes' hat functions, on the host.
#pragma once

#include "mesh/local_mesh.hpp"
#include "model/state_visitor.hpp"
#include "physics/nodal/heat_problem.hpp"

namespace solenoid {

/// The owned nodes of a patch, ascending, and the patch's faces around them.
struct PatchNodes {
  struct Side {
    int boundary_face;  ///< place in mesh.boundary()
    int place[3];       ///< of each corner in `node`, -1 where another rank owns it
  };
  std::vector<int> node;
  std::vector<Side> sides;  ///< ascending in their global ids
};

/// By patch.
std::vector<PatchNodes> nodes_of_patches(const LocalMesh& mesh);

/// Mean of a property over each local cell, by quadrature where it depends on place.
std::vector<real> cell_means(const LocalMesh& mesh, const OnRegions& property, real time);

/// Integral of s phi_i for each owned node [W].
std::vector<real> source_loads(const LocalMesh& mesh, const OnRegions& source, real time);

/// Integral of the quantity times phi_i over the patch, for each of its nodes.
std::vector<real> patch_loads(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                              real time);

/// The quantity at each node of the patch.
std::vector<real> at_nodes(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                           real time);

/// The lowest and the highest temperature that the data allow where no heat comes from elsewhere (maximum principle).
/// Grows with all that is shown to it; heat that is supplied lifts the upper bound for good, heat that is taken the
/// lower one.
struct TemperatureBounds {
  real low, high;  ///< [K]
  bool has_low = true, has_high = true;

  TemperatureBounds();
  bool is_empty() const { return low > high; }
  real middle() const { return is_empty() ? 0 : (low + high) / 2; }
  void include(std::span<const real> temperatures);
  void include_heat(std::span<const real> supplied);
  void visit_state(const std::string& name, StateVisitor& visitor);
  void share(const Comm& comm);  ///< the same on all ranks. Collective.
};

}  // namespace solenoid
