#include "physics/flow/momentum/rotating_zones.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/partial_sum.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/interpolation.hpp"
#include "operators/nedelec.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"

namespace solenoid {

namespace {

/// As the frame sees them, where a velocity is given. Of a wall of revolution told from rest the facets let a little of
/// the relative flow pass, which has the wall's velocity. In the plane stencils in the zone reach as far as openings
/// and mirrors around it, where the relative flow is another one: of it they take the fluxes alone.
FlowBoundaries seen_from(const RotatingFrame& frame, const FlowBoundaries& seen_from_rest, const LocalMesh& mesh) {
  std::vector<FlowBoundary> of_patch;
  for (std::size_t p = 0; p < mesh.part().patches.size(); ++p) {
    FlowBoundary condition = seen_from_rest.on(static_cast<int>(p));
    if (auto* const wall = std::get_if<Wall>(&condition)) {
      wall->velocity = frame.relative(wall->velocity);
      wall->turns = true;
      wall->frame.reset();
    } else if (mesh.dimension() == 2) {
      condition = Farfield{};
    }
    of_patch.push_back(std::move(condition));
  }
  return of_patch;
}

/// Edges of a cell, in 2D its nodes.
std::span<const int> edges_of(const MeshPart& part, const std::vector<int>& of_cells, int cell) {
  return part.dimension == 2 ? part.cell_nodes_of(cell) : row_of(of_cells, cell, 6);
}

/// From the first node of each local edge to its second, and its middle [m]; in 3D.
struct EdgePlaces {
  std::vector<Vec3> along, middle;
  EdgePlaces(const LocalMesh& mesh, const std::vector<int>& of_cells)
      : along(static_cast<std::size_t>(mesh.total<Edge>())), middle(along) {
    const MeshPart& part = mesh.part();
    for (int c = 0; c < mesh.total<Cell>(); ++c) {
      const std::span<const int> nodes = part.cell_nodes_of(c), points = part.cell_points_of(c);
      const std::span<const int> edges = edges_of(part, of_cells, c);
      for (std::size_t k = 0; k < edges.size(); ++k) {
        const auto [a, b] = edge_ends[k];
        const Vec3 from = part.points[points[a]], to = part.points[points[b]];
        along[edges[k]] = part.edge_nodes_of(edges[k])[0] == nodes[a] ? to - from : from - to;
        middle[edges[k]] = (from + to) / 2;
      }
    }
  }
};

/// The line integrals of a quadratic vector potential along edges, in 2D its values, on a grid. Collective.
Field<Face> curl_of(const LocalMesh& mesh, const RotatingFrame& frame) {
  std::vector<real> values;
  if (mesh.dimension() == 2) {
    for (int n = 0; n < mesh.owned<Edge>(); ++n) values.push_back(frame.vector_potential(mesh.part().points[n]).z);
  } else {
    const EdgePlaces places(mesh, edges_of_cells(mesh.part()));
    for (int e = 0; e < mesh.owned<Edge>(); ++e) {
      const Vec3 middle = places.middle[e], along = places.along[e];
      values.push_back(frame.circulation(middle - along / 2, middle + along / 2));
    }
  }
  constexpr real edges_of_face = 3;
  Field<Edge> potential(mesh, values);
  round_to_grid(edges_of_face * max_magnitude(potential), potential);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  return flux;
}

void set_in_cells(const DeviceArray<int>& cells, const Vec3& twice_rate, const Field<Cell, Vec3>& relative,
                  const Field<Cell, Vec3>& convection, Field<Cell, Vec3>& result) {
  const int* const cell = cells.data();
  const auto v = relative.view(), of_relative = convection.view();
  const auto values = result.view();
  forall(
      static_cast<int>(cells.size()), SOLENOID_KERNEL(int k) {
        const Index<Cell> c{cell[k]};
        values[c] = of_relative[c] + cross(twice_rate, v[c]);
      });
}

void copy_in_cells(const DeviceArray<int>& cells, const Field<Cell, Vec3>& from, Field<Cell, Vec3>& to) {
  const int* const cell = cells.data();
  const auto given = from.view();
  const auto values = to.view();
  forall(
      static_cast<int>(cells.size()), SOLENOID_KERNEL(int k) {
        const Index<Cell> c{cell[k]};
        values[c] = given[c];
      });
}

/// max_c(sum_f |U_f - W_f| / (2 V_c)) of these cells on this rank.
real relative_rate(const DeviceArray<int>& cells, Exchanged<Face> flux, Exchanged<Face> solid) {
  const LocalMesh& mesh = flux.mesh();
  const int* const cell = cells.data();
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const auto U = flux.view(), W = solid.view();
  return reduce_max(
      static_cast<int>(cells.size()), 0, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{cell[i]};
        real sum = 0;
        for (const auto [f, sign, k] : faces[c]) sum += std::fabs(U[f] - W[f]);
        return sum / (2 * V[c]);
      });
}

/// Per local face, how many of its cells have a mark.
std::vector<int> marked_sides(const LocalMesh& mesh, const std::vector<char>& marks) {
  std::vector<int> sides(static_cast<std::size_t>(mesh.total<Face>()), 0);
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    for (const int f : mesh.part().cell_faces_of(c)) sides[f] += marks[c] != 0;
  }
  return sides;
}

}  // namespace

