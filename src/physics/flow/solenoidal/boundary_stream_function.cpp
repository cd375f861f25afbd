#include "physics/flow/solenoidal/boundary_stream_function.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "mesh/disjoint_sets.hpp"
#include "physics/flow/solenoidal/prescribed_fluxes.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace {

/// Values of all ranks, ascending and distinct. Collective.
std::vector<std::int64_t> union_of(const Comm& comm, const std::vector<std::int64_t>& own) {
  std::vector<std::int64_t> all = from_all_ranks(comm, own);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::size_t place_in(const std::vector<std::int64_t>& sorted, std::int64_t value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

}  // namespace

BoundaryStreamFunction::BoundaryStreamFunction(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh), exchange_(mesh.comm(), mesh.numbering<Node>()) {
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (boundaries.outlet(b.patch)) continue;
    const std::span<const int> ends = mesh.part().face_nodes_of(b.face);
    sides_.push_back(
        {i, ends[0], ends[1], boundaries.may_have_flux(b.patch), boundaries.lets_given_flux_pass(b.patch)});
  }
  sides_of_ = Csr<int>(mesh.total<Node>(), [&](const auto& visit) {
    for (int k = 0; k < static_cast<int>(sides_.size()); ++k) {
      visit(sides_[k].from, k);
      visit(sides_[k].to, k);
    }
  });
  find_components();
  follow_lines(boundaries);
  find_net_flux_paths(boundaries);
  choose_roles();
}

void BoundaryStreamFunction::find_components() {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  const Comm& comm = mesh_.comm();
  DisjointSets sets(nodes.total());
  component_.assign(nodes.total(), none);
  for (const Side& side : sides_) {
    sets.join(side.from, side.to);
    for (const int n : {side.from, side.to}) component_[n] = nodes.global_id[n];
  }
  std::int64_t changes = 1;
  for (std::vector<std::int64_t> lowest(nodes.total()); changes > 0; changes = comm.sum(changes)) {
    std::fill(lowest.begin(), lowest.end(), none);
    for (int n = 0; n < nodes.total(); ++n) {
      std::int64_t& of_set = lowest[sets.lowest(n)];
      of_set = std::min(of_set, component_[n]);
    }
    changes = 0;
    for (int n = 0; n < nodes.total(); ++n) {
      if (component_[n] == none || component_[n] == lowest[sets.lowest(n)]) continue;
      component_[n] = lowest[sets.lowest(n)];
      ++changes;
    }
    exchange_(component_);
  }

  std::vector<std::int64_t> own;
  for (int n = 0; n < nodes.owned; ++n) {
    if (component_[n] == nodes.global_id[n]) own.push_back(component_[n]);
  }
  components_ = union_of(comm, own);
  find_loops();
}

void BoundaryStreamFunction::find_loops() {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  const auto pairs = mesh_.part().pairs.size(), width = 3 + pairs;
  // Nodes less faces; faces that may pass, and in sum; turns.
  std::vector<std::int64_t> sums(components_.size() * width, 0);
  const auto of = [&](std::int64_t component) { return &sums[place_in(components_, component) * width]; };
  for (int n = 0; n < nodes.owned; ++n) {
    if (component_[n] != none) ++of(component_[n])[0];
  }
  for (const Side& side : sides_) {
    const BoundaryFace& b = mesh_.boundary()[side.boundary_face];
    if (!b.is_owned) continue;
    std::int64_t* const sum = of(component_[side.from]);
    --sum[0];
    sum[1] += side.may_pass;
    sum[2] += side.may_pass_in_sum;
    for (std::size_t k = 0; k < pairs; ++k) sum[3 + k] += b.orientation * turns_of(side, static_cast<int>(k));
  }
  mesh_.comm().sum(std::span<std::int64_t>(sums));
  fixed_by_.resize(pairs);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const std::int64_t* const sum = &sums[i * width];
    if (sum[0] > 0) continue;
    loops_.push_back({components_[i], sum[1] > 0, sum[2] > 0, {sum + 3, sum + width}});
    fix_jump(loops_.back().turns, {static_cast<int>(loops_.size()) - 1, 0, false});
  }
}

