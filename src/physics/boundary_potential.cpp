#include "physics/boundary_potential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "mesh/disjoint_sets.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

/// What any rank has, ascending. Collective.
std::vector<std::int64_t> union_of(const Comm& comm, const std::vector<std::int64_t>& own) {
  std::vector<std::vector<std::int64_t>> to(comm.size(), own);
  to[comm.rank()].clear();
  std::vector<std::int64_t> all = own;
  for (const auto& list : exchange_lists(comm, to)) all.insert(all.end(), list.begin(), list.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::size_t place_in(const std::vector<std::int64_t>& sorted, std::int64_t value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

}  // namespace

BoundaryPotential::BoundaryPotential(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh), exchange_(mesh.comm(), mesh.numbering<Node>()) {
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (boundaries.outlet(b.patch)) continue;
    const std::span<const int> ends = mesh.part().face_nodes_of(b.face);
    sides_.push_back({i, ends[0], ends[1], boundaries.lets_given_flux_pass(b.patch)});
  }
  sides_of_ = Csr<int>(mesh.total<Node>(), [&](const auto& visit) {
    for (int k = 0; k < static_cast<int>(sides_.size()); ++k) {
      visit(sides_[k].from, k);
      visit(sides_[k].to, k);
    }
  });
  find_components();
  choose_roles();
}

void BoundaryPotential::find_components() {
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
  const std::vector<std::int64_t> all = union_of(comm, own);
  std::vector<std::int64_t> open_ends(all.size(), 0), passing(all.size(), 0);  // nodes less faces; faces
  for (int n = 0; n < nodes.owned; ++n) {
    if (component_[n] != none) ++open_ends[place_in(all, component_[n])];
  }
  for (const Side& side : sides_) {
    if (!mesh_.boundary()[side.boundary_face].is_owned) continue;
    const std::size_t k = place_in(all, component_[side.from]);
    --open_ends[k];
    passing[k] += side.may_pass;
  }
  comm.sum(std::span<std::int64_t>(open_ends));
  comm.sum(std::span<std::int64_t>(passing));
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (open_ends[k] <= 0 && passing[k] > 0) closed_.push_back(all[k]);
  }
}

void BoundaryPotential::choose_roles() {
  const LocalNumbering& nodes = mesh_.numbering<Node>();
  const MeshPart& part = mesh_.part();
  // Of each piece of the boundary that surrounds a part: its component of the lowest number, and its lowest node.
  std::vector<std::int64_t> component(part.wall_is_hole.size(), none), node(component);
  std::vector<std::int64_t> own;
  for (int n = 0; n < nodes.owned; ++n) {
    if (component_[n] == nodes.global_id[n]) own.push_back(component_[n]);
    const int piece = part.node_wall[n];
    if (piece < 0 || part.wall_is_hole[piece]) continue;
    component[piece] = std::min(component[piece], component_[n]);
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
      const bool is_reference = std::binary_search(references.begin(), references.end(), component_[n]);
      roles_.push_back(is_reference ? Space<Edge>::prescribed : static_cast<int>(place_in(groups, component_[n])));
    }
  }
}

/// Rounds the fluxes so that sums of all are exact, and takes what quadrature and rounding leave around a closed
/// component off its largest one.
void BoundaryPotential::balance(std::vector<real>& flux) const {
  const Comm& comm = mesh_.comm();
  const auto& id = mesh_.numbering<Face>().global_id;
  const Boundary& boundary = mesh_.boundary();
  const MeshPart& part = mesh_.part();
  real largest = 0;
  std::int64_t count = 0;
  for (const Side& side : sides_) {
    largest = std::max(largest, std::abs(flux[side.boundary_face]));
    count += boundary[side.boundary_face].is_owned;
  }
  const real bound = comm.max(largest) * static_cast<real>(comm.sum(count));
  if (bound == 0) return;
  const real splitter = std::ldexp(real{1.5}, std::ilogb(bound) + 2);
  for (const Side& side : sides_) {
    real& value = flux[side.boundary_face];
    value = (value + splitter) - splitter;
  }

  for (const std::int64_t component : closed_) {
    constexpr real quadrature = 1e-6;  // what Simpson's rule may leave of fluxes that do balance
    real sums[2] = {0, 0};             // out of the domain, and of the magnitudes
    std::int64_t on_hole = 0;
    largest = 0;
    Vec3 place;
    for (const Side& side : sides_) {
      const BoundaryFace& b = boundary[side.boundary_face];
      const real value = flux[side.boundary_face];
      if (!b.is_owned || component_[side.from] != component) continue;
      sums[0] += static_cast<real>(b.orientation) * value;
      sums[1] += std::abs(value);
      if (std::abs(value) > largest) {
        largest = std::abs(value);
        place = mesh_.geometry().face_centre[b.face];
      }
      on_hole = part.wall_is_hole[part.node_wall[side.from]];
    }
    comm.sum(std::span<real>(sums));
    place = comm.of_least(-largest, place);
    largest = comm.max(largest);
    on_hole = comm.max(on_hole);
    require_on_all_ranks(
        std::abs(sums[0]) <= quadrature * sums[1],
        [&] {
          return message(
              "the velocities given around the {} at ({:.6g}, {:.6g}) do not balance: {:.6g} m^2/s more {} the domain "
              "there than {}: {}change a velocity, or make a part of it an outlet",
              on_hole ? "hole" : "boundary", place.x, place.y, std::abs(sums[0]), sums[0] < 0 ? "enter" : "leave",
              sums[0] < 0 ? "leave" : "enter", on_hole ? "a hole gives no fluid in this version; " : "");
        },
        ExitCode::bad_input);
    std::int64_t lowest = none;
    for (const Side& side : sides_) {
      const int i = side.boundary_face;
      if (component_[side.from] == component && std::abs(flux[i]) == largest) {
        lowest = std::min(lowest, id[boundary[i].face]);
      }
    }
    lowest = comm.min(lowest);
    for (const Side& side : sides_) {
      const int i = side.boundary_face;
      if (id[boundary[i].face] == lowest) flux[i] -= static_cast<real>(boundary[i].orientation) * sums[0];
    }
  }
}

std::vector<real> BoundaryPotential::offsets(std::vector<real> flux) const {
  balance(flux);
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
        const real through = flux[side.boundary_face];
        values[other] = {values[n].s + (side.from == n ? through : -through), true};
        front.push_back(other);
      }
    }
    const std::vector<Value> before = values;
    exchange_(values);
    front.clear();
    for (int n = nodes.owned; n < nodes.total(); ++n) {
      if (before[n].is_known) {
        values[n] = before[n];  // what its owner may not know yet is the same: every sum is exact
      } else if (values[n].is_known) {
        front.push_back(n);
      }
    }
  }
  std::vector<real> result;
  for (const Value& value : values) result.push_back(value.s);
  return result;
}

}  // namespace solenoid