RotatingZones::Part::Part(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowZone& zone,
                          const FlowBoundaries& seen_from_rest, const WideHaloMesh* wide)
    : frame(*zone.rotating),
      marks(cells_of(zone,
                     {mesh.dimension(), mesh.geometry().cell_centre, mesh.part().cell_region, mesh.part().regions})),
      flux(curl_of(mesh, frame)),
      velocity(mesh),
      boundaries(seen_from(frame, seen_from_rest, mesh)),
      faces(mesh, boundaries),
      convection(mesh, settings, boundaries, faces, wide, CellConvection::Past::none) {
  std::vector<int> owned;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (marks[c]) owned.push_back(c);
  }
  cells = DeviceArray<int>(owned);
  interpolate(halo(flux), velocity);
}

std::list<RotatingZones::Part> RotatingZones::parts_of(const FlowStepSettings& settings,
                                                       const FlowBoundaries& boundaries,
                                                       const WideHaloMesh* wide) const {
  std::list<Part> parts;
  for (const FlowZone& zone : settings.zones) {
    if (zone.rotating) parts.emplace_back(mesh_, settings, zone, boundaries, wide);
  }
  return parts;
}

RotatingZones::RotatingZones(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries,
                             const ClosedParts& closed, const WideHaloMesh* wide, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      parts_(parts_of(settings, boundaries, wide)),
      potential_(mesh, closed, [this](int cell, const Vec3& place) { return potential_at(cell, place); }),
      jumps_(mesh),
      relative_(mesh) {
  const Geometry& geometry = mesh.geometry();
  std::vector<real> jumps(static_cast<std::size_t>(mesh.owned<Face>()), 0);
  std::vector<char> is_inside(static_cast<std::size_t>(mesh.total<Cell>()), 0);
  for (const Part& part : parts_) {
    const std::vector<int> sides = marked_sides(mesh, part.marks);
    const auto potential = [&](const Vec3& x) { return part.frame.centrifugal_potential(x); };
    const auto is_on_surface = [&](int f) { return sides[f] == 1 && mesh.part().face_patch[f] < 0; };
    const IncidenceRows& cells = mesh.G.host();
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      if (!is_on_surface(f)) continue;
      for (int k = cells.offset[f]; k < cells.offset[f + 1]; ++k) {
        if (part.marks[cells.index[k]]) jumps[f] += cells.sign[k] * mean_over_face(mesh.part(), f, potential);
      }
    }
    const IncidenceRows& faces = mesh.D.host();
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      if (!part.marks[c]) continue;
      is_inside[c] = 1;
      for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
        const int f = faces.index[k];
        if (!is_on_surface(f)) continue;
        const real outward = faces.sign[k] * geometry.face_area[f] * mean_over_face(mesh.part(), f, potential);
        pulls_.push_back({c, outward * geometry.face_normal[f], geometry.face_centre[f] - geometry.cell_centre[c]});
      }
    }
  }
  jumps_.from_host(jumps);
  std::vector<int> outside;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (!is_inside[c]) outside.push_back(c);
  }
  outside_ = DeviceArray<int>(outside);
}

/// 0 outside of zones.
real RotatingZones::potential_at(int cell, const Vec3& place) const {
  for (const Part& part : parts_) {
    if (part.marks[cell]) return part.frame.centrifugal_potential(place);
  }
  return 0;
}

Field<Cell, Vec3> RotatingZones::solid_velocity() const {
  Field<Cell, Vec3> velocity(mesh_);
  for (const Part& part : parts_) copy_in_cells(part.cells, part.velocity, velocity);
  return velocity;
}

void RotatingZones::sample(real time) {
  for (Part& part : parts_) {
    part.faces.sample(time);
    part.convection.sample(time);
  }
}

void RotatingZones::set_convection(FlowState& state, Field<Cell, Vec3>& convection) {
  for (Part& part : parts_) {
    relative_.flux = state.flux - part.flux;
    relative_.velocity = state.velocity - part.velocity;
    part.convection.update(relative_, relative_.vorticity, CellConvection::Kept::no);
    set_in_cells(part.cells, 2 * part.frame.rate, relative_.velocity, part.convection.now(), convection);
  }
}

void RotatingZones::add_jumps(Field<Face>& along_duals) const { along_duals = along_duals + jumps_; }

real RotatingZones::power_of_jumps(const Field<Face>& flux) const { return dot(flux, jumps_); }

Vec3 RotatingZones::force_of_jumps(const ForceTestFunction& weight) const {
  const std::vector<real> means = weight.in_cells().to_host();
  const std::vector<Vec3> slopes = weight.gradient().to_host();
  std::vector<PartialSum> sums(3);
  for (const Pull& pull : pulls_) {
    const Vec3 force = (means[pull.cell] + dot(slopes[pull.cell], pull.from_centre)) * pull.outward;
    sums[0] += force.x;
    sums[1] += force.y;
    sums[2] += force.z;
  }
  const std::vector<real> force = totals(mesh_.comm(), sums);
  return {force[0], force[1], force[2]};
}

