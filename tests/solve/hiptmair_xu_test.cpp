/// Hiptmair and Xu's preconditioner: iterations that neither the mesh nor the number of ranks changes, and the curl
/// that any other preconditioner finds.
#include "solve/hiptmair_xu.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "solve/operator_solver.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// The edges of patches below `given` are prescribed, on every rank alike.
std::vector<int> prescribed_edges(const LocalMesh& mesh, int given) {
  std::vector<real> marks(mesh.owned<Edge>(), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.patch >= given) continue;
    for (const int e : mesh.part().face_edges_of(b.face)) {
      if (e < mesh.owned<Edge>()) marks[e] = 1;
    }
  }
  Field<Edge> marked(mesh, marks);
  halo(marked);
  std::vector<int> role;
  for (const real mark : marked.all_to_host()) role.push_back(mark > 0 ? Space<Edge>::prescribed : Space<Edge>::free);
  return role;
}

/// R M C x = R f for scattered fluxes f, with the first `given` of the two patches prescribed.
struct CurlCurl {
  std::unique_ptr<LocalMesh> mesh;
  Space<Edge> space;
  MatrixRows rows;
  SparseMatrix<Edge> matrix;
  Field<Edge> b, x;

  CurlCurl(std::unique_ptr<LocalMesh> its_mesh, int given)
      : mesh(std::move(its_mesh)),
        space(*mesh, prescribed_edges(*mesh, given)),
        rows(potential_matrix(*mesh)),
        matrix(rows),
        b(*mesh),
        x(*mesh) {
    Field<Face> f = scattered_field<Face>(*mesh, 3);
    b = mesh->R * halo(f);
    space.restrict_to_unknowns(b);
  }
  CurlCurl(const MeshSource& source, int given, const Partitioner& partition = partition_cells)
      : CurlCurl(make_mesh(Comm(), source, partition), given) {}

  HiptmairXu preconditioner(EdgeSmoothing smoothing = EdgeSmoothing::two_steps) const {
    return {space, rows, matrix, smoothing};
  }

  SolveReport solve(real tolerance = 1e-8) {
    OperatorSolver<Edge> solver(space);
    return solver.solve(MatrixOperator<Edge>{matrix}, preconditioner(), b, x,
                        {"test", tolerance, 200, PreconditionerKind::multigrid});
  }
  SolveReport solve_by_jacobi(real tolerance) {
    OperatorSolver<Edge> solver(space);
    const Field<Edge> diagonal(*mesh, rows.diagonal());
    return solver.solve(MatrixOperator<Edge>{matrix}, diagonal, b, x,
                        {"test", tolerance, 5000, PreconditionerKind::jacobi});
  }
  /// C x, which does not depend on what gradients x has in it.
  std::vector<real> curl() {
    Field<Face> flux(*mesh);
    flux = mesh->C * halo(x);
    return gather(flux);
  }
};

TEST(HiptmairXu, ConvergesAsFastOnAFinerMesh_Long) {
  for (const int given : {0, 2}) {
    for (const int n : {8, 16, 24}) {
      CurlCurl problem(unit_cube(n, 0.2), given);
      const SolveReport report = problem.solve();
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations, given == 0 ? 11 : 17) << n << ", patches prescribed: " << given;
    }
  }
}

TEST(HiptmairXu, FindsTheCurlThatJacobiFinds) {
  for (const int given : {0, 1, 2}) {
    CurlCurl problem(unit_cube(5, 0.2), given), by_jacobi(unit_cube(5, 0.2), given);
    EXPECT_LE(problem.solve(1e-12).iterations, 30);
    EXPECT_GT(by_jacobi.solve_by_jacobi(1e-12).iterations, 80);
    expect_equal(problem.curl(), by_jacobi.curl(), "C x", 1e-10);
  }
}

