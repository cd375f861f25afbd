#include "physics/flow/boundary/boundary_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "model/frame.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/boundary/face_means.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/boundary/inlet_turbulence.hpp"
#include "physics/flow/boundary/outlet_inflow.hpp"
#include "physics/flow/boundary/recycled_inflow.hpp"

namespace solenoid {

namespace {

constexpr char no_outlet = 0, natural_outlet = 1, directed_outlet = 2, turning_wall = 3;

}  // namespace

std::vector<int> faces_of_given_flux(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<int> given;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned && !boundaries.outlet(b.patch)) given.push_back(b.face);
  }
  return given;
}

BoundaryFaces::BoundaryFaces(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh), boundaries_(boundaries), outlets_(centres_of_outlets(mesh, boundaries)) {
  std::vector<int> open, patch;
  std::vector<char> kind;
  for (const BoundaryFace& b : mesh.boundary()) {
    is_open_.push_back(boundaries.outlet(b.patch) != nullptr);
    if (!b.is_owned) continue;
    if (is_open_.back()) {
      open.push_back(static_cast<int>(kind.size()));
      patch.push_back(b.patch);
    }
    const Outlet* const outlet = boundaries.outlet(b.patch);
    kind.push_back(boundaries.turns(b.patch)                  ? turning_wall
                   : !outlet                                  ? no_outlet
                   : outlet->inflow == OutletInflow::directed ? directed_outlet
                                                              : natural_outlet);
  }
  has_open_ = mesh.comm().sum(static_cast<std::int64_t>(open.size())) > 0;
  velocity_ = DeviceArray<Vec3>(kind.size());
  pressure_ = DeviceArray<real>(open.size());
  open_ = DeviceArray<int>(open);
  patch_ = DeviceArray<int>(patch);
  kind_ = DeviceArray<char>(kind);
  entering_ = DeviceArray<Vec3>(entering_momentum(mesh, boundaries));
  drift_ = DeviceArray<Vec3>(entering_drift(mesh, boundaries));
}

/// Of each of mesh.boundary(), along its own normal.
std::vector<real> BoundaryFaces::fluxes_of(const std::vector<Vec3>& means) const {
  constexpr real round_off = 1e-12;
  std::vector<real> fluxes;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const BoundaryFace& face = mesh_.boundary()[static_cast<int>(i)];
    const real through = dot(means[i], face.outward_area);
    const bool is_along = std::abs(through) <= round_off * norm(means[i]) * norm(face.outward_area);
    fluxes.push_back(is_along ? 0 : static_cast<real>(face.orientation) * through);
  }
  return fluxes;
}

/// On walls that turn with a zone: the fluxes of solid rotation become circulations; those of a velocity that is told
/// as the zone sees it stay.
void BoundaryFaces::take_out_rotation(const std::vector<Vec3>& means) {
  constexpr real round_off = 1e-10;
  const MeshPart& part = mesh_.part();
  for (std::size_t i = 0; i < means.size(); ++i) {
    const BoundaryFace& b = mesh_.boundary()[static_cast<int>(i)];
    const RotatingFrame* const frame = boundaries_.frame_of_wall(b.patch);
    if (!frame) continue;
    const std::span<const int> corners = part.face_points_of(b.face);
    const auto at = [&](std::size_t k) { return part.points[corners[k % corners.size()]]; };
    std::array<real, 3> along{};
    if (part.dimension == 2) {
      along = {frame->vector_potential(at(1)).z, -frame->vector_potential(at(0)).z, 0};
    } else {
      const Vec3 normal = static_cast<real>(b.orientation) * b.outward_area;
      const bool is_around_it = dot(cross(at(1) - at(0), at(2) - at(0)), normal) > 0;
      for (std::size_t k = 0; k < 3; ++k) {
        along[k] = is_around_it ? frame->circulation(at(k), at(k + 1)) : frame->circulation(at(k + 1), at(k));
      }
    }
    circulations_[i] = along;
    fluxes_[i] -= along[0] + along[1] + along[2];
    if (std::abs(fluxes_[i]) <= round_off * norm(means[i]) * norm(b.outward_area)) fluxes_[i] = 0;
  }
}

void BoundaryFaces::sample(real time) {
  std::vector<Vec3> means = means_over_faces(mesh_, boundaries_, time);
  fluxes_ = fluxes_of(means);
  running_sums_.assign(means.size(), std::nullopt);
  circulations_.assign(means.size(), std::nullopt);
  take_out_rotation(means);
  const std::vector<real> rate = boundaries_.rates_at(time, mesh_.part().patches.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const BoundaryFace& b = mesh_.boundary()[i];
    const InletRate* const given = boundaries_.rate(b.patch);
    if (!given) continue;
    const std::int64_t id = mesh_.numbering<Face>().global_id[b.face];
    const auto shares = given->profile->shares_up_to(id);
    const real enters = rate[b.patch], outward = -static_cast<real>(b.orientation);
    const auto [before, after] = given->recycled ? given->recycled->rate_up_to(id, shares, enters, time)
                                                 : std::array<real, 2>{enters * shares[0], enters * shares[1]};
    running_sums_[i] = {outward * before, outward * after};
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    const BoundaryFace& b = mesh_.boundary()[i];
    const InletTurbulence* const turbulence = entering_turbulence(boundaries_.on(b.patch));
    if (!turbulence) continue;
    const std::int64_t id = mesh_.numbering<Face>().global_id[b.face];
    std::array<real, 3> into = turbulence->circulation(id, time);
    for (real& along : into) along *= -static_cast<real>(b.orientation);
    circulations_[i] = into;
    means[i] += turbulence->mean_on(id, time);
  }
  std::vector<Vec3> of_owned;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (mesh_.boundary()[static_cast<int>(i)].is_owned) of_owned.push_back(means[i]);
  }
  velocity_.from_host(of_owned);
  pressure_.from_host(sample_pressure(boundaries_, outlets_, time));
}

