/// Values of an earlier run at points: from both file formats, on any rank, exact for polynomials, outside the mesh.
#include "case/earlier_result.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/paraview/vtkhdf_series.hpp"
#include "mesh/mesh_source.hpp"
#include "support/shared_folder.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

/// The part of a mesh that a rank writes: a block of its cells, and `ghosts` cells before it and behind it.
VtkPiece share_of(const MeshSource& mesh, int rank, int ranks, int ghosts = 0) {
  VtkPiece piece;
  piece.dimension = mesh.dimension;
  std::vector<int> place(mesh.points.size(), -1);
  const int block = (mesh.cell_count() + ranks - 1) / ranks;
  const int first = std::max(0, rank * block - ghosts), end = std::min((rank + 1) * block + ghosts, mesh.cell_count());
  for (int c = first; c < end; ++c) {
    for (const int p : mesh.points_of_cell(c)) {
      if (place[p] < 0) {
        place[p] = static_cast<int>(piece.points.size());
        piece.points.push_back(mesh.points[p]);
        piece.point_ids.push_back(p);
        piece.point_ranks.push_back(rank);
      }
      piece.cells.push_back(place[p]);
    }
    piece.cell_ids.push_back(c);
    piece.cell_ranks.push_back(c / block);
  }
  return piece;
}

template <class F>
VtkArray values_of(const std::string& name, const VtkPiece& piece, int components, const F& f) {
  VtkArray array{name, components, {}};
  for (const Vec3& x : piece.points) {
    const Vec3 value = f(x);
    for (int k = 0; k < components; ++k) array.values.push_back(k == 0 ? value.x : k == 1 ? value.y : value.z);
  }
  return array;
}

std::vector<Vec3> inside(int dimension) {
  std::vector<Vec3> points;
  for (int k = 1; k < 40; ++k) {
    const auto part = [&](real step) { return std::fmod(step * static_cast<real>(k), real{1}); };
    points.push_back({part(0.377), part(0.619), dimension == 3 ? part(0.211) : 0});
  }
  return points;
}

class EarlierResults : public test::SharedFolder {
 protected:
  /// Writes `velocity` and `temperature` at `time` on this mesh.
  template <class Velocity>
  void write(const MeshSource& mesh, bool in_one_file, int step, double time, const Velocity& velocity) {
    const VtkPiece piece = share_of(mesh, comm.rank(), comm.size(), mesh.cell_count() / 4);
    const std::vector<VtkArray> arrays{values_of("velocity", piece, 3, velocity),
                                       values_of("temperature", piece, 1, [&](const Vec3& x) {
                                         return Vec3{real(time) + 2 * x.x - x.y, 0, 0};
                                       })};
    if (in_one_file) {
      VtkHdfSeries(comm, OutputFolder(folder), "fields").write(step, time, piece, arrays, {});
    } else {
      VtkSeries(comm, OutputFolder(folder), "fields").write(step, time, piece, arrays, {});
    }
    comm.barrier();
  }
  EarlierResult result() const { return {folder.parent_path(), folder.filename().string(), "case.toml: `result`"}; }

  /// The message of an error with exit code 2; empty if there is none.
  template <class Work>
  static std::string fault_of(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "";
  }
};

Vec3 quadratic(const Vec3& x) {
  return {1 + x.x * x.y - 2 * x.z * x.z, x.x * x.x + 3 * x.y - x.y * x.z, 2 * x.x - x.z * x.y + x.y * x.y};
}

TEST_F(EarlierResults, AreExactForPolynomialsInBothFormats) {
  for (const int dimension : {2, 3}) {
    const MeshSource mesh = dimension == 2 ? unit_square(6, 0.3) : unit_cube(4, 0.2);
    const std::vector<Vec3> points = inside(dimension);
    for (const bool in_one_file : {false, true}) {
      write(mesh, in_one_file, 0, 0, [](const Vec3&) { return Vec3{9, 9, 9}; });
      write(mesh, in_one_file, 7, 0.25, quadratic);
      const EarlierResult earlier = result();
      EXPECT_EQ(earlier.dimension(), dimension);
      EXPECT_EQ(earlier.time(), 0.25);
      EXPECT_TRUE(earlier.has_scalar("temperature"));
      EXPECT_FALSE(earlier.has_scalar("velocity"));
      EXPECT_FALSE(earlier.has_scalar("dye"));
      std::vector<Vec3> u(points.size());
      std::vector<real> temperature(points.size());
      earlier.velocity(points, u);
      earlier.scalar("temperature", points, temperature);
      for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3& x = points[k];
        EXPECT_NEAR(norm(u[k] - quadratic(x)), 0, 1e-10) << dimension << " " << in_one_file << " " << k;
        EXPECT_NEAR(temperature[k], 0.25 + 2 * x.x - x.y, 1e-12);
      }
      comm.barrier();
      if (comm.is_root()) fs::remove_all(folder), fs::create_directory(folder);
      comm.barrier();
    }
  }
}