/// To the last bit, as its sums are taken in the order of global ids.
TEST(HiptmairXu, IsTheSameOnAnyPartition) {
  for (const int given : {0, 2}) {
    const MeshSource source = unit_cube(7, 0.2);
    CurlCurl whole(make_mesh(alone(), source), given);
    Field<Edge> z(*whole.mesh);
    whole.preconditioner()(whole.b, z);
    const int iterations = whole.solve().iterations;
    for (const NamedPartitioner& p : partitioners()) {
      CurlCurl shared(source, given, p.partition);
      Field<Edge> its_z(*shared.mesh);
      shared.preconditioner()(shared.b, its_z);
      EXPECT_EQ(gather(its_z), gather(z)) << p.name;
      EXPECT_EQ(shared.solve().iterations, iterations) << p.name;
      expect_equal(shared.curl(), whole.curl(), p.name, 1e-7);
    }
  }
}

/// <P r, s> = <r, P s> but for single precision, and <P r, r> > 0, of a gradient too.
TEST(HiptmairXu, IsSymmetricAndPositive) {
  CurlCurl problem(unit_cube(6, 0.2), 2);
  Field<Edge> r = scattered_field<Edge>(*problem.mesh, 1), s = scattered_field<Edge>(*problem.mesh, 2);
  problem.space.restrict_to_unknowns(r);
  problem.space.restrict_to_unknowns(s);
  Field<Edge> pr(*problem.mesh), ps(*problem.mesh);
  for (const EdgeSmoothing smoothing : {EdgeSmoothing::one_step, EdgeSmoothing::two_steps}) {
    const HiptmairXu preconditioner = problem.preconditioner(smoothing);
    preconditioner(r, pr);
    preconditioner(s, ps);
    EXPECT_NEAR(dot(pr, s), dot(r, ps), 1e-5 * norm(pr) * norm(s));
    EXPECT_GT(dot(pr, r), 0.1 * norm(r) * norm(pr));
    EXPECT_GT(dot(ps, s), 0.1 * norm(s) * norm(ps));
    const std::vector<real> of_pr = pr.to_host();
    for (int e = 0; e < pr.owned(); ++e) {
      if (problem.space.role()[e] == Space<Edge>::prescribed) {
        EXPECT_EQ(of_pr[e], 0) << e;
      }
    }
  }
}

/// Cells that shrink towards an edge of the cube by a factor of 43 in two directions.
TEST(HiptmairXu, BearsGradedMeshes) {
  MeshSource source = unit_cube(10);
  for (Vec3& x : source.points) x = {std::pow(x.x, real{2.3}), std::pow(x.y, real{2.3}), x.z};
  EXPECT_LE(CurlCurl(source, 0).solve().iterations, 60);
  EXPECT_LE(CurlCurl(source, 2).solve().iterations, 40);
}

/// Down to round-off: no gradient that creeps into the residual keeps it up.
TEST(HiptmairXu, ReachesRoundOff) {
  for (const int given : {0, 2}) {
    CurlCurl problem(unit_cube(8, 0.2), given);
    const SolveReport report = problem.solve(1e-13);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 30);
  }
}

/// Micrometres or megametres: single precision holds the numbers in both.
TEST(HiptmairXu, SolvesInAnyUnits) {
  const MeshSource source = unit_cube(6, 0.2);
  const int expected = CurlCurl(source, 2).solve().iterations;
  for (const real length : {1e-6, 1e6}) {
    MeshSource other = source;
    for (Vec3& x : other.points) x *= length;
    EXPECT_NEAR(CurlCurl(other, 2).solve().iterations, expected, 1) << length;
  }
}

TEST(HiptmairXu, SolvesTheSmallest) {
  for (const NamedPartitioner& p : partitioners()) {
    EXPECT_LE(CurlCurl(single_tetrahedron(), 0, p.partition).solve().iterations, 4) << p.name;
    EXPECT_EQ(CurlCurl(single_tetrahedron(), 1, p.partition).solve().iterations, 0) << p.name;
    EXPECT_LE(CurlCurl(unit_cube(1), 0, p.partition).solve().iterations, 10) << p.name;
  }
}

TEST(HiptmairXu, RefusesTriangles) {
  const auto mesh = make_mesh(Comm(), unit_square(3));
  const Space<Edge> space(*mesh, std::vector<int>(mesh->total<Edge>(), Space<Edge>::free));
  const MatrixRows rows = potential_matrix(*mesh);
  const SparseMatrix<Edge> matrix(rows);
  EXPECT_THROW(HiptmairXu(space, rows, matrix), Error);
}

}  // namespace
}  // namespace solenoid::test