void BoundaryStreamFunction::choose_roles() {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  const MeshPart& part = mesh_.part();
  // For each piece of boundary that surrounds a part: its component of the lowest number, and its lowest node.
  std::vector<std::int64_t> component(part.boundary_loop_is_hole.size(), none), node(component);
  std::vector<std::int64_t> own;
  for (int n = 0; n < nodes.owned; ++n) {
    if (component_[n] == nodes.global_id[n]) own.push_back(joined(component_[n]));
    const int piece = part.node_boundary_loop[n];
    if (piece < 0 || part.boundary_loop_is_hole[piece]) continue;
    component[piece] = std::min(component[piece], joined(component_[n]));
    node[piece] = std::min(node[piece], nodes.global_id[n]);
  }
  mesh_.comm().min(std::span<std::int64_t>(component));
  mesh_.comm().min(std::span<std::int64_t>(node));
  std::vector<std::int64_t> groups = union_of(mesh_.comm(), own), references, pins;
  for (std::size_t piece = 0; piece < component.size(); ++piece) {
    (component[piece] == none ? pins : references).push_back(component[piece] == none ? node[piece] : component[piece]);
  }
  std::sort(references.begin(), references.end());
  std::sort(pins.begin(), pins.end());
  std::erase_if(groups, [&](std::int64_t c) { return std::binary_search(references.begin(), references.end(), c); });
  for (int n = 0; n < nodes.total(); ++n) {
    const bool is_pin = std::binary_search(pins.begin(), pins.end(), nodes.global_id[n]);
    if (component_[n] == none) {
      roles_.push_back(is_pin ? Space<Edge>::prescribed : Space<Edge>::free);
    } else {
      const std::int64_t of_node = joined(component_[n]);
      const bool is_reference = std::binary_search(references.begin(), references.end(), of_node);
      roles_.push_back(is_reference ? Space<Edge>::prescribed : static_cast<int>(place_in(groups, of_node)));
    }
  }
}

/// Net outflow through the loop.
real BoundaryStreamFunction::sum_over(const Loop& loop, const std::vector<real>& flux) const {
  PartialSum sum;
  for (const Side& side : sides_) {
    const BoundaryFace& b = mesh_.boundary()[side.boundary_face];
    if (b.is_owned && component_[side.from] == loop.component) {
      sum += static_cast<real>(b.orientation) * flux[side.boundary_face];
    }
  }
  return total(mesh_.comm(), sum);
}

/// Subtracts from the largest flux of a closed component its net outflow beyond `wanted`, left by quadrature and
/// rounding; a flux without a flow rate if there are such.
void BoundaryStreamFunction::balance_loop(const Loop& loop, real wanted, const RunningSums& running_sums,
                                          std::vector<real>& flux) const {
  const Comm& comm = mesh_.comm();
  const auto& id = mesh_.numbering<Face>().global_id;
  const Boundary& boundary = mesh_.boundary();
  const MeshPart& part = mesh_.part();
  const real excess = sum_over(loop, flux) - wanted;
  real magnitudes = 0, largest = 0, of_velocities = 0;
  std::int64_t on_hole = 0;
  Vec3 place;
  for (const Side& side : sides_) {
    const BoundaryFace& b = boundary[side.boundary_face];
    const real value = flux[side.boundary_face];
    if (!b.is_owned || component_[side.from] != loop.component) continue;
    magnitudes += std::abs(value);
    if (!running_sums[side.boundary_face]) of_velocities = std::max(of_velocities, std::abs(value));
    if (std::abs(value) > largest) {
      largest = std::abs(value);
      place = mesh_.geometry().face_centre[b.face];
    }
    on_hole = part.boundary_loop_is_hole[part.node_boundary_loop[side.from]];
  }
  magnitudes = comm.sum(magnitudes);
  place = comm.of_least(-largest, place);
  largest = comm.max(largest);
  of_velocities = comm.max(of_velocities);
  on_hole = comm.max(on_hole);
  require_on_all_ranks(
      std::abs(excess) <= quadrature_leaves * magnitudes,
      [&] {
        return message(
            "the velocities or flow rates given around the {} at ({:.6g}, {:.6g}) do not balance: {:.6g} m^2/s more {} "
            "the domain there than {}: change one of them, make a part of it an outlet, or let `balance` in [flow] "
            "scale the inlets",
            on_hole ? "hole" : "boundary", place.x, place.y, std::abs(excess), excess < 0 ? "enter" : "leave",
            excess < 0 ? "leave" : "enter");
      },
      ExitCode::bad_input);
  const bool keeps_rates = of_velocities > quadrature_leaves * magnitudes;
  const real changed = keeps_rates ? of_velocities : largest;
  std::int64_t lowest = none;
  for (const Side& side : sides_) {
    const int i = side.boundary_face;
    const bool may_change = !(keeps_rates && running_sums[i]);
    if (component_[side.from] == loop.component && may_change && std::abs(flux[i]) == changed) {
      lowest = std::min(lowest, id[boundary[i].face]);
    }
  }
  lowest = comm.min(lowest);
  for (const Side& side : sides_) {
    const int i = side.boundary_face;
    if (id[boundary[i].face] == lowest) flux[i] -= static_cast<real>(boundary[i].orientation) * excess;
  }
}