TEST_F(EarlierResults, ConvergeWithThirdOrder) {
  const std::vector<Vec3> points = inside(2);
  const auto velocity = [](const Vec3& x) {
    return Vec3{std::sin(3 * x.x) * std::cos(3 * x.y), -std::cos(3 * x.x) * std::sin(3 * x.y), 0};
  };
  std::vector<real> errors;
  for (const int n : {10, 20, 40}) {
    write(unit_square(n, 0.3), false, n, n, velocity);
    std::vector<Vec3> u(points.size());
    result().velocity(points, u);
    real sum = 0;
    for (std::size_t k = 0; k < points.size(); ++k) sum += norm(u[k] - velocity(points[k]));
    errors.push_back(sum / static_cast<real>(points.size()));
    comm.barrier();
  }
  for (std::size_t k = 1; k < errors.size(); ++k) EXPECT_GT(std::log2(errors[k - 1] / errors[k]), 2.6) << errors[k];
}

TEST_F(EarlierResults, HaveTheNearestValuesOutside) {
  write(unit_square(5), true, 1, 0.5, quadratic);
  const EarlierResult earlier = result();
  const std::vector<Vec3> points{{0.3, 0.4, 0}, {0.3, 0.4, 7}, {1.5, 0.4, 0}, {-1, -2, 3}, {0.2, 5, 0}},
      nearest{{0.3, 0.4, 0}, {0.3, 0.4, 0}, {1, 0.4, 0}, {0, 0, 0}, {0.2, 1, 0}};
  std::vector<Vec3> u(points.size());
  std::vector<real> distance(points.size()), temperature(points.size());
  earlier.velocity(points, u);
  earlier.distance(points, distance);
  earlier.scalar("temperature", points, temperature);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 apart = points[k] - nearest[k];
    EXPECT_NEAR(norm(u[k] - quadratic(nearest[k])), 0, 1e-11) << k;
    EXPECT_NEAR(distance[k], std::hypot(apart.x, apart.y), 1e-12) << k;  // a plane has no z
    EXPECT_NEAR(temperature[k], 0.5 + 2 * nearest[k].x - nearest[k].y, 1e-12) << k;
  }
}

/// A layer of fluid on a solid: the slope of the velocity in the fluid does not see the rest in the solid.
TEST_F(EarlierResults, DoNotMixTheFluidWithSolids) {
  const auto velocity = [](const Vec3& x) { return Vec3{x.y > 0.5 ? (x.y - 0.5) * (2 - x.y) : 0, 0, 0}; };
  write(unit_square(8), false, 1, 1, velocity);
  const std::vector<Vec3> points{{0.51, 0.53, 0}, {0.21, 0.6, 0}, {0.7, 0.45, 0}, {0.4, 0.55, 0}};
  std::vector<Vec3> u(points.size());
  result().velocity(points, u);
  for (std::size_t k = 0; k < points.size(); ++k) EXPECT_NEAR(norm(u[k] - velocity(points[k])), 0, 1e-12) << k;
}

TEST_F(EarlierResults, NameWhatIsMissing) {
  const Vec3 x{0.5, 0.5, 0};
  Vec3 u;
  const auto fault = [&](const fs::path& base, const std::string& given) {
    return fault_of([&] { EarlierResult(base, given, "case.toml: `result`").velocity({&x, 1}, {&u, 1}); });
  };
  EXPECT_NE(fault(folder, "gone").find("case.toml: `result`: " + (folder / "gone").string() + ": no such folder"),
            std::string::npos);
  EXPECT_NE(fault(folder, ".").find("has no results: expected the folder of an earlier run"), std::string::npos);
  const VtkPiece piece = share_of(unit_square(2), comm.rank(), comm.size());
  VtkSeries(comm, OutputFolder(folder), "fields").write(0, 0, piece, {}, {});
  comm.barrier();
  EXPECT_NE(fault(folder, ".").find("has no `velocity` at its points: expected the result of a flow"),
            std::string::npos);
  EXPECT_NE(fault_of([&] { result().without("dye").at(x, 0); }).find("give its initial values as `dye` in [initial]"),
            std::string::npos);
}

}  // namespace
}  // namespace solenoid
