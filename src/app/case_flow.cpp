#include "app/case_flow.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_solver.hpp"

namespace solenoid {

ExactStepSettings flow_settings(const Case& wanted) {
  return {static_cast<real>(wanted.flow->viscosity),
          wanted.flow->convection == ConvectionForm::rotational,
          wanted.time->scheme,
          solve_control(wanted, "potential", potential_advice()),
          solve_control(wanted, "vorticity", vorticity_advice()),
          solve_control(wanted, "pressure", pressure_advice())};
}

WallMotion wall_motion(const Case& wanted, const std::vector<std::string>& patches) {
  std::vector<std::array<Formula, 3>> velocity;
  WallMotion walls;
  for (const std::string& patch : patches) {
    velocity.push_back(wanted.boundary.at(patch).velocity);
    for (const Formula& component : velocity.back())
      walls.depends_on_time = walls.depends_on_time || component.depends_on_time();
  }
  walls.velocity = [velocity](int patch, const Vec3& x, real t) {
    const auto& u = velocity[patch];
    return Vec3{static_cast<real>(u[0](x, t)), static_cast<real>(u[1](x, t)), static_cast<real>(u[2](x, t))};
  };
  return walls;
}

std::optional<Field<Face>> initial_flux(const Case& wanted, const LocalMesh& mesh) {
  const auto& u = wanted.initial_velocity;
  const auto is_zero = [](const Formula& f) { return f.is_number() && f({}, 0) == 0; };
  if (std::all_of(u.begin(), u.end(), is_zero)) return std::nullopt;
  Field<Face> flux(mesh);
  mesh.comm().guard([&] {
    const MeshPart& part = mesh.part();
    const real place[2] = {real{0.5} - real{0.5} / std::sqrt(real{3}), real{0.5} + real{0.5} / std::sqrt(real{3})};
    std::vector<real> values;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      const Vec3 a = part.points[part.face_nodes[2 * f]], b = part.points[part.face_nodes[2 * f + 1]];
      Vec3 mean;
      for (real p : place) {
        const Vec3 x = a + p * (b - a);
        require_input(u[2](x, 0) == 0, [&] {
          return message("{}: [initial] velocity: its z-component is {} at ({:.6g}, {:.6g}); a 2D flow has none",
                         wanted.file.string(), u[2](x, 0), x.x, x.y);
        });
        mean += Vec3{static_cast<real>(u[0](x, 0)), static_cast<real>(u[1](x, 0)), static_cast<real>(u[2](x, 0))} / 2;
      }
      values.push_back(mesh.geometry().face_area[f] * dot(mean, mesh.geometry().face_normal[f]));
    }
    flux.from_host(values);
  });
  return flux;
}

}  // namespace solenoid
