/// Waves: energy kept to round-off, orders of convergence, frequencies of membranes, and what an absorbing side sends
/// back.
#include "physics/wave/wave_equation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

using Data = Coefficient<real>;

SolveControl tight() {
  SolveControl control = wave_solver();
  control.tolerance = 1e-14;
  return control;
}

/// On the unit square and cube, patches "lid" (y = 1) and "wall" (the rest), with the speed 1.
WaveProblem problem_between(const NodalBoundary& lid, const NodalBoundary& wall, const Data& displacement,
                            const Data& rate = real{0}) {
  return {Data(1), Data(0), {lid, wall}, displacement, rate};
}

const Data bump = Data::of_place([](const Vec3& x) {
  const Vec3 d = x - Vec3{0.4, 0.6, x.z};
  return std::exp(-30 * dot(d, d));
});

TEST(WaveEquation, KeepsTheEnergyWhateverTheSteps_Steps) {
  for (const MeshSource& source : {unit_square(8, 0.3), unit_cube(3, 0.3)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      for (const NodalBoundary& wall : {free_side(), given_displacement()}) {
        WaveProblem problem =
            problem_between(free_side(), wall, bump, Data::of_place([](const Vec3& x) { return x.x; }));
        problem.speed = Data::of_place([](const Vec3& x) { return 1 + x.y; });
        WaveEquation waves(*mesh, problem, tight(), 0);
        const real first = waves.energy();
        EXPECT_GT(first, 0.01);
        for (int step = 0; step < 60; ++step) waves.advance(step % 3 == 0 ? 0.05 : 0.013);
        EXPECT_NEAR(waves.energy() / first, 1, 1e-11) << p.name;
      }
    }
  }
}

/// Largest deviation over the largest value at t = 0.9 from a standing wave whose lid moves.
real error_of_standing_wave(const MeshSource& source, int steps) {
  constexpr real w = 2;
  const auto exact = [](const Vec3& x, real t) { return std::cos(w * x.y) * std::cos(w * t); };
  const auto mesh = make_mesh(Comm(), source);
  WaveEquation waves(*mesh,
                     problem_between(given_displacement(Data::of_place_and_time(exact)), free_side(),
                                     Data::of_place([&](const Vec3& x) { return exact(x, 0); })),
                     tight(), 0);
  for (int k = 0; k < steps; ++k) waves.advance(real{0.9} / steps);
  const std::vector<real> found = waves.displacement().to_host();
  real largest = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    largest = std::max(largest, std::abs(found[n] - exact(mesh->part().points[n], waves.time())));
  }
  return mesh->comm().max(largest);
}

TEST(WaveEquation, ConvergesInThePlaneAndInSpace_Long) {
  const real plane =
      std::log2(error_of_standing_wave(unit_square(12, 0.1), 12) / error_of_standing_wave(unit_square(24, 0.1), 24));
  const real space =
      std::log2(error_of_standing_wave(unit_cube(5, 0.1), 6) / error_of_standing_wave(unit_cube(10, 0.1), 12));
  RecordProperty("plane", std::to_string(plane));
  RecordProperty("space", std::to_string(space));
  EXPECT_GE(plane, 1.9);
  EXPECT_GE(space, 1.9);
}

/// A rectangle of width 1 and height `rows` sqrt(3)/2 / n, in rows of equilateral triangles with sides 1/n, halved
/// where a row ends at the sides; patches "lid" (the highest side) and "wall".
MeshSource equilateral(int n, int rows) {
  MeshSource mesh;
  mesh.patches = {"lid", "wall"};
  mesh.regions = {"all"};
  std::vector<std::vector<int>> row(rows + 1);
  const real h = real{1} / n, height = h * std::sqrt(real{3}) / 2;
  const auto add = [&](int j, real x) {
    row[j].push_back(static_cast<int>(mesh.points.size()));
    mesh.points.push_back({x, j * height, 0});
  };
  for (int j = 0; j <= rows; ++j) {
    if (j % 2 == 1) add(j, 0);
    for (int i = 0; i < n; ++i) add(j, (i + (j % 2) / real{2}) * h);
    add(j, 1);
  }
  const auto add_side = [&](int a, int b, int patch) {
    mesh.boundary_faces.insert(mesh.boundary_faces.end(), {a, b});
    mesh.boundary_patch.push_back(patch);
  };
  for (int j = 0; j < rows; ++j) {
    const std::vector<int>&low = row[j], &high = row[j + 1];
    add_side(low.front(), high.front(), 1);
    add_side(low.back(), high.back(), 1);
    for (std::size_t a = 0, b = 0; a + 1 < low.size() || b + 1 < high.size();) {  // whichever is behind goes on
      const bool goes_low =
          b + 1 == high.size() || (a + 1 < low.size() && mesh.points[low[a + 1]].x <= mesh.points[high[b + 1]].x);
      mesh.cells.insert(mesh.cells.end(), {low[a], goes_low ? low[a + 1] : high[b + 1], high[b]});
      ++(goes_low ? a : b);
    }
  }
  for (const auto& [side, patch] : {std::pair{row.front(), 1}, std::pair{row.back(), 0}}) {
    for (std::size_t i = 1; i < side.size(); ++i) add_side(side[i - 1], side[i], patch);
  }
  for (std::size_t i = 0; i < mesh.points.size(); ++i) mesh.point_ids.push_back(static_cast<std::int64_t>(i));
  for (int c = 0; c < mesh.cell_count(); ++c) mesh.cell_ids.push_back(c);
  mesh.cell_region.assign(mesh.cell_count(), 0);
  return mesh;
}

