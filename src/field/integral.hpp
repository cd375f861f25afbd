/// Integrals and means of cell values over all ranks: over the whole mesh, a volume group, or with any weight. For
/// files that launch kernels.
#pragma once

#include "field/inner_product.hpp"

namespace solenoid {

/// 1 in the cells of a volume group, 0 elsewhere: the weight for sums over the group. `region`: index into
/// mesh.part().regions. Throws if the index is out of range.
inline Field<Cell> region_weight(const LocalMesh& mesh, int region) {
  const MeshPart& part = mesh.part();
  const int count = static_cast<int>(part.regions.size());
  require(region >= 0 && region < count,
          [&] { return message("the mesh has {} volume groups, none with the number {}", count, region); });
  std::vector<real> weight;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) weight.push_back(part.cell_region[c] == region);
  return Field<Cell>(mesh, weight);
}

/// V_c [m^3] in formulas over cells; in 2D [m^2], per metre of depth.
inline auto volumes(const LocalMesh& mesh) {
  return expression::make<Cell>(expression::Read<Cell, real>{mesh.cell_volume().data});
}

/// sum_c V_c v_c, in the unit of `values` times m^3. Collective.
template <Operand V>
real integral(const LocalMesh& mesh, const V& values) {
  return sum(mesh, volumes(mesh) * values);
}
/// sum_c w_c V_c v_c. Collective.
template <Operand V>
real integral(const LocalMesh& mesh, const V& values, const Field<Cell>& weight) {
  return sum(mesh, volumes(mesh) * values, weight);
}

/// Volume mean, in the unit of `values`. Collective.
template <Operand V>
real mean(const LocalMesh& mesh, const V& values) {
  return integral(mesh, values) / sum(mesh, volumes(mesh));
}
/// sum_c w_c V_c v_c / sum_c w_c V_c. Collective. Throws a collective Error if the weighted volume is 0.
template <Operand V>
real mean(const LocalMesh& mesh, const V& values, const Field<Cell>& weight) {
  const real volume = sum(mesh, volumes(mesh), weight);
  require_on_all_ranks(volume != 0, [] { return "a mean over no volume: the weight of every cell is 0"; });
  return integral(mesh, values, weight) / volume;
}

}  // namespace solenoid