FlowBoundaries BoundaryFaces::balanced(const FlowBoundaries& boundaries, real time) const {
  const Boundary& faces = mesh_.boundary();
  const std::size_t patches = mesh_.part().patches.size();
  std::vector<real> fluxes;
  mesh_.comm().guard([&] { fluxes = fluxes_of(means_over_faces(mesh_, boundaries, time)); });
  std::vector<PartialSum> owned(patches);  // net inflow through each patch
  for (int i = 0; i < faces.size(); ++i) {
    if (!faces[i].is_owned || boundaries.turns(faces[i].patch)) continue;
    owned[faces[i].patch] += -static_cast<real>(faces[i].orientation) * fluxes[static_cast<std::size_t>(i)];
  }
  const std::vector<real> into = totals(mesh_.comm(), owned);
  std::vector<char> enters(patches, 0);
  real given = 0, leaving = 0;  // through the inlets to scale, and through all other patches
  for (std::size_t p = 0; p < patches; ++p) {
    enters[p] = into[p] > 0 && std::holds_alternative<Inlet>(boundaries.on(static_cast<int>(p)));
    (enters[p] ? given : leaving) += enters[p] ? into[p] : -into[p];
  }
  if (has_open_ || (given == 0 && leaving == 0)) return boundaries;
  require_on_all_ranks(
      given > 0 && leaving > 0,
      [&] {
        return message(
            "balance = \"inlets\" in [flow] scales the inflow of inlets, {:.6g} {}, to the outflow elsewhere, "
            "{:.6g} {}: both must be more than 0",
            given, unit_of_flux(mesh_.dimension()), leaving, unit_of_flux(mesh_.dimension()));
      },
      ExitCode::bad_input);
  return boundaries.with_scaled_inlets(leaving / given, enters);
}

void BoundaryFaces::add_pressure(const DeviceArray<real>& besides, Field<Face>& integral) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto sum = integral.view();
  const int* const open = open_.data();
  const int* const patch = patch_.data();
  const real *const pressure = pressure_.data(), *const more = besides.data();
  forall(
      static_cast<int>(open_.size()), SOLENOID_KERNEL(int k) {
        const Index<Face> f{faces.face[open[k]]};
        sum[f] -= (*cells[f].begin()).sign * (pressure[k] + more[patch[k]]);  // G = -D^T
      });
}

real BoundaryFaces::largest_pressure() const {
  if (!has_open_) return 0;
  real largest = 0;
  for (const real p : pressure_.to_host()) largest = std::max(largest, std::abs(p));
  return mesh_.comm().max(largest);
}

void BoundaryFaces::copy_outlet_pressure(const DeviceArray<real>& besides, BoundaryField<real>& pressure) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const int *const open = open_.data(), *const patch = patch_.data();
  const real *const given = pressure_.data(), *const more = besides.data();
  real* const result = pressure.data();
  forall(
      static_cast<int>(open_.size()),
      SOLENOID_KERNEL(int k) { result[faces.place[open[k]]] = given[k] + more[patch[k]]; });
}

namespace {

/// The momentum by flux of fluid that enters an outlet of this kind; `directed`: entering_momentum(), `drift`:
/// entering_drift().
SOLENOID_HD Vec3 entering_outlet(char kind, const Vec3& velocity, const Vec3& normal, const Vec3& directed,
                                 const Vec3& drift) {
  return kind == natural_outlet ? velocity / 2 : dot(velocity, normal) * directed + drift;
}

SOLENOID_HD bool is_outlet(char kind) { return kind == natural_outlet || kind == directed_outlet; }

}  // namespace

void BoundaryFaces::carry_momentum(const Field<Face>& flux, const Field<Cell, Vec3>& velocity,
                                   Field<Face, Vec3>& momentum) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto U = flux.view();
  const auto u = velocity.view();
  const auto carried = momentum.view();
  const char* const kind = kind_.data();
  const Vec3 *const given = velocity_.data(), *const entering = entering_.data(), *const drift = drift_.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        const Vec3 inside = u[Index<Cell>{faces.cell[i]}];
        const bool enters = (*cells[f].begin()).sign * U[f] > 0;
        carried[f] = U[f] * (!enters ? inside
                             : is_outlet(kind[i])
                                 ? entering_outlet(kind[i], inside, faces.outward_normal[i], entering[i], drift[i])
                                 : given[i]);
      });
}

real BoundaryFaces::entering_energy(const Field<Face>& flux, const Field<Cell, Vec3>& velocity) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto U = flux.view();
  const auto u = velocity.view();
  const char* const kind = kind_.data();
  const Vec3 *const given = velocity_.data(), *const entering = entering_.data(), *const drift = drift_.data();
  return total(mesh_.comm(), reduce_sum(
                                 faces.count, SOLENOID_KERNEL(int i) {
                                   const Index<Face> f{faces.face[i]};
                                   const real inward = (*cells[f].begin()).sign * U[f];  // G = -D^T
                                   const Vec3 inside = u[Index<Cell>{faces.cell[i]}];
                                   if (kind[i] == turning_wall) return real{0};
                                   if (inward > 0 && is_outlet(kind[i])) {
                                     const Vec3 enters = entering_outlet(kind[i], inside, faces.outward_normal[i],
                                                                         entering[i], drift[i]);
                                     return inward * (dot(enters, inside) - dot(inside, inside) / 2);
                                   }
                                   const Vec3 carried = inward > 0 ? given[i] : inside;
                                   return inward * dot(carried, carried) / 2;
                                 }));
}

}  // namespace solenoid
