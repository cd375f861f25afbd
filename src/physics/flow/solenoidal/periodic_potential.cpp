/// Jumps of the boundary potential over periodic pairs, and the conditions from prescribed fluxes through them.
#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "physics/flow/solenoidal/boundary_stream_function.hpp"

namespace solenoid {

std::int64_t BoundaryStreamFunction::free_jumps() const {
  return std::count_if(fixed_by_.begin(), fixed_by_.end(), [](const Fixed& by) { return by.index < 0; });
}

/// How often the path of a side leads over a pair.
int BoundaryStreamFunction::turns_of(const Side& side, int pair) const {
  const MeshPart& part = mesh_.part();
  const std::span<const int> ends = part.face_points_of(mesh_.boundary()[side.boundary_face].face);
  return part.turns(ends[1], pair) - part.turns(ends[0], pair);
}

/// `turns`: of a closed line around each pair.
void BoundaryStreamFunction::fix_jump(const std::vector<int>& turns, const Fixed& by) {
  const auto is_not_none = [](int count) { return count != 0; };
  const auto pair = std::find_if(turns.begin(), turns.end(), is_not_none);
  if (pair == turns.end()) return;
  require_on_all_ranks(
      std::count_if(turns.begin(), turns.end(), is_not_none) == 1 && std::abs(*pair) == 1,
      [] {
        return "a side of the domain closes over several periodic pairs at once: this version takes sides that close "
               "over one, once";
      },
      ExitCode::bad_input);
  Fixed& fixed = fixed_by_[static_cast<std::size_t>(pair - turns.begin())];
  require_on_all_ranks(
      !by.by_line || fixed.index < 0,
      [&] {
        return message(
            "the flux through the periodic pair \"{}\", \"{}\" is given by the boundary already: leave `mass_flux` out",
            mesh_.part().pairs[static_cast<std::size_t>(by.index)].first,
            mesh_.part().pairs[static_cast<std::size_t>(by.index)].second);
      },
      ExitCode::bad_input);
  if (fixed.index < 0) fixed = {by.index, *pair, by.by_line};
}

/// The flux through a pair is the sum of +-s over the ends of its first patch, plus its turns times the jumps.
std::vector<BoundaryStreamFunction::LineEnd> BoundaryStreamFunction::ends_of_line(int pair) const {
  const MeshPart& part = mesh_.part();
  std::vector<int> sign(part.nodes(), 0);
  for (int f = 0; f < part.faces(); ++f) {
    if (std::abs(part.face_pair[f]) != pair + 1) continue;
    const int along = part.face_pair[f] > 0 ? 1 : -1;
    sign[part.face_nodes_of(f)[0]] -= along;
    sign[part.face_nodes_of(f)[1]] += along;
  }
  std::vector<LineEnd> own;
  for (int n = 0; n < mesh_.owned<Node>(); ++n) {
    if (sign[n] != 0) own.push_back({component_[n], mesh_.numbering<Node>().global_id[n], sign[n]});
  }
  return from_all_ranks(mesh_.comm(), own);
}

std::vector<int> BoundaryStreamFunction::turns_of_line(int pair) const {
  const MeshPart& part = mesh_.part();
  std::vector<std::int64_t> sums(part.pairs.size(), 0);
  for (int f = 0; f < mesh_.owned<Face>(); ++f) {
    if (std::abs(part.face_pair[f]) != pair + 1) continue;
    const std::span<const int> ends = part.face_points_of(f);
    for (int k = 0; k < static_cast<int>(sums.size()); ++k) {
      sums[k] += (part.face_pair[f] > 0 ? 1 : -1) * (part.turns(ends[1], k) - part.turns(ends[0], k));
    }
  }
  mesh_.comm().sum(std::span<std::int64_t>(sums));
  return {sums.begin(), sums.end()};
}

/// Conditions from prescribed fluxes through pairs.
void BoundaryStreamFunction::follow_lines(const FlowBoundaries& boundaries) {
  const MeshPart& part = mesh_.part();
  for (int pair = 0; pair < static_cast<int>(part.pairs.size()); ++pair) {
    if (!boundaries.drive(pair).flux) continue;
    const std::vector<LineEnd> ends = ends_of_line(pair);
    if (ends.empty()) {
      fix_jump(turns_of_line(pair), {pair, 0, true});
      continue;
    }
    const bool is_between_two = ends.size() == 2 && ends[0].component != none && ends[1].component != none &&
                                joined(ends[0].component) != joined(ends[1].component);
    require_on_all_ranks(
        is_between_two,
        [&] {
          const PeriodicPair& names = part.pairs[static_cast<std::size_t>(pair)];
          return message(
              "the flux through the periodic pair \"{}\", \"{}\" cannot be given: \"{}\" must be one line that leads "
              "from one side of the domain to another, both walls, inlets, planes of symmetry or far fields that hang "
              "together in no other way; give `pressure_drop`, or lay the pair elsewhere",
              names.first, names.second, names.first);
        },
        ExitCode::bad_input);
    const bool second_moves = joined(ends[0].component) < joined(ends[1].component);
    Bridge bridge{pair, ends[second_moves ? 0 : 1], ends[second_moves ? 1 : 0], {}};
    const std::int64_t moving = joined(bridge.to.component);
    for (const std::int64_t component : components_) {
      if (joined(component) == moving) bridge.moved.push_back(component);
    }
    joined_[moving] = joined(bridge.from.component);
    bridges_.push_back(std::move(bridge));
  }
}

std::int64_t BoundaryStreamFunction::joined(std::int64_t component) const {
  for (auto found = joined_.find(component); found != joined_.end(); found = joined_.find(component)) {
    component = found->second;
  }
  return component;
}

/// Flux of the ways over a pair.
real BoundaryStreamFunction::of_ways_through(int pair, const std::vector<real>& jumps) const {
  real through = 0;
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    through += ways_[k].through_pairs[static_cast<std::size_t>(pair)] * jumps[fixed_by_.size() + k];
  }
  return through;
}

std::vector<real> BoundaryStreamFunction::of_free_jump(int pair) const {
  std::vector<real> jumps(fixed_by_.size() + ways_.size(), 0);
  jumps[static_cast<std::size_t>(pair)] = 1;
  return spread(std::vector<real>(static_cast<std::size_t>(mesh_.boundary().size()), 0),
                std::vector<real>(fixed_by_.size(), 0), jumps);
}

/// Adds to values, 0 at one node of each component, the differences between components by fluxes through pairs.
void BoundaryStreamFunction::add_bases(const std::vector<real>& jumps, const std::vector<real>& through_pairs,
                                       std::vector<real>& values) const {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  const auto value_at = [&](std::int64_t node) {
    real value = 0;
    for (int n = 0; n < nodes.owned; ++n) {
      if (nodes.global_id[n] == node) value = values[n];
    }
    return mesh_.comm().sum(value);
  };
  for (const Bridge& bridge : bridges_) {
    real difference = through_pairs[static_cast<std::size_t>(bridge.pair)];
    const std::vector<int> turns = turns_of_line(bridge.pair);
    for (std::size_t k = 0; k < turns.size(); ++k) difference -= turns[k] * jumps[k];
    difference -= of_ways_through(bridge.pair, jumps);
    const real base = value_at(bridge.from.node) + bridge.to.sign * difference - value_at(bridge.to.node);
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (std::binary_search(bridge.moved.begin(), bridge.moved.end(), component_[n])) values[n] += base;
    }
  }
}

}  // namespace solenoid
