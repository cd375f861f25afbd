/// Chebyshev's iteration on a mass, against the bound that its polynomial has.
#include "solve/chebyshev.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/nedelec.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

TEST(Chebyshev, FourIterationsLeaveASeventhOfTheError) {
  const auto mesh = make_mesh(Comm(), unit_cube(4, 0.15));
  std::vector<int> role(mesh->total<Edge>(), Space<Edge>::free);
  for (std::size_t e = 0; e < role.size(); ++e) {
    if (mesh->numbering<Edge>().global_id[e] % 7 == 0) role[e] = Space<Edge>::prescribed;
  }
  const Space<Edge> space(*mesh, role);
  const MatrixRows rows = edge_mass(*mesh);
  const SparseMatrix<Edge> mass(rows);
  ChebyshevIteration<Edge> chebyshev(space, rows, 10);
  Field<Edge> exact = scattered_field<Edge>(*mesh), b(*mesh), x(*mesh), off(*mesh), image(*mesh);
  space.set_prescribed(exact, 0);
  b = mass * halo(exact);
  const auto error = [&] {  // in the norm of the mass, in which the polynomial's bound holds but for Jacobi's scaling
    off = x - exact;
    image = mass * halo(off);
    return std::sqrt(dot(off, image));
  };
  const real before = error();
  chebyshev.improve(b, x, 4);
  EXPECT_LE(error(), before / 6);
  EXPECT_GT(error(), 0);
  chebyshev.solve(b, x, 1e-12, 200);
  EXPECT_LE(error(), 1e-10 * before);
}

}  // namespace
}  // namespace solenoid::test
