/// The polynomial of the exact step's preconditioner: near the root that it stands for, with its own transpose, around
/// a hole too, on any partition.
#include "physics/viscous_root.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

std::vector<int> roles_around_a_hole(const MeshPart& part) {
  std::vector<int> role;
  for (int wall : part.node_wall) {
    role.push_back(wall < 0 ? Space<Edge>::free : part.wall_is_hole[wall] ? 0 : Space<Edge>::prescribed);
  }
  return role;
}

TEST(ViscousRoot, IsNearTheRootAndHasItsTranspose) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), square_with_hole(12), p.partition);
    const Space<Edge> unknowns(*mesh, roles_around_a_hole(mesh->part()));
    const MatrixRows rows = p1_stiffness(*mesh);
    const SparseMatrix<Edge> laplacian(rows);
    const Field<Edge> mass(*mesh, p1_lumped_mass(*mesh));
    ViscousRoot root(unknowns, rows, mass);
    Field<Edge> x = scattered_field<Edge>(*mesh, 1), y = scattered_field<Edge>(*mesh, 2), of_x(*mesh), product(*mesh);
    unknowns.restrict_to_unknowns(x);
    unknowns.restrict_to_unknowns(y);
    for (const real c : {1e-6, 1e-4, 1e-3, 1e-2}) {  // degrees 0 to 12
      root.choose(c);
      root.apply_transposed(x, of_x);
      Field<Edge> of_y(*mesh);
      of_y.copy_from(y);
      root.apply(of_y);
      const real there = dot(of_x, y), back = dot(x, of_y);
      EXPECT_NEAR(there, back, 1e-5 * norm(x) * norm(y)) << p.name << ", " << c;
      if (c > 5e-3) continue;  // beyond the highest degree
      product = mass * of_y + c * (laplacian * halo(of_y));
      const real found = dot(of_y, product);  // of p (1 + c S) p
      product = mass * y;
      EXPECT_LT(std::abs(std::log(found / dot(y, product))), std::log(1.3)) << p.name << ", " << c;
    }
  }
}

}  // namespace
}  // namespace solenoid::test
