/// Matrices, loads and prescribed values of a diffusion problem at one time, on the host.
#pragma once

#include "base/partial_sum.hpp"
#include "operators/matrix_rows.hpp"
#include "physics/nodal/heat_problem.hpp"
#include "physics/nodal/nodal_loads.hpp"

namespace solenoid {

/// Of owned nodes unless said otherwise.
class DiffusionData {
 public:
  /// What a patch brings to its nodes, PatchNodes::node: constant - coefficient T [W].
  struct PatchLoad {
    std::vector<real> constant, coefficient;
    std::vector<real> value;  ///< given or ambient temperatures [K]; empty for a flux
  };

  /// Evaluates the data at `time` [s]. Collective; throws a collective Error where a quantity of the problem does.
  DiffusionData(const LocalMesh& mesh, HeatProblem problem, real time);

  /// Evaluates those that depend on time anew. Collective; throws in the same way.
  void sample(real time);
  /// `all`: those that do not, too, so that bounds() that were laid over know them.
  void sample(real time, bool all);

  bool depends_on_time() const { return matrix_depends_on_time() || loads_depend_on_time(); }
  bool matrix_depends_on_time() const;  ///< K, H or W
  bool loads_depend_on_time() const;    ///< sources, fluxes, given and ambient temperatures
  bool is_given(int patch) const { return std::holds_alternative<GivenTemperature>(problem_.boundary[patch]); }
  /// Whether a patch of given temperature holds this one of its nodes to it: all of them, unless hold() says otherwise.
  bool holds(int patch, int place) const {
    return is_given(patch) && (held_[patch].empty() || held_[patch][static_cast<std::size_t>(place)] != 0);
  }
  /// Takes for each patch which of its nodes it holds, empty: all; true where that is another choice than before.
  bool hold(std::vector<std::vector<char>> of_patch);
  std::vector<real> held() const;  ///< 1 at nodes that are held, else 0

  const std::vector<PatchNodes>& patch_nodes() const { return patch_nodes_; }
  const MatrixRows& stiffness() const { return stiffness_; }                 ///< K [W/K]
  const std::vector<real>& capacity() const { return capacity_; }            ///< W [J/K]; 0 where none is asked for
  const std::vector<real>& exchange() const { return exchange_; }            ///< H [W/K]
  const std::vector<real>& load() const { return load_; }                    ///< F + H T_ambient [W]
  const std::vector<real>& given() const { return given_; }                  ///< temperatures [K]; 0 at unknowns
  const std::vector<real>& conductivity() const { return conductivity_; }    ///< of local cells [W/(m K)]
  const std::vector<real>& heat_capacity() const { return heat_capacity_; }  ///< the same [J/(m^3 K)]; empty: not asked
  const std::vector<PatchLoad>& patches() const { return patches_; }
  const PartialSum& source() const { return source_; }  ///< of the owned nodes [W]

  /// What the data so far allow.
  TemperatureBounds& bounds() { return bounds_; }
  const TemperatureBounds& bounds() const { return bounds_; }

 private:
  void sample_materials(real time, bool first);
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
