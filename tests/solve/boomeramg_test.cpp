/// BoomerAMG as a preconditioner: few iterations on any mesh, however it is shared out, also where the matrix is
/// singular or groups of values are tied; and what is said where there is no hypre.
#include "solve/boomeramg.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/prescribed_nodes.hpp"
#include "solve/row_pass.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

class BoomerAmgTest : public testing::Test {
 protected:
  void SetUp() override {
    if (hypre_version().empty()) GTEST_SKIP() << "built without hypre";
  }
};

/// What role each local entity of a mesh has.
using Roles = std::vector<int> (*)(const LocalMesh&);

template <class L>
std::vector<int> unknown_everywhere(const LocalMesh& mesh) {
  return std::vector<int>(mesh.total<L>(), Space<L>::free);
}
std::vector<int> fixed_at_lid(const LocalMesh& mesh) {
  return prescribed_on(mesh, [](int patch) { return patch == 0; });
}
/// Fixed on the outer walls; the wall of the hole holds one unknown value.
std::vector<int> tied_around_hole(const LocalMesh& mesh) {
  std::vector<int> roles = prescribed_on(mesh, [](int patch) { return patch < 2; });
  const std::vector<int> on_hole = prescribed_on(mesh, [](int patch) { return patch == 2; });
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (on_hole[i] == Space<Node>::prescribed) roles[i] = 0;
  }
  return roles;
}

struct SolvedByHypre {
  int iterations;
  std::vector<real> solution;
};

/// A x = A y to 1e-9 from zero, y numbers of all frequencies: a right-hand side in the range of A.
template <class L>
SolvedByHypre solve(const LocalMesh& mesh, const MatrixRows& rows, const std::vector<int>& role,
                    PreconditionerKind kind) {
  const Space<L> space(mesh, role);
  Field<L> y = scattered_field<L>(mesh, 3), b(mesh), x(mesh);
  space.restrict_to_unknowns(y);
  multiply(SparseMatrix<L>(rows), y, b);
  space.restrict_to_unknowns(b);
  const SolveReport report = LinearSystem<L>(space, rows, kind).solve(b, x, {"test", 1e-9, 3000, kind});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.preconditioner, kind);
  return {report.iterations, gather(x)};
}

struct BoomerAmgCase {
  const char* name;
  SolvedByHypre (*solve)(const LocalMesh&, PreconditionerKind);
  MeshSource (*make)(int);
  std::vector<int> sizes;
  int most;  ///< iterations
  bool is_singular = false;
};
SolvedByHypre solve_neumann(const LocalMesh& mesh, PreconditionerKind kind) {
  return solve<Cell>(mesh, pressure_matrix(mesh), unknown_everywhere<Cell>(mesh), kind);
}
template <Roles roles>
SolvedByHypre solve_nodes(const LocalMesh& mesh, PreconditionerKind kind) {
  return solve<Node>(mesh, heat_matrix(mesh), roles(mesh), kind);
}
MeshSource distorted_square(int n) { return unit_square(n, 0.2); }
MeshSource distorted_cube(int n) { return unit_cube(n, 0.2); }
const std::vector<BoomerAmgCase>& boomeramg_cases() {
  static const std::vector<BoomerAmgCase> all{
      {"pressure", solve_neumann, distorted_square, {20, 40, 80}, 11, true},
      {"pressure in 3D", solve_neumann, distorted_cube, {6, 10, 14}, 11, true},
      {"heat", solve_nodes<fixed_on_boundary>, distorted_square, {30, 60, 90}, 10},
      {"heat in 3D", solve_nodes<fixed_on_boundary>, distorted_cube, {8, 12, 18}, 10},
      {"heat from a lid", solve_nodes<fixed_at_lid>, distorted_square, {30, 60, 90}, 10},
      {"heat around a hole", solve_nodes<tied_around_hole>, square_with_hole, {24, 48, 72}, 10}};
  return all;
}

/// Up to a constant, where that is left open.
std::vector<real> from_first(std::vector<real> values, bool is_singular) {
  const real first = is_singular ? values.front() : 0;
  for (real& value : values) value -= first;
  return values;
}

TEST_F(BoomerAmgTest, NeedsFewIterationsOnAnyMesh_Long) {
  for (const BoomerAmgCase& c : boomeramg_cases()) {
    for (const int n : c.sizes) {
      const auto mesh = make_mesh(Comm(), c.make(n));
      EXPECT_LE(c.solve(*mesh, PreconditionerKind::boomeramg).iterations, c.most) << c.name << ", " << n;
    }
  }
}

