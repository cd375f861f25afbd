/// Integrals of a diffusion problem's data against the nodes' hat functions, on the host.
#pragma once

#include "mesh/local_mesh.hpp"
#include "model/material.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// The owned nodes of a patch, ascending, and the patch's faces around them.
struct PatchNodes {
  struct Side {
    int boundary_face;  ///< index into mesh.boundary()
    int place[3];       ///< index of each corner in `node`; -1 if another rank owns the corner
  };
  std::vector<int> node;
  std::vector<Side> sides;  ///< ascending global ids
};

/// One entry per patch.
std::vector<PatchNodes> nodes_of_patches(const LocalMesh& mesh);

/// Mean of a property over each local cell, by quadrature if it depends on position.
std::vector<real> cell_means(const LocalMesh& mesh, const OnRegions& property, real time);

/// Integral of s phi_i for each owned node [W].
std::vector<real> source_loads(const LocalMesh& mesh, const OnRegions& source, real time);

/// Adds those of a source of this density in the marked of all local cells.
void add_loads(const LocalMesh& mesh, const std::vector<char>& cells, real density, std::vector<real>& loads);
/// Integral of the coefficient times phi_i over the patch, for each of its nodes.
std::vector<real> patch_loads(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                              real time);

/// The coefficient at each node of the patch.
std::vector<real> at_nodes(const LocalMesh& mesh, const PatchNodes& patch, const Coefficient<real>& quantity,
                           real time);

/// The lowest and the highest temperature that the data allow without other heat (maximum principle). The range only
/// grows; supplied heat removes the upper bound for good, withdrawn heat the lower one.
struct TemperatureBounds {
  real low, high;  ///< [K]
  bool has_low = true, has_high = true;

  TemperatureBounds();
  bool is_empty() const { return low > high; }
  real middle() const { return is_empty() ? 0 : (low + high) / 2; }
  void include(std::span<const real> temperatures);
  void include_heat(std::span<const real> supplied);
  void visit_state(const std::string& name, StateVisitor& visitor);
  void share(const Comm& comm);  ///< makes it equal on all ranks. Collective.
};

}  // namespace solenoid
