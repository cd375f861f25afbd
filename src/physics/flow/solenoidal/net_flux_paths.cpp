/// Paths of net flux through closed pieces of the boundary to where it leaves or enters, as part of the potential.
#include <algorithm>
#include <cmath>
#include <map>

#include "field/assign.hpp"
#include "physics/flow/boundary/flux_surfaces.hpp"
#include "physics/flow/solenoidal/boundary_stream_function.hpp"
#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

namespace solenoid {

namespace {

/// Cell of a part without outlets where the tree leaves the remaining divergence; -1 if there is none. Collective.
std::int64_t cell_of_rest(const LocalMesh& mesh, Field<Face>& way) {
  Field<Cell> rest(mesh);
  rest = mesh.D * halo(way);
  const std::vector<real> of_cells = rest.to_host();
  std::int64_t found = -1;
  for (std::size_t c = 0; c < of_cells.size(); ++c) {
    if (std::abs(of_cells[c]) > real{0.5}) found = mesh.numbering<Cell>().global_id[c];
  }
  return mesh.comm().max(found);
}

}  // namespace

void BoundaryStreamFunction::find_net_flux_paths(const FlowBoundaries& boundaries) {
  const auto& id = mesh_.numbering<Face>().global_id;
  const Boundary& boundary = mesh_.boundary();
  std::optional<SpanningTreeProjection> tree;
  struct Base {
    std::size_t loop;
    Field<Face> way;
  };
  std::map<std::int64_t, Base> bases;  // by the cell where the path of a closed part ends
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    const Loop& loop = loops_[k];
    if (!loop.may_pass_in_sum ||
        std::any_of(loop.turns.begin(), loop.turns.end(), [](int turns) { return turns != 0; })) {
      continue;
    }
    if (!tree) tree.emplace(mesh_, boundaries);
    std::int64_t lowest = none;
    for (const Side& side : sides_) {
      if (side.may_pass_in_sum && component_[side.from] == loop.component) {
        lowest = std::min(lowest, id[boundary[side.boundary_face].face]);
      }
    }
    lowest = mesh_.comm().min(lowest);
    std::vector<real> entering(static_cast<std::size_t>(mesh_.owned<Face>()), 0);
    for (const BoundaryFace& b : boundary) {
      if (b.is_owned && id[b.face] == lowest) entering[b.face] = -b.orientation;
    }
    Field<Face> way(mesh_, entering);
    tree->balance(1, way);
    const std::int64_t end = cell_of_rest(mesh_, way);
    if (end >= 0) {
      const auto [base, is_first] = bases.try_emplace(end, Base{k, Field<Face>(mesh_)});
      if (is_first) {
        base->second.way.copy_from(way);
        continue;
      }
      way = way - base->second.way;
      ways_.push_back({k, base->second.loop, std::move(way), {}, {}});
    } else {
      ways_.push_back({k, std::nullopt, std::move(way), {}, {}});
    }
    halo(ways_.back().flux);
    const std::vector<real> all = ways_.back().flux.all_to_host();
    for (const BoundaryFace& b : boundary) ways_.back().on_boundary.push_back(all[b.face]);
    ways_.back().through_pairs = FluxSurfaces::of_pairs(mesh_).sum(ways_.back().flux);
  }
}

}  // namespace solenoid