/// The frequency with which a mode of a rectangular membrane swings, over the exact one: from the recurrence of its
/// amplitude, cos(w dt), with the error of the steps, which is known, taken off.
real frequency_over_exact(const MeshSource& source, int along_x, int along_y) {
  const real height = source.points.back().y, k_x = along_x * pi, k_y = along_y * pi / height;
  const auto mode = [&](const Vec3& x) { return std::sin(k_x * x.x) * std::sin(k_y * x.y); };
  const auto mesh = make_mesh(Comm(), source);
  WaveEquation waves(*mesh, problem_between(given_displacement(), given_displacement(), Data::of_place(mode)), tight(),
                     0);
  const real exact = std::sqrt(k_x * k_x + k_y * k_y), dt = 2 * pi / exact / 60;
  std::vector<real> shape(mesh->owned<Node>()), amplitude;
  for (std::size_t n = 0; n < shape.size(); ++n) shape[n] = mode(mesh->part().points[n]);
  const auto look = [&] {
    const std::vector<real> u = waves.displacement().to_host();
    real sum = 0;
    for (std::size_t n = 0; n < u.size(); ++n) sum += u[n] * shape[n];
    amplitude.push_back(mesh->comm().sum(sum));
  };
  for (int step = 0; step <= 120; ++step) {
    look();
    waves.advance(dt);
  }
  real products = 0, squares = 0;
  for (std::size_t k = 1; k + 1 < amplitude.size(); ++k) {
    products += amplitude[k] * (amplitude[k - 1] + amplitude[k + 1]) / 2;
    squares += amplitude[k] * amplitude[k];
  }
  const real swung = std::acos(products / squares);  // w dt
  return 2 / dt * std::tan(swung / 2) / exact;
}

TEST(WaveEquation, AMembraneHasItsFrequencies) {
  for (const auto& [along_x, along_y] : {std::pair{1, 1}, std::pair{2, 1}, std::pair{2, 3}}) {
    const real found = frequency_over_exact(equilateral(25, 28), along_x, along_y);
    EXPECT_NEAR(found, 1, 2e-4) << along_x << along_y;
  }
}

/// A pulse that runs up the rectangle leaves through the lid.
TEST(WaveEquation, AnAbsorbingSideSendsLittleBack) {
  constexpr real width = 0.1;
  const auto shape = [](const Vec3& x) { return std::exp(-(x.y - 0.5) * (x.y - 0.5) / (width * width)); };
  const auto rate = [&](const Vec3& x) { return 2 * (x.y - 0.5) / (width * width) * shape(x); };  // -c du/dy
  const auto mesh = make_mesh(Comm(), equilateral(50, 58));
  WaveEquation waves(*mesh, problem_between(absorbing_side(), free_side(), Data::of_place(shape), Data::of_place(rate)),
                     tight(), 0);
  const real first = waves.energy();
  for (int step = 0; step < 110; ++step) waves.advance(0.01);
  const real amplitude = std::sqrt(waves.energy() / first);
  RecordProperty("amplitude", std::to_string(amplitude));
  EXPECT_LE(amplitude, 0.01);
}

/// Average acceleration is exact for what is quadratic in time.
TEST(WaveEquation, AFreeBodyFallsUnderASource) {
  const auto mesh = make_mesh(Comm(), unit_cube(3, 0.2));
  WaveProblem problem = problem_between(free_side(), free_side(), real{2}, real{1});
  problem.source = Data(-9.81);
  WaveEquation waves(*mesh, problem, tight(), 0);
  for (const real dt : {0.1, 0.3, 0.1}) waves.advance(dt);
  for (const real u : waves.displacement().to_host()) EXPECT_NEAR(u, 2 + 0.5 - 9.81 * 0.125, 1e-11);
  for (const real v : waves.rate().to_host()) EXPECT_NEAR(v, 1 - 9.81 * 0.5, 1e-11);
}

TEST(WaveEquation, TheSizeOfACellIsTheEdgeOfTheRegularOne) {
  MeshSource source = unit_square(1);
  source.points = {{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(real{3}) / 2, 0}, {1.5, std::sqrt(real{3}) / 2, 0}};
  source.cells = {0, 1, 2, 1, 3, 2};
  source.boundary_faces = {0, 1, 1, 3, 3, 2, 2, 0};
  const auto mesh = make_mesh(Comm(), source);
  WaveProblem problem = problem_between(free_side(), free_side(), real{0});
  problem.speed = Data(3);
  EXPECT_NEAR(WaveEquation(*mesh, problem, tight(), 0).rate_of_cells(), 3, 1e-12);
}

}  // namespace
}  // namespace solenoid::test
