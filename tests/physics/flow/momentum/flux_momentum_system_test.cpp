/// The implicit half of the classical step: where the tolerance lets it iterate in single precision, in any units.
#include "physics/flow/momentum/flux_momentum_system.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Faces inside a box are unknowns; B is made up, and as large as that of a mesh of this scale.
struct Momentum {
  std::unique_ptr<LocalMesh> mesh;
  Space<Face> unknowns;
  Field<Edge> lumped_inverse_mass;
  Field<Cell> of_divergence;
  Field<Face> b;
  real scale;  // of lengths

  static std::vector<int> roles(const MeshPart& part) {
    std::vector<int> role;
    for (const int patch : part.face_patch) role.push_back(patch < 0 ? Space<Face>::free : Space<Face>::prescribed);
    return role;
  }
  Momentum(const MeshSource& source, const Partitioner& partition, real of_lengths)
      : mesh(make_mesh(Comm(), source, partition)),
        unknowns(*mesh, roles(mesh->part())),
        lumped_inverse_mass(scattered_field<Edge>(*mesh, 4)),
        of_divergence(scattered_field<Cell>(*mesh, 5)),
        b(scattered_field<Face>(*mesh, 3)),
        scale(of_lengths) {
    lumped_inverse_mass = (1 / scale) * (lumped_inverse_mass * lumped_inverse_mass);
    of_divergence = (100 / (scale * scale * scale)) * (of_divergence * of_divergence);
    unknowns.restrict_to_unknowns(b);
  }
  MatrixRows mass() const {
    MatrixRows rows = rt0_mass(*mesh);
    for (real& value : rows.value) value /= scale;
    return rows;
  }
};

TEST(FluxMomentumSystem, IteratesInSinglePrecisionInAnyUnits) {
  const auto control = [](real tolerance) { return SolveControl{"test", tolerance, 1000, PreconditionerKind::jacobi}; };
  for (const MeshSource& source : {unit_square(8, 0.3), unit_cube(4, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      int iterations = 0;
      for (const real scale : {real{1}, real{1e-9}, real{1e9}}) {
        Momentum problem(source, p.partition, scale);
        FluxMomentumSystem momentum(problem.unknowns, problem.mass(), problem.lumped_inverse_mass,
                                    problem.of_divergence);
        const std::string what = message("{}, {}D, lengths of {}", p.name, problem.mesh->dimension(), scale);
        const real alpha = 20 / (scale * scale), viscosity = 0.3;
        Field<Face> loose(*problem.mesh), tight(*problem.mesh);
        const SolveReport report = momentum.solve_without_history(alpha, viscosity, problem.b, loose, control(1e-4));
        EXPECT_TRUE(report.converged) << what;
        if (iterations == 0) iterations = report.iterations;
        EXPECT_NEAR(report.iterations, iterations, 1) << what;
        EXPECT_TRUE(momentum.solve_without_history(alpha, viscosity, problem.b, tight, control(1e-12)).converged)
            << what;
        const real size = norm(tight);
        tight = tight - loose;
        EXPECT_LE(norm(tight), 1e-3 * size) << what;
        EXPECT_GE(norm(tight), 1e-8 * size) << what;
      }
    }
  }
}

}  // namespace
}  // namespace solenoid::test
