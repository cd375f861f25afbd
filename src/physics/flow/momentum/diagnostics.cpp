#include "physics/flow/momentum/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/time_scheme.hpp"
#include "parallel/reduce_later.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"

namespace solenoid {

real courant_rate(Field<Face>& flux) {
  const LocalMesh& mesh = flux.mesh();
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const auto U = halo(flux).view();
  return mesh.comm().max(reduce_max(
      mesh.owned<Cell>(), 0, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        real sum = 0;
        for (const auto [f, sign, k] : faces[c]) sum += std::fabs(U[f]);
        return sum / (2 * V[c]);
      }));
}

Pending<Sums<3>> begin_figures(Field<Face>& flux) {
  const LocalMesh& mesh = flux.mesh();
  const auto exchanged = halo(flux);
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const auto U = exchanged.view();
  count_traffic(bytes_read(mesh.D * exchanged, mesh.owned<Cell>()));
  return begin_maxima<3>(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        real sum = 0, divergence = 0, largest = 0;
        for (const auto [f, sign, k] : faces[c]) {
          const real magnitude = std::fabs(U[f]);
          sum += magnitude;
          divergence += sign * U[f];
          largest = magnitude > largest ? magnitude : largest;  // no branch; a NaN shows in the other two
        }
        return Sums<3>{{sum / (2 * V[c]), std::fabs(divergence), largest}};
      });
}

FluxFigures figures_of(const Comm& comm, const Sums<3>& of_this_rank) {
  const real rate = max_or_nan(comm, of_this_rank[0]);
  if (rate == 0) return {0, 0};
  return {rate, max_or_nan(comm, of_this_rank[1]) / max_or_nan(comm, of_this_rank[2])};
}

FluxFigures figures_of(Field<Face>& flux) { return figures_of(flux.mesh().comm(), begin_figures(flux).get()); }

Vec3 fastest_place(Field<Face>& flux) {
  halo(flux);
  const std::vector<real> U = flux.all_to_host();
  return fastest_place(flux.mesh(), [&](int /*cell*/, int face) { return U[face]; });
}

Vec3 fastest_place(const LocalMesh& mesh, const std::function<real(int cell, int face)>& flux) {
  const IncidenceRows& faces = mesh.D.host();
  real largest = -1;
  int fastest = 0;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    real sum = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) sum += std::abs(flux(c, faces.index[k]));
    const real rate = sum / mesh.geometry().cell_volume[c];
    if (rate > largest) largest = rate, fastest = c;
  }
  const Vec3 place = mesh.owned<Cell>() > 0 ? mesh.geometry().cell_centre[fastest] : Vec3{};
  return mesh.comm().of_least(-largest, place);
}

real courant_rate_of_force(const LocalMesh& mesh, const Coefficient<Vec3>& force, real begin, real end, int moments) {
  const auto centres = std::span(mesh.geometry().cell_centre).first(mesh.owned<Cell>());
  const IncidenceRows& faces = mesh.D.host();
  real largest = 0;
  mesh.comm().guard([&] {
    for (int k = 0; k < (force.depends_on_time() ? moments : 1); ++k) {
      const std::vector<Vec3> values =
          force.at(centres, force.depends_on_time() ? begin + (end - begin) * uneven_place(k) : 0);
      for (int c = 0; c < mesh.owned<Cell>(); ++c) {
        const std::span of_cell(&faces.index[faces.offset[c]], &faces.index[faces.offset[c + 1]]);
        largest = std::max(largest, courant_rate_in_cell(mesh.geometry(), c, of_cell, values[c]));
      }
    }
  });
  return mesh.comm().max(largest);
}

real max_divergence(Field<Face>& flux) {
  const LocalMesh& mesh = flux.mesh();
  const real largest = max_magnitude(flux);
  if (largest == 0) return 0;
  return max_magnitude(mesh, mesh.D * halo(flux)) / largest;
}

PendingSums<1> begin_kinetic_energy(const Field<Cell, Vec3>& velocity) {
  const LocalMesh& mesh = velocity.mesh();
  const auto V = mesh.cell_volume();
  const auto u = velocity.view();
  return begin_sum(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        return V[c] * dot(u[c], u[c]) / 2;
      });
}

real kinetic_energy(const Field<Cell, Vec3>& velocity) {
  return total(velocity.mesh().comm(), begin_kinetic_energy(velocity).parts()[0]);
}

real rate_of_change(const Field<Cell, Vec3>& now, const Field<Cell, Vec3>& before, real dt, real boundary_speed) {
  const LocalMesh& mesh = now.mesh();
  const auto V = mesh.cell_volume();
  const auto u = now.view(), v = before.view();
  const Sums<2> sums = totals(mesh.comm(), reduce_sums<2>(
                                               mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                                 const Index<Cell> c{i};
                                                 const Vec3 change = u[c] - v[c];
                                                 return Sums<2>{{V[c] * dot(change, change), V[c]}};
                                               }));
  const real speed = mesh.comm().max(reduce_max(
      mesh.owned<Cell>(), 0, SOLENOID_KERNEL(int i) { return norm(u[Index<Cell>{i}]); }));
  const real scale = std::max(speed, boundary_speed);
  const real change = sums[0], volume = sums[1];
  return scale > 0 ? std::sqrt(change) / (dt * scale * std::sqrt(volume)) : 0;
}

}  // namespace solenoid
