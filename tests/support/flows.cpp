#include "support/flows.hpp"

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {

namespace {

/// A function of one variable and its first four derivatives.
struct Derivatives {
  real d[5];
};
Derivatives sine_squared(real x) {
  const real s = std::sin(2 * pi * x), c = std::cos(2 * pi * x);
  return {{(1 - c) / 2, pi * s, 2 * pi * pi * c, -4 * pi * pi * pi * s, -8 * pi * pi * pi * pi * c}};
}
Derivatives sine(real x) {
  const real s = std::sin(pi * x), c = std::cos(pi * x);
  return {{s, pi * c, -pi * pi * s, -pi * pi * pi * c, pi * pi * pi * pi * s}};
}

/// d^(i+j) (pi psi / g) / dx^i dy^j.
real shape(const Vec3& x, int i, int j) {
  return (sine_squared(x.x).d[i] * sine_squared(x.y).d[j] + sine(x.x).d[i] * sine(x.y).d[j] / 2) / pi;
}
real amplitude(bool steady, real t) { return steady ? 1 : 1 + std::sin(3 * t) / 2; }
real amplitude_rate(bool steady, real t) { return steady ? 0 : 3 * std::cos(3 * t) / 2; }

}  // namespace

real ManufacturedFlow::potential(const Vec3& x, real t) const { return amplitude(steady, t) * shape(x, 0, 0); }

Vec3 ManufacturedFlow::velocity(const Vec3& x, real t) const {
  const real g = amplitude(steady, t);
  return {g * shape(x, 0, 1), -g * shape(x, 1, 0), 0};
}

real ManufacturedFlow::pressure(const Vec3& x, real t) const {
  return amplitude(steady, t) * std::cos(pi * x.x) * std::cos(pi * x.y);
}

/// f = u_t + (u.grad) u + nu curl omega + grad p, with omega = -(psi_xx + psi_yy) and curl omega = (omega_y, -omega_x).
Vec3 ManufacturedFlow::force(const Vec3& x, real t) const {
  const real g = amplitude(steady, t), rate = amplitude_rate(steady, t);
  const Vec3 u = velocity(x, t), u_x = Vec3{g * shape(x, 1, 1), -g * shape(x, 2, 0), 0},
             u_y{g * shape(x, 0, 2), -g * shape(x, 1, 1), 0};
  const real omega_x = -g * (shape(x, 3, 0) + shape(x, 1, 2)), omega_y = -g * (shape(x, 2, 1) + shape(x, 0, 3));
  const Vec3 grad_p{-g * pi * std::sin(pi * x.x) * std::cos(pi * x.y),
                    -g * pi * std::cos(pi * x.x) * std::sin(pi * x.y), 0};
  return (rate / g) * u + u.x * u_x + u.y * u_y + viscosity * Vec3{omega_y, -omega_x, 0} + grad_p;
}

FlowBoundaries ManufacturedFlow::walls() const {
  const auto along = [flow = *this](const Vec3& x, real t) {
    Vec3 u = flow.velocity(x, t);
    if (x.x == 0 || x.x == 1) u.x = 0;  // zero but for the round-off of sin(pi)
    if (x.y == 0 || x.y == 1) u.y = 0;
    return u;
  };
  return Wall{steady ? Coefficient<Vec3>::of_place([along](const Vec3& x) { return along(x, 0); })
                     : Coefficient<Vec3>::of_place_and_time(along)};
}

Field<Face> flux_of_velocity(const LocalMesh& mesh, const std::function<Vec3(const Vec3&)>& u) {
  struct Orbit {
    real weight, near, far;
  };
  constexpr std::array<Orbit, 2> orbits{{{0.132394152788506, 0.059715871789770, 0.470142064105115},
                                         {0.125939180544827, 0.797426985353087, 0.101286507323456}}};
  std::vector<real> values;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const std::span<const int> corners = mesh.part().face_points_of(f);
    const Vec3 p = mesh.part().points[corners[0]], q = mesh.part().points[corners[1]],
               r = mesh.part().points[corners[2]];
    Vec3 mean = real{0.225} * u((p + q + r) / 3);
    for (const auto& [w, a, b] : orbits) {
      mean += w * (u(a * p + b * q + b * r) + u(b * p + a * q + b * r) + u(b * p + b * q + a * r));
    }
    values.push_back(mesh.geometry().face_area[f] * dot(mean, mesh.geometry().face_normal[f]));
  }
  return {mesh, values};
}

Field<Face> flux_of(const LocalMesh& mesh, const std::function<real(const Vec3&)>& potential) {
  const MeshPart& part = mesh.part();
  std::vector<real> values;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const std::span<const int> ends = part.face_points_of(f);
    values.push_back(potential(part.points[ends[1]]) - potential(part.points[ends[0]]));
  }
  return {mesh, values};
}

FlowStepSettings tight_settings(real viscosity, real tolerance) {
  FlowStepSettings settings;
  settings.viscosity = viscosity;
  settings.potential.tolerance = settings.momentum.tolerance = settings.pressure.tolerance = tolerance;
  settings.vorticity.tolerance = std::min(tolerance, real{1e-10});
  return settings;
}

