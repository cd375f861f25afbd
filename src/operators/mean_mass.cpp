#include "operators/mean_mass.hpp"

#include "operators/p1.hpp"

namespace solenoid {

MatrixRows mean_mass(const LocalMesh& mesh, const std::vector<real>& weight) {
  const real consistent = mesh.dimension() == 2 ? real{0.5} : real{0.35};
  MatrixRows mass = p1_mass(mesh, weight);
  const std::vector<real> lumped = p1_lumped_mass(mesh, weight);
  for (int i = 0; i < mass.rows(); ++i) {
    for (int k = mass.offset[i]; k < mass.offset[i + 1]; ++k) {
      mass.value[k] *= consistent;
      if (mass.column[k] == i) mass.value[k] += (1 - consistent) * lumped[i];
    }
  }
  return mass;
}

MatrixRows mean_mass(const LocalMesh& mesh) { return mean_mass(mesh, std::vector<real>(mesh.total<Cell>(), 1)); }

}  // namespace solenoid