TEST_F(BoomerAmgTest, SolvesHoweverTheMeshIsSharedOut) {
  for (const BoomerAmgCase& c : boomeramg_cases()) {
    const MeshSource source = c.make(c.sizes[0]);
    const SolvedByHypre expected = c.solve(*make_mesh(alone(), source), PreconditionerKind::jacobi);
    for (const NamedPartitioner& p : partitioners()) {
      const SolvedByHypre found = c.solve(*make_mesh(Comm(), source, p.partition), PreconditionerKind::boomeramg);
      EXPECT_LE(found.iterations, c.most + 2) << c.name << ", " << p.name;
      expect_equal(from_first(found.solution, c.is_singular), from_first(expected.solution, c.is_singular),
                   c.name + (", " + p.name), 1e-6);
    }
  }
}

/// Two parts that nothing connects, one far smaller than the other: each has a constant of its own.
TEST_F(BoomerAmgTest, SolvesPartsThatTouchNowhere) {
  const auto mesh = make_mesh(
      Comm(), without_cells(
                  unit_square(40), [](const Vec3& x) { return std::abs(x.x - real{0.9}) < real{0.06}; }, "gap"));
  EXPECT_LE(solve_neumann(*mesh, PreconditionerKind::boomeramg).iterations, 12);
}

/// Conductivities that jump by 1e6 from one stripe to the next.
TEST_F(BoomerAmgTest, BearsJumpsOfMaterial) {
  const auto mesh = make_mesh(Comm(), distorted_square(60));
  Field<Face> conductance(*mesh, inner_conductance(*mesh));
  std::vector<real> values = conductance.to_host();
  for (int f = 0; f < conductance.owned(); ++f) {
    if (static_cast<int>(8 * mesh->geometry().face_centre[f].x) % 2 == 0) values[f] *= 1e6;
  }
  conductance.from_host(values);
  const SolvedByHypre found = solve<Cell>(*mesh, two_point_laplacian(*mesh, conductance),
                                          unknown_everywhere<Cell>(*mesh), PreconditionerKind::boomeramg);
  EXPECT_LE(found.iterations, 12);
}

TEST_F(BoomerAmgTest, SolvesTheSmallest) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const int cells : {1, 2, 3}) {
      const auto mesh = make_mesh(Comm(), strip(cells), p.partition);
      EXPECT_LE(solve_neumann(*mesh, PreconditionerKind::boomeramg).iterations, 2) << cells << ", " << p.name;
      EXPECT_EQ(solve_nodes<fixed_on_boundary>(*mesh, PreconditionerKind::boomeramg).iterations, 0) << "no unknowns";
    }
  }
}

/// <M r, s> = <r, M s> and <M r, r> > 0.
TEST_F(BoomerAmgTest, IsSymmetricAndPositive) {
  for (const MeshSource& source : {distorted_square(32), distorted_cube(8)}) {
    const auto mesh = make_mesh(Comm(), source);
    const Space<Node> space(*mesh, fixed_on_boundary(*mesh));
    const LinearSystem<Node> system(space, heat_matrix(*mesh), PreconditionerKind::boomeramg);
    Field<Node> r = scattered_field<Node>(*mesh, 1), s = scattered_field<Node>(*mesh, 2), mr(*mesh), ms(*mesh);
    space.restrict_to_unknowns(r);
    space.restrict_to_unknowns(s);
    system.cycle(r, mr);
    system.cycle(s, ms);
    EXPECT_NEAR(dot(mr, s), dot(r, ms), 1e-12 * norm(mr) * norm(s));
    EXPECT_GT(dot(mr, r), 0.1 * dot(r, r));
  }
}

TEST(WithoutHypre, SaysWhatIsMissing) {
  if (!hypre_version().empty()) GTEST_SKIP() << "built with hypre";
  const auto mesh = make_mesh(Comm(), distorted_square(4));
  try {
    solve_neumann(*mesh, PreconditionerKind::boomeramg);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "preconditioner \"boomeramg\" needs hypre: install libhypre-dev and build again, or "
                 "use \"multigrid\"");
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
  }
}

}  // namespace
}  // namespace solenoid::test
