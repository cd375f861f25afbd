/// Matrices, loads and prescribed values of a diffusion problem at one time, on the host.
#pragma once

#include "base/partial_sum.hpp"
#include "operators/matrix_rows.hpp"
#include "physics/nodal/nodal_boundary.hpp"
#include "physics/nodal/nodal_loads.hpp"

namespace solenoid {

/// k dT/dn = 0.
inline NodalBoundary insulated() { return {BoundaryKind::natural, "insulated", {}}; }
/// T = value [K].
inline NodalBoundary given_temperature(const Coefficient<real>& value = {}) {
  return {BoundaryKind::value, "temperature {} K", {{"value", "K", value}}};
}
/// k dT/dn = value [W/m^2]: positive heats the body.
inline NodalBoundary given_heat_flux(const Coefficient<real>& value = {}) {
  return {BoundaryKind::flux, "heat flux {} W/m^2 into the body", {{"value", "W/m^2", value}}};
}
/// k dT/dn = coefficient (ambient - T), with a coefficient [W/(m^2 K)] >= 0.
inline NodalBoundary heat_exchange(const Coefficient<real>& coefficient = {}, const Coefficient<real>& ambient = {}) {
  return {BoundaryKind::exchange,
          "convection, {} W/(m^2 K) to {} K",
          {{"coefficient", "W/(m^2 K)", coefficient}, {"ambient", "K", ambient}}};
}

/// Cells in which other properties stand in the place of those of a body, and a source more.
struct HeatOfCells {
  std::vector<char> marks;                          ///< per local cell
  std::optional<real> conductivity, heat_capacity;  ///< [W/(m K)], [J/(m^3 K)]; absent: as in the body
  Coefficient<real> source;                         ///< by time [W/m^3]
};

/// div(k grad T) + s = c dT/dt in the body, with its boundary conditions.
struct HeatProblem {
  OnRegions conductivity;                  ///< k [W/(m K)], > 0
  std::optional<OnRegions> heat_capacity;  ///< c [J/(m^3 K)], > 0; nullopt: steady state
  OnRegions source;                        ///< s [W/m^3]
  std::vector<NodalBoundary> boundary;     ///< by patch
  std::vector<HeatOfCells> of_cells = {};  ///< the last one counts, and sources add up
};

/// Arrays cover the owned nodes unless stated otherwise.
class DiffusionData {
 public:
  /// Contribution of a patch to its nodes PatchNodes::node: constant - coefficient T [W].
  struct PatchLoad {
    std::vector<real> constant, coefficient;
    std::vector<real> value;  ///< prescribed or ambient temperatures [K]; empty for a flux
  };

  /// Evaluates the data at `time` [s]. Collective; throws a collective Error if a coefficient of the problem does.
  DiffusionData(const LocalMesh& mesh, HeatProblem problem, real time);

  /// Evaluates the time-dependent data again. `all`: also the constant data, so that bounds() include them after a
  /// restart overwrote the bounds. Collective; throws in the same way.
  void sample(real time, bool all = false);

  bool depends_on_time() const;
  bool matrix_depends_on_time() const;  ///< K, H or W
  bool is_given(int patch) const { return problem_.boundary[patch].kind == BoundaryKind::value; }
  /// Whether a patch with prescribed temperature prescribes it at this node: at all its nodes, unless hold() restricts
  /// it.
  bool holds(int patch, int place) const {
    return is_given(patch) && (held_[patch].empty() || held_[patch][static_cast<std::size_t>(place)] != 0);
  }
  /// Sets the held nodes of each patch (empty: all); true if this changes the selection.
  bool hold(std::vector<std::vector<char>> of_patch);
  std::vector<real> held() const;  ///< 1 at held nodes, else 0

  const std::vector<PatchNodes>& patch_nodes() const { return patch_nodes_; }
  const MatrixRows& stiffness() const { return stiffness_; }       ///< K [W/K]
  const std::vector<real>& capacity() const { return capacity_; }  ///< W [J/K]; 0 without heat_capacity
  const std::vector<real>& exchange() const { return exchange_; }  ///< H [W/K]
  const std::vector<real>& load() const { return load_; }          ///< F + H T_ambient [W]
  const std::vector<real>& given() const { return given_; }        ///< prescribed temperatures [K]; 0 at unknowns
  const std::vector<real>& conductivity() const { return conductivity_; }    ///< of local cells [W/(m K)]
  const std::vector<real>& heat_capacity() const { return heat_capacity_; }  ///< same [J/(m^3 K)]; empty: steady
  const std::vector<PatchLoad>& patches() const { return patches_; }
  const PartialSum& source() const { return source_; }  ///< total over the owned nodes [W]

  /// The temperature bounds of the data so far.
  TemperatureBounds& bounds() { return bounds_; }
  const TemperatureBounds& bounds() const { return bounds_; }

 private:
  void sample_materials(real time, bool all);
  bool source_depends_on_time() const;
  void sample_patch(int patch, real time);
  void collect();

  const LocalMesh& mesh_;
  HeatProblem problem_;
  std::vector<PatchNodes> patch_nodes_;
  std::vector<std::vector<char>> held_;  // see hold()
  MatrixRows stiffness_;
  std::vector<real> conductivity_, heat_capacity_, capacity_, exchange_, source_loads_, load_, given_;
  std::vector<PatchLoad> patches_;
  PartialSum source_;
  TemperatureBounds bounds_;
};

}  // namespace solenoid