Field<Edge> RotatingZones::missing_circulation(const Field<Edge>& lumped_inverse_mass) const {
  const MeshPart& mesh = mesh_.part();
  const bool is_planar = mesh_.dimension() == 2;
  const std::vector<int> of_cells = is_planar ? std::vector<int>() : edges_of_cells(mesh);
  const std::vector<real> inverse = lumped_inverse_mass.to_host();
  std::vector<real> missing(inverse.size(), 0);
  for (const Part& part : parts_) {
    Field<Cell, Vec3> velocity(mesh_);
    Field<Face> along(mesh_);
    Field<Edge> circulation(mesh_);
    velocity.copy_from(part.velocity);
    integrate(halo(velocity), along);
    circulation = mesh_.R * halo(along);
    BoundaryCirculation of_boundary(mesh_);
    std::vector<Vec3> solid;
    for (const Vec3& x : boundary_places(mesh_)) solid.push_back(part.frame.velocity(x));
    of_boundary.set(solid);
    circulation = circulation + of_boundary.field();
    const std::vector<real> there = circulation.to_host();
    std::vector<char> is_inside(static_cast<std::size_t>(mesh_.total<Edge>()), 1);
    for (int c = 0; c < mesh_.total<Cell>(); ++c) {
      for (const int e : edges_of(mesh, of_cells, c)) is_inside[e] = is_inside[e] && part.marks[c];
    }
    std::vector<Vec3> along_edges;
    MatrixRows mass;
    if (!is_planar) {
      along_edges = EdgePlaces(mesh_, of_cells).along;
      mass = edge_mass(mesh_);
    }
    for (int e = 0; e < mesh_.owned<Edge>(); ++e) {
      if (!is_inside[e] || inverse[e] == 0) continue;
      real uniform = is_planar ? 2 * part.frame.rate.z / inverse[e] : 0;
      for (int k = is_planar ? 0 : mass.offset[e]; !is_planar && k < mass.offset[e + 1]; ++k) {
        uniform += mass.value[k] * dot(2 * part.frame.rate, along_edges[mass.column[k]]);
      }
      missing[e] = uniform - there[e];
    }
  }
  return {mesh_, missing};
}

/// The rates of all zones, then points on their axes, then numbers that identify their cells.
std::vector<double> RotatingZones::rotations() const {
  std::vector<double> all;
  for (const Part& part : parts_) all.insert(all.end(), {part.frame.rate.x, part.frame.rate.y, part.frame.rate.z});
  for (const Part& part : parts_) all.insert(all.end(), {part.frame.point.x, part.frame.point.y, part.frame.point.z});
  for (const Part& part : parts_) {
    constexpr std::int64_t range = 1 << 20;  // keeps the sum exact
    std::int64_t cells = 0;
    for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
      if (part.marks[c]) cells += 1 + mesh_.numbering<Cell>().global_id[c] % range;
    }
    all.push_back(static_cast<double>(mesh_.comm().sum(cells)));
  }
  return all;
}

/// A list for each unit.
void RotatingZones::visit_state(StateVisitor& visitor) {
  const auto points = of_state_.begin() + static_cast<std::ptrdiff_t>(3 * parts_.size()),
             cells = points + static_cast<std::ptrdiff_t>(3 * parts_.size());
  std::vector<double> of_state[]{{of_state_.begin(), points}, {points, cells}, {cells, of_state_.end()}};
  visitor.list("rates_of_zones", of_state[0]);
  visitor.list("points_of_zones", of_state[1]);
  visitor.list("cells_of_zones", of_state[2]);
  of_state_.clear();
  for (const std::vector<double>& list : of_state) of_state_.insert(of_state_.end(), list.begin(), list.end());
}

bool RotatingZones::have_changed() {
  std::vector<double> now = rotations();
  return std::exchange(of_state_, now) != now;
}

real RotatingZones::courant_rate(Field<Face>& flux) {
  Field<Face>& none = relative_.flux;
  none = 0 * none;
  real largest = relative_rate(outside_, halo(flux), halo(none));
  for (Part& part : parts_) largest = std::max(largest, relative_rate(part.cells, halo(flux), halo(part.flux)));
  return mesh_.comm().max(largest);
}

Vec3 RotatingZones::fastest_place(Field<Face>& flux) {
  halo(flux);
  const std::vector<real> U = flux.all_to_host();
  std::vector<const std::vector<real>*> solid(static_cast<std::size_t>(mesh_.owned<Cell>()), nullptr);
  std::list<std::vector<real>> of_parts;
  for (Part& part : parts_) {
    halo(part.flux);
    of_parts.push_back(part.flux.all_to_host());
    for (std::size_t c = 0; c < solid.size(); ++c) {
      if (part.marks[c]) solid[c] = &of_parts.back();
    }
  }
  return solenoid::fastest_place(
      mesh_, [&](int cell, int face) { return U[face] - (solid[cell] ? (*solid[cell])[face] : 0); });
}

}  // namespace solenoid
