#include "physics/flow/momentum/porous_drag.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/zones/zone_cells.hpp"

namespace solenoid {

namespace {

Tensor along_axes(const PorousBody& body, const Vec3& values, int dimension) {
  const Tensor in_plane = Tensor::square(values.x, body.axes[0]) + Tensor::square(values.y, body.axes[1]);
  return dimension == 2 ? in_plane : in_plane + Tensor::square(values.z, body.axes[2]);
}

/// Of sums of tensors bounds of their eigenvalues.
struct Spread {
  real least = 0, most = 0, sum = 0;

  void add(const Vec3& values, int dimension) {
    const bool is_planar = dimension == 2;
    least += is_planar ? std::min(values.x, values.y) : std::min({values.x, values.y, values.z});
    most += is_planar ? std::max(values.x, values.y) : std::max({values.x, values.y, values.z});
    sum += values.x + values.y + (is_planar ? 0 : values.z);
  }
};

/// See PorousDrag::least_share.
real share_of_least(const Spread& darcy, const Spread& forchheimer) {
  const real of_darcy = darcy.sum > 0 ? darcy.least / darcy.sum : 1;
  const real of_forchheimer = forchheimer.sum > 0 ? forchheimer.least / (forchheimer.sum + forchheimer.most) : 1;
  return darcy.sum > 0 || forchheimer.sum > 0 ? std::min(of_darcy, of_forchheimer) : 0;
}

struct GivenDrag {
  const Field<Cell, Tensor>&darcy, &forchheimer;
  const Field<Cell, Vec3>& velocity;
  const Field<Cell>* relative;       // viscosity, or null
  const Field<Cell, Vec3>* of_body;  // its velocity, or null
  real viscosity, implicit;
};

/// R / implicit, and |v - w| F (v - w) / 2 + R w.
void linearise_drag(const GivenDrag& given, Field<Cell, Tensor>& per_viscosity, Field<Cell, Vec3>& rest) {
  const auto D = given.darcy.view(), F = given.forchheimer.view();
  const auto v = given.velocity.view();
  const real* const relative = given.relative ? given.relative->view().data : nullptr;
  const Vec3* const of_body = given.of_body ? given.of_body->view().data : nullptr;
  const auto R = per_viscosity.view();
  const auto of_rest = rest.view();
  const real nu = given.viscosity, implicit = given.implicit;
  count_owned(given.darcy, given.forchheimer, given.velocity, per_viscosity, rest);
  forall(
      rest.owned(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        const Vec3 w = of_body ? of_body[i] : Vec3{}, u = v[c] - w, along = F[c] * u;
        const real speed = sqrt(dot(u, u)), square = dot(u, along);
        Tensor sum = (relative ? nu * relative[i] : nu) * D[c];
        sum = sum + (speed / 2) * F[c];
        if (square > 0) sum = sum + Tensor::square(speed / 2, along / sqrt(square));
        R[c] = (1 / implicit) * sum;
        of_rest[c] = (speed / 2) * along;
        if (of_body) of_rest[c] += sum * w;
      });
}

template <class T>
std::vector<T> owned_of(const LocalMesh& mesh, const std::vector<T>& local) {
  return {local.begin(), local.begin() + mesh.owned<Cell>()};
}

}  // namespace

PorousDrag::PorousDrag(const LocalMesh& mesh, const FlowStepSettings& settings, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      settings_(settings),
      darcy_(mesh),
      forchheimer_(mesh),
      per_viscosity_(mesh),
      velocity_(mesh),
      velocity_before_(mesh),
      rest_(mesh),
      cells_(mesh),
      along_duals_(mesh) {
  std::vector<Tensor> darcy(mesh.total<Cell>()), forchheimer(darcy);
  std::vector<Spread> of_darcy(darcy.size()), of_forchheimer(darcy.size());
  for (const FlowZone& zone : settings.zones) {
    if (!zone.porous) continue;
    const PorousBody& body = *zone.porous;
    const Tensor D = along_axes(body, body.darcy, mesh.dimension()),
                 F = along_axes(body, body.forchheimer, mesh.dimension());
    is_linear_ = is_linear_ && norm(body.forchheimer) == 0;
    const std::vector<char> marks = cells_of_zone(zone, mesh).marks;
    for (std::size_t c = 0; c < darcy.size(); ++c) {
      if (!marks[c]) continue;
      darcy[c] = darcy[c] + D, forchheimer[c] = forchheimer[c] + F;
      of_darcy[c].add(body.darcy, mesh.dimension());
      of_forchheimer[c].add(body.forchheimer, mesh.dimension());
    }
  }
  for (std::size_t c = 0; c < darcy.size(); ++c) {
    shape_.push_back(darcy[c].trace() > 0 ? darcy[c] : forchheimer[c]);
    least_share_.push_back(share_of_least(of_darcy[c], of_forchheimer[c]));
  }
  darcy_.from_host(owned_of(mesh, darcy));
  forchheimer_.from_host(owned_of(mesh, forchheimer));
  linearise(nullptr);
}

void PorousDrag::turn_with(const Field<Cell, Vec3>& velocity) {
  of_bodies_.emplace(mesh_).copy_from(velocity);
  const std::vector<Vec3> of_cells = velocity.to_host();
  largest_speed_ = 0;
  for (std::size_t c = 0; c < of_cells.size(); ++c) {
    if (shape_[c].trace() > 0) largest_speed_ = std::max(largest_speed_, norm(of_cells[c]));
  }
  largest_speed_ = mesh_.comm().max(largest_speed_);
  linearise(nullptr);
}

bool PorousDrag::expect(const Field<Cell, Vec3>& velocity, const Field<Cell>* relative_viscosity, real implicit) {
  velocity_before_.copy_from(velocity_);
  velocity_.copy_from(velocity);
  const bool changes = std::exchange(implicit_, implicit) != implicit || !is_linear_ || relative_viscosity;
  if (changes) linearise(relative_viscosity);
  return changes;
}

void PorousDrag::revert(const Field<Cell>* relative_viscosity) {
  velocity_.copy_from(velocity_before_);
  linearise(relative_viscosity);
}

void PorousDrag::linearise(const Field<Cell>* relative_viscosity) {
  if (!(implicit_ > 0)) return;
  linearise_drag({darcy_, forchheimer_, velocity_, relative_viscosity, of_bodies_ ? &*of_bodies_ : nullptr,
                  settings_.viscosity, implicit_},
                 per_viscosity_, rest_);
}

void PorousDrag::multiply(const Scalar<>& factor, Field<Cell, Vec3>& velocity) const {
  const auto R = per_viscosity_.view();
  const auto u = velocity.view();
  count_owned(per_viscosity_, velocity, velocity);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        u[c] = factor * (R[c] * u[c]);
      });
}