void start(FlowStep& flow, const ManufacturedFlow& manufactured) {
  const LocalMesh& mesh = flow.mesh();
  flow.set_body_force(
      Coefficient<Vec3>::of_place_and_time([manufactured](const Vec3& x, real t) { return manufactured.force(x, t); }));
  Field<Edge> s = sampled_field<Edge>(mesh, [&](const Vec3& x) { return manufactured.potential(x, 0); });
  Field<Face> flux(mesh);
  flux = mesh.C * halo(s);
  flow.project(flux);
}

FlowErrors errors_of(FlowStep& flow, const FlowProblem& problem, const KnownFlow& known) {
  const LocalMesh& mesh = *problem.mesh;
  const auto relative = [&](const std::vector<real>& error, const std::vector<real>& size) {
    real sums[2] = {0, 0};
    for (real e : error) sums[0] += e;
    for (real s2 : size) sums[1] += s2;
    mesh.comm().sum(std::span<real>(sums));
    return std::sqrt(sums[0] / sums[1]);
  };
  const auto square = [](real a) { return a * a; };
  FlowErrors errors;
  std::vector<real> error, size;
  const MeshPart& part = mesh.part();
  const std::vector<real> found = flow.state().flux.to_host();
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const real exact =
        known.potential(part.points[part.face_nodes[2 * f + 1]]) - known.potential(part.points[part.face_nodes[2 * f]]);
    error.push_back(square(found[f] - exact));
    size.push_back(square(exact));
  }
  errors.flux = relative(error, size);

  VelocityReconstruction fit(mesh, problem.wide, flow.boundaries());
  Field<Node, NodeVelocity> nodes(mesh);
  const auto velocities = fit.fit(flow.state().flux, flow.time(), nodes);
  error.clear(), size.clear();
  const std::vector<NodeVelocity> fitted = nodes.to_host();
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    const Vec3 exact = known.velocity(part.points[n]), miss = fitted[n].value - exact;
    error.push_back(dot(miss, miss));
    size.push_back(dot(exact, exact));
  }
  errors.node_velocity = relative(error, size);

  error.clear(), size.clear();
  const std::vector<real> pressure = flow.balance().pressure(velocities).to_host();
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    const real exact = known.pressure(mesh.geometry().cell_centre[c]);
    error.push_back(mesh.geometry().cell_volume[c] * square(pressure[c] - exact));
    size.push_back(mesh.geometry().cell_volume[c] * square(exact));
  }
  errors.pressure = relative(error, size);

  error.clear(), size.clear();
  const std::vector<real> on_walls = flow.balance().wall_pressure().to_host();
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const int f = mesh.boundary()[i].face;
    if (!mesh.boundary()[i].is_owned) continue;
    const real exact = known.pressure(mesh.geometry().face_centre[f]);
    error.push_back(mesh.geometry().face_area[f] * square(on_walls[i] - exact));
    size.push_back(mesh.geometry().face_area[f] * square(exact));
  }
  errors.wall_pressure = relative(error, size);
  return errors;
}

FlowErrors run_manufactured(FlowProblem& problem, const ManufacturedFlow& manufactured,
                            const FlowStepSettings& settings, real end, int steps) {
  const LocalMesh& mesh = *problem.mesh;
  const std::unique_ptr<FlowStep> step = make_flow_step(mesh, settings, manufactured.walls(), 0, &problem.wide);
  FlowStep& flow = *step;
  start(flow, manufactured);
  for (int k = 0; k < steps; ++k) flow.advance(end / steps);

  return errors_of(flow, problem,
                   {[&](const Vec3& x) { return manufactured.potential(x, flow.time()); },
                    [&](const Vec3& x) { return manufactured.velocity(x, flow.time()); },
                    [&](const Vec3& x) { return manufactured.pressure(x, flow.time()); }});
}

real KovasznayFlow::decay() const {
  const real half = 1 / (2 * viscosity);
  return half - std::sqrt(half * half + 4 * pi * pi);
}

real KovasznayFlow::potential(const Vec3& x) const {
  return x.y - std::exp(decay() * x.x) * std::sin(2 * pi * x.y) / (2 * pi);
}

Vec3 KovasznayFlow::velocity(const Vec3& x) const {
  const real wake = std::exp(decay() * x.x);
  return {1 - wake * std::cos(2 * pi * x.y), decay() / (2 * pi) * wake * std::sin(2 * pi * x.y), 0};
}

real KovasznayFlow::pressure(const Vec3& x) const { return (std::exp(2 * decay()) - std::exp(2 * decay() * x.x)) / 2; }

FlowBoundaries KovasznayFlow::boundaries(const LocalMesh& mesh) const {
  const Coefficient<Vec3> entering =
      Coefficient<Vec3>::of_place([flow = *this](const Vec3& x) { return flow.velocity(x); });
  return conditions(mesh,
                    {{"left", Inlet{entering}}, {"right", Outlet{}}, {"bottom", Symmetry{}}, {"top", Symmetry{}}});
}

real rate(real coarse, real fine, real refinement) { return std::log(coarse / fine) / std::log(refinement); }

FlowBoundaries cavity_walls(const LocalMesh& mesh) {
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches)
    of_patch.push_back(Wall{patch == "lid" ? Vec3{1, 0, 0} : Vec3{}});
  return of_patch;
}

}  // namespace solenoid::test
