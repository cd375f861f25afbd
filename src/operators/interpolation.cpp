#include "operators/interpolation.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

void interpolate(Exchanged<Face> flux, Field<Cell, Vec3>& velocity) {
  const LocalMesh& mesh = velocity.mesh();
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const Vec3* const arm = mesh.face_arm();  // x_f - x_c
  const auto U = flux.view();
  const auto u = velocity.view();
  count_traffic(mesh.D.bytes() + static_cast<std::int64_t>(sizeof(Vec3) * mesh.D.host().index.size()));
  count_gathered(flux.field());
  count_owned(velocity);
  count_traffic(static_cast<std::int64_t>(sizeof(real)) * mesh.owned<Cell>());
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        Vec3 sum{};
        for (const auto [f, sign, k] : faces[c]) sum += (sign * U[f]) * arm[k];
        u[c] = sum / V[c];
      });
}

void integrate(Exchanged<Cell, Vec3> vector, Field<Face>& integral) {
  const LocalMesh& mesh = vector.mesh();
  const auto cells = mesh.G.view();  // the sign of G is the opposite of D's
  const Vec3* const arm = mesh.cell_arm();
  const auto a = vector.view();
  const auto result = integral.view();
  count_traffic(mesh.G.bytes() + static_cast<std::int64_t>(sizeof(Vec3) * mesh.G.host().index.size()));
  count_gathered(vector.field());
  count_owned(integral);
  forall(
      mesh.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real sum = 0;
        for (const auto [c, sign, k] : cells[f]) sum -= sign * dot(arm[k], a[c]);
        result[f] = sum;
      });
}

void apply_face_mass(Exchanged<Face> flux, Field<Cell, Vec3>& velocity, Field<Face>& result) {
  interpolate(flux, velocity);
  integrate(halo(velocity), result);
}

}  // namespace solenoid