void PorousDrag::add_along_duals(Field<Face>& flux, Field<Face>& along_duals) {
  interpolate(halo(flux), cells_);
  const auto R = std::as_const(per_viscosity_).view();
  const auto rest = std::as_const(rest_).view();
  const auto u = cells_.view();
  const real implicit = implicit_;
  count_owned(per_viscosity_, rest_, cells_, cells_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        u[c] = implicit * (R[c] * u[c]) - rest[c];
      });
  integrate(halo(cells_), along_duals_);
  along_duals = along_duals + along_duals_;
}

void PorousDrag::add_to(Field<Cell, Vec3>& acceleration, const Field<Cell, Vec3>& velocity) const {
  const auto R = per_viscosity_.view();
  const auto rest = rest_.view(), u = velocity.view();
  const auto a = acceleration.view();
  const real implicit = implicit_;
  count_owned(per_viscosity_, rest_, velocity, acceleration);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        a[c] += implicit * (R[c] * u[c]) - rest[c];
      });
}

real PorousDrag::power(const Field<Cell, Vec3>& velocity) const {
  const auto R = per_viscosity_.view();
  const auto rest = rest_.view(), u = velocity.view();
  const auto V = mesh_.cell_volume();
  const real implicit = implicit_;
  count_owned(per_viscosity_, rest_, velocity);
  return total(mesh_.comm(), reduce_sum(
                                 mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                   const Index<Cell> c{i};
                                   return V[c] * dot(u[c], implicit * (R[c] * u[c]) - rest[c]);
                                 }));
}

void PorousDrag::visit_state(StateVisitor& visitor) {
  visitor.field("velocity_of_drag", velocity_);
  visitor.number("viscosity_of_drag", implicit_);
}

void PorousDrag::state_restored(const Field<Cell>* relative_viscosity) { linearise(relative_viscosity); }

}  // namespace solenoid
