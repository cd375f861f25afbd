#include "physics/scalar/solid_heat.hpp"

#include <algorithm>
#include <limits>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"

namespace solenoid {

namespace {

constexpr int in_fluid = -1;

/// Per local cell: index of its solid in the setup, or in_fluid.
std::vector<int> solids_of_cells(const MeshPart& part, const std::vector<SolidRegion>& solids) {
  std::vector<int> of_region;
  for (const std::string& region : part.regions) {
    const auto found =
        std::find_if(solids.begin(), solids.end(), [&](const auto& solid) { return solid.name == region; });
    of_region.push_back(found == solids.end() ? in_fluid : static_cast<int>(found - solids.begin()));
  }
  std::vector<int> solid_of;
  for (const int region : part.cell_region) solid_of.push_back(region < 0 ? in_fluid : of_region[region]);
  return solid_of;
}

/// Per owned node: the first solid around it if there is fluid too; else -1. All cells around the node are on this
/// rank.
std::vector<int> solids_of_surface(const LocalMesh& mesh, const std::vector<int>& solid_of) {
  constexpr int none = std::numeric_limits<int>::max();
  std::vector<int> first(mesh.owned<Node>(), none);
  std::vector<char> is_wet(mesh.owned<Node>(), 0);
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    for (const int n : mesh.part().cell_nodes_of(c)) {
      if (n >= mesh.owned<Node>()) continue;
      if (solid_of[c] == in_fluid) {
        is_wet[n] = 1;
      } else {
        first[n] = std::min(first[n], solid_of[c]);
      }
    }
  }
  for (std::size_t n = 0; n < first.size(); ++n) {
    if (!is_wet[n] || first[n] == none) first[n] = in_fluid;
  }
  return first;
}

}  // namespace

SolidHeat::SolidHeat(const NodePairs& pairs, const ScalarSetup& setup)
    : mesh_(pairs.mesh()),
      data_(mesh_, setup.problem_in_solids(mesh_.part().regions, mesh_.part().patches), 0),
      matrices_(pairs, data_, ScalarMatrices::Form::lumped),
      load_(mesh_, data_.load()),
      reaction_(mesh_) {
  const std::vector<int> solid_of = solids_of_cells(mesh_.part(), setup.solids),
                         on_surface = solids_of_surface(mesh_, solid_of);
  for (std::size_t s = 0; s < setup.solids.size(); ++s) {
    const auto is_here = [s](int solid) { return solid == static_cast<int>(s) ? real{1} : real{0}; };
    std::vector<real> surface, in_cells;
    for (const int solid : on_surface) surface.push_back(is_here(solid));
    for (const int solid : solid_of) in_cells.push_back(is_here(solid));
    surface_.emplace_back(mesh_, surface);
    share_.emplace_back(mesh_, p1_lumped_mass(mesh_, in_cells));
    volume_.push_back(sum(mesh_, operand(share_.back())));
    states_.push_back({.name = setup.solids[s].name});
  }
}

void SolidHeat::diagnose(ScalarTransport& temperature) {
  if (data_.depends_on_time()) {
    data_.sample(temperature.time());
    load_.from_host(data_.load());
  }
  temperature.compute_reaction(matrices_, load_, reaction_);
  const Field<Node>& values = temperature.values();
  for (std::size_t s = 0; s < states_.size(); ++s) {
    states_[s].into_fluid = -sum(mesh_, operand(reaction_), surface_[s]);
    states_[s].mean = sum(mesh_, operand(values), share_[s]) / volume_[s];
    const auto T = values.view(), share = std::as_const(share_[s]).view();
    const real below_all = -std::numeric_limits<real>::max();
    states_[s].highest = mesh_.comm().max(reduce_max(
        values.owned(), below_all,
        SOLENOID_KERNEL(int i) { return share[Index<Node>{i}] > 0 ? T[Index<Node>{i}] : below_all; }));
  }
}

}  // namespace solenoid
