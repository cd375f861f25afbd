/// Diffusion of nodal values from step to step: the common part of heat conduction and transported scalars.
#pragma once

#include "field/boundary_field.hpp"
#include "model/model.hpp"
#include "model/quantity.hpp"
#include "operators/p1.hpp"
#include "physics/nodal/patch_heat.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Balance of the heat of a body, or of a scalar's content, at one time or over a step [W; of a scalar: its unit times
/// m^3/s]; in 2D per metre of depth.
struct HeatBalance {
  std::vector<real> through;  ///< into the body through each patch: by diffusion, plus inflow minus outflow
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< increase of the content per second; 0 in a steady state

  real supplied() const;   ///< all positive contributions: through patches, by sources, and from storage
  real imbalance() const;  ///< supply minus storage: the residual of the linear solver
  /// Its terms, without storage in a steady state.
  std::string in_words(const std::vector<std::string>& patches, bool is_steady) const;
};

/// Columns PREFIX_PATCH, PREFIX_source, PREFIX_stored and PREFIX_imbalance. They refer to `balance`; `taken`: further
/// endings that patches cannot have.
void add_balance_columns(std::vector<HistoryColumn>& columns, const HeatBalance& balance, const std::string& prefix,
                         const std::string& unit, const std::vector<std::string>& patches,
                         std::vector<std::string> taken = {});

/// A quantity `name` at nodes, and its flux in cells and into the body.
std::vector<QuantityInfo> diffusion_quantities(const std::string& name, const std::string& unit,
                                               const std::string& flux, const std::string& unit_of_flux);

class NodalDiffusion {
 public:
  Field<Node>& values() { return values_; }
  Field<Cell, Vec3>& flux();  ///< -k grad T on each owned cell. Collective.
  /// Those of diffusion_quantities(). They refer to this object.
  std::vector<Quantity> quantities(const std::vector<QuantityInfo>& infos);

  struct Range {
    real low, high;
  };
  Range range() const;  ///< of the values. Collective.

  // At the prescribed nodes: the values that the data give, and their difference from the present ones.
  void prescribe(Field<Node>& values) const;
  void prescribe_change(Field<Node>& change) const;

  real time() const { return time_; }   ///< [s]
  real last_dt() const { return dt_; }  ///< [s], 0 before the first step
  const SolveLog& solves() const { return solves_; }

 protected:
  /// At `time` [s], without values. Refers to `mesh`. Collective; throws a collective Error if a coefficient of the
  /// problem does.
  NodalDiffusion(const LocalMesh& mesh, HeatProblem problem, real time, const MemoryOf& = MemoryOf("diffusion"));
  ~NodalDiffusion() = default;

  /// Sets the values to begin from, except at prescribed nodes. Collective.
  void set_values(const Coefficient<real>& initial);
  /// Copies the present data to the device.
  void upload();
  /// Sets the unknowns after a change of DiffusionData::hold(). Collective.
  void set_unknowns();
  /// ||T' - T||_2 / (dt sqrt(W)) of the last step over the range of all values and data so far [1/s], each node
  /// weighted by its heat capacity W. Collective.
  real rate_of_change(const Field<Node>& capacity);

  const LocalMesh& mesh_;
  real time_, dt_ = 0;
  DiffusionData data_;     // at time_
  TemperatureBounds met_;  // values of the steps so far
  Space<Node> unknowns_;
  DeviceArray<int> prescribed_;  // owned nodes
  PatchHeat patch_heat_;
  Field<Cell> conductivity_;
  Field<Node> load_, given_;  // F + H T_ambient; the prescribed values, 0 at unknowns
  Field<Node> values_, values_old_, work_;
  bool flux_is_of_now_ = false;
  SolveLog solves_;

 private:
  P1Gradient gradient_;
  Field<Cell, Vec3> flux_;
  BoundaryField<real> flux_in_;
};

}  // namespace solenoid