/// Rounds the fluxes so that all sums are exact, and closes the loops. Returns the resulting jumps.
std::vector<real> BoundaryStreamFunction::balance(std::vector<real>& flux, const RunningSums& running_sums,
                                                  const EdgeIntegrals& circulations,
                                                  std::vector<real>& through_pairs) const {
  const Comm& comm = mesh_.comm();
  const auto besides = [&](const Side& side) {
    return circulations[static_cast<std::size_t>(side.boundary_face)].value_or(std::array<real, 3>{});
  };
  std::vector<real> jumps(fixed_by_.size() + ways_.size(), 0);
  real largest = 0, largest_beside = 0;  // in sum the latter are fluxes, which alone add up along the boundary
  std::int64_t count = 0;
  for (const Side& side : sides_) {
    const std::array<real, 3> along = besides(side);
    const real given = flux[side.boundary_face];
    largest = std::max({largest, std::abs(given), std::abs(given + (along[0] + along[1] + along[2]))});
    for (const real value : along) largest_beside = std::max(largest_beside, std::abs(value));
    count += mesh_.boundary()[side.boundary_face].is_owned;
  }
  for (const real through : through_pairs) largest = std::max(largest, std::abs(through));
  const real bound = comm.max(largest) * static_cast<real>(comm.sum(count) + std::int64_t(through_pairs.size())) +
                     comm.max(largest_beside);
  if (bound == 0) return jumps;
  const real splitter = std::ldexp(real{1.5}, std::ilogb(bound) + (jumps.empty() ? 2 : 4));
  for (const Side& side : sides_) {
    real& value = flux[side.boundary_face];
    const auto [from, to] = running_sums[side.boundary_face].value_or(std::array<real, 2>{0, value});
    value = ((to + splitter) - splitter) - ((from + splitter) - splitter);
    for (const real along : besides(side)) value += (along + splitter) - splitter;
  }
  for (real& value : through_pairs) value = (value + splitter) - splitter;

  const std::size_t pairs = fixed_by_.size();
  for (std::size_t k = 0; k < ways_.size(); ++k) jumps[pairs + k] = -sum_over(loops_[ways_[k].from], flux);
  for (std::size_t k = 0; k < pairs; ++k) {
    const Fixed& fixed = fixed_by_[k];
    if (fixed.index < 0) continue;
    const auto by = static_cast<std::size_t>(fixed.index);
    const real around =
        fixed.by_line ? through_pairs[by] - of_ways_through(fixed.index, jumps) : sum_over(loops_[by], flux);
    jumps[k] = fixed.turns * around;
  }
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Loop& loop = loops_[l];
    const bool has_way = std::any_of(ways_.begin(), ways_.end(), [&](const NetFluxPath& way) { return way.from == l; });
    real wanted = 0;
    bool turns = false;
    for (std::size_t k = 0; k < pairs; ++k) {
      wanted += loop.turns[k] * jumps[k];
      turns = turns || loop.turns[k] != 0;
    }
    for (std::size_t k = 0; k < ways_.size(); ++k) {
      if (ways_[k].to == l) wanted += jumps[pairs + k];
    }
    if ((loop.may_pass && !has_way) || turns) balance_loop(loop, wanted, running_sums, flux);
  }
  return jumps;
}

BoundaryStreamFunction::Offsets BoundaryStreamFunction::offsets(std::vector<real> flux, const RunningSums& running_sums,
                                                                const EdgeIntegrals& circulations,
                                                                std::vector<real> through_pairs) const {
  const std::vector<real> jumps = balance(flux, running_sums, circulations, through_pairs);
  return {spread(flux, through_pairs, jumps), jumps};
}

/// s along components, from fluxes with exact sums. Collective.
std::vector<real> BoundaryStreamFunction::spread(const std::vector<real>& flux, const std::vector<real>& through_pairs,
                                                 const std::vector<real>& jumps) const {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  struct Value {
    real s;
    bool is_known;
  };
  std::vector<Value> values(nodes.total(), Value{0, false});
  std::vector<int> front;
  for (int n = 0; n < nodes.total(); ++n) {
    if (component_[n] == nodes.global_id[n]) front.push_back(n);
  }
  for (const int n : front) values[n].is_known = true;
  while (mesh_.comm().sum(static_cast<std::int64_t>(front.size())) > 0) {
    for (std::size_t k = 0; k < front.size(); ++k) {
      const int n = front[k];
      for (const int s : sides_of_[n]) {
        const Side& side = sides_[s];
        const int other = side.from == n ? side.to : side.from;
        if (values[other].is_known) continue;
        real through = flux[side.boundary_face];
        for (std::size_t pair = 0; pair < fixed_by_.size(); ++pair) {
          through -= turns_of(side, static_cast<int>(pair)) * jumps[pair];
        }
        for (std::size_t w = 0; w < ways_.size(); ++w) {
          through -= ways_[w].on_boundary[static_cast<std::size_t>(side.boundary_face)] * jumps[fixed_by_.size() + w];
        }
        values[other] = {values[n].s + (side.from == n ? through : -through), true};
        front.push_back(other);
      }
    }
    const std::vector<Value> before = values;
    exchange_(values);
    front.clear();
    for (int n = nodes.owned; n < nodes.total(); ++n) {
      if (before[n].is_known) {
        values[n] = before[n];  // the owner's value, if it has one, is the same: every sum is exact
      } else if (values[n].is_known) {
        front.push_back(n);
      }
    }
  }
  std::vector<real> result;
  for (const Value& value : values) result.push_back(value.s);
  add_bases(jumps, through_pairs, result);
  return result;
}

}  // namespace solenoid
