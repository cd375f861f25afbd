/// What a hierarchy is made of: independent sets, aggregates, transfer and coarse matrices, against their definitions;
/// and the cycle against the textbook's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "bench/systems.hpp"
#include "parallel/stream.hpp"
#include "solve/multigrid/coarsening.hpp"
#include "solve/multigrid/dense_inverse.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// The pressure's matrix scaled to a diagonal of ones, on a mesh.
struct Finest {
  std::unique_ptr<LocalMesh> mesh;
  HostLevel level;
  HostExchange exchange;

  Finest(const Comm& comm, const MeshSource& source, const Partitioner& partition = partition_cells)
      : mesh(make_mesh(comm, source, partition)), level(make(*mesh)), exchange(comm, level.numbering) {}

 private:
  static HostLevel make(const LocalMesh& mesh) {
    const MatrixRows rows = pressure_matrix(mesh);
    Field<Cell> diagonal(mesh, rows.diagonal());
    halo(diagonal);
    const std::vector<real> d = diagonal.all_to_host();
    HostLevel level{mesh.numbering<Cell>(), {}, {}};
    for (int i = 0; i < rows.rows(); ++i) {
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        const int j = rows.column[k];
        if (j == i) continue;
        level.rows.column.push_back(j);
        level.rows.value.push_back(static_cast<float>(rows.value[k] / std::sqrt(d[i] * d[j])));
      }
      level.rows.offset.push_back(static_cast<int>(level.rows.column.size()));
    }
    for (const real value : d) level.null.push_back(static_cast<float>(std::sqrt(value)));
    return level;
  }
};

using Dense = std::vector<std::vector<real>>;
Dense zeros(int rows, int columns) { return Dense(rows, std::vector<real>(columns, 0)); }
Dense dense(const SingleRows& rows, int columns, real diagonal = 0) {
  Dense a = zeros(rows.rows(), columns);
  for (int i = 0; i < rows.rows(); ++i) {
    if (diagonal != 0) a[i][i] = diagonal;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) a[i][rows.column[k]] += rows.value[k];
  }
  return a;
}
Dense transposed(const Dense& a, int columns) {
  Dense t = zeros(columns, static_cast<int>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int j = 0; j < columns; ++j) t[j][i] = a[i][j];
  }
  return t;
}
std::vector<real> times(const Dense& a, const std::vector<real>& x) {
  std::vector<real> y;
  for (const auto& row : a) {
    real sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * x[j];
    y.push_back(sum);
  }
  return y;
}
std::vector<real> combined(const std::vector<real>& x, real factor, const std::vector<real>& y) {
  std::vector<real> z = x;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += factor * y[i];
  return z;
}

/// Couplings from each unknown to the nearest of the set, at most `reach`.
std::vector<int> distances(const SingleRows& strong, const std::vector<char>& in_set, int reach) {
  std::vector<int> distance(strong.rows(), reach + 1);
  std::queue<int> next;
  for (int i = 0; i < strong.rows(); ++i) {
    if (in_set[i]) distance[i] = 0, next.push(i);
  }
  for (; !next.empty(); next.pop()) {
    const int i = next.front();
    for (int k = strong.offset[i]; k < strong.offset[i + 1] && distance[i] < reach; ++k) {
      const int j = strong.column[k];
      if (distance[j] > distance[i] + 1) distance[j] = distance[i] + 1, next.push(j);
    }
  }
  return distance;
}

TEST(MultigridSetup, SetsAreIndependentAndMaximal) {
  const Finest finest(alone(), unit_square(24, 0.3));
  const SingleRows strong = strong_couplings(finest.exchange, finest.level);
  for (const int distance : {2, 3}) {
    const std::vector<char> in_set = independent_set(finest.exchange, finest.level.numbering, strong, distance, 0);
    const std::vector<int> to_set = distances(strong, in_set, distance);
    EXPECT_EQ(std::count(to_set.begin(), to_set.end(), distance + 1), 0) << "maximal, distance " << distance;
    for (int i = 0; i < strong.rows(); ++i) {
      if (!in_set[i]) continue;
      std::vector<char> others = in_set;
      others[i] = 0;
      EXPECT_GT(distances(strong, others, distance)[i], distance) << "independent, distance " << distance;
    }
  }
}

/// By global id: the id of each unknown's aggregate.
std::vector<real> aggregates_of(const Finest& finest) {
  const SingleRows strong = strong_couplings(finest.exchange, finest.level);
  const Aggregates aggregates = aggregate(finest.exchange, finest.level, strong, 3, 0);
  Field<Cell> id(*finest.mesh);
  std::vector<real> values;
  for (int i = 0; i < id.owned(); ++i) {
    const int number = aggregates.of[i];
    values.push_back(number < 0 ? -1 : static_cast<real>(aggregates.numbers.id(number)));
  }
  id.from_host(values);
  return gather(id);
}

TEST(MultigridSetup, AggregatesFollowFromGlobalIdsAlone) {
  for (const MeshSource& source : {unit_square(20, 0.3), unit_square(20), unit_cube(6)}) {
    const std::vector<real> whole = aggregates_of(Finest(alone(), source));
    EXPECT_EQ(std::count(whole.begin(), whole.end(), -1), 0);
    for (const NamedPartitioner& p : partitioners()) {
      EXPECT_EQ(aggregates_of(Finest(Comm(), source, p.partition)), whole) << p.name;
    }
  }
}

/// A level, the prolongation and the coarser level from their definitions.
struct TwoLevels {
  Dense a, p, coarse;       ///< P and P^T A P scaled to a diagonal of ones
  std::vector<real> scale;  ///< that does it
  std::vector<std::vector<real>> ap;

  /// P = (1 - steps_1 A) (1 - steps_2 A) ... P0.
  TwoLevels(const Finest& finest, const Aggregates& aggregates, const std::vector<real>& steps)
      : a(dense(finest.level.rows, finest.level.rows.rows(), 1)) {
    const int n = finest.level.rows.rows(), count = aggregates.numbers.owned();
    std::vector<std::vector<real>> columns(count, std::vector<real>(n, 0));
    for (int i = 0; i < n; ++i) {
      if (aggregates.of[i] >= 0) columns[aggregates.of[i]][i] = finest.level.null[i];
    }
    coarse = zeros(count, count);
    for (auto& column : columns) {
      for (const real step : steps) column = combined(column, -step, times(a, column));
      ap.push_back(times(a, column));
    }
    for (int c = 0; c < count; ++c) scale.push_back(1 / std::sqrt(inner(columns[c], ap[c])));
    for (int c = 0; c < count; ++c) {
      for (int d = 0; d < count; ++d) coarse[c][d] = scale[c] * scale[d] * inner(columns[c], ap[d]);
    }
    for (int c = 0; c < count; ++c) {
      for (real& value : columns[c]) value *= scale[c];
      for (real& value : ap[c]) value *= scale[c];
    }
    p = transposed(columns, n);
  }
  static real inner(const std::vector<real>& x, const std::vector<real>& y) {
    real sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }
};

void expect_near(const Dense& found, const Dense& expected, real tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  real worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      const real miss = std::abs(found[i][j] - expected[i][j]);
      if (!(miss <= worst)) worst = miss;
    }
  }
  EXPECT_LE(worst, tolerance) << what;
}

constexpr real single = 2e-6;  // round-off of a few sums in single precision

TEST(MultigridSetup, LevelsAreAsDefined) {
  const Finest finest(alone(), unit_square(16, 0.3));
  const double highest = largest_eigenvalue(finest.exchange, finest.level);
  EXPECT_GT(highest, 1.8);  // the pressure's matrix has nearly -1 where red and black cells alternate
  EXPECT_LE(highest, 2.1);
  const float smoothing = chebyshev_steps(highest / 8, highest).large;
  const SingleRows strong = strong_couplings(finest.exchange, finest.level);
  const real root = std::sqrt(real{0.5}) * real{0.375};
  const std::vector<std::vector<real>> steps{{4 / (3 * highest)},
                                             {1 / (highest * (0.625 - root)), 1 / (highest * (0.625 + root))}};
  for (const int depth : {0, 1}) {
    const auto made = coarsen(finest.exchange, finest.level, highest, smoothing, depth);
    ASSERT_TRUE(made);
    const TwoLevels expected(finest, aggregate(finest.exchange, finest.level, strong, 3, depth), steps[depth]);
    const int n = finest.level.rows.rows(), count = made->coarse.rows.rows();
    EXPECT_LT(7 * count, n);
    Dense p1 = expected.p;
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < count; ++c) p1[i][c] -= static_cast<real>(smoothing) * expected.ap[c][i];
    }
    expect_near(dense(made->coarse.rows, count, 1), expected.coarse, single, "P^T A P");
    expect_near(dense(made->prolongation, count), p1, single, "prolongation");
    expect_near(dense(made->restriction, n), transposed(p1, count), single, "restriction");
    for (int c = 0; c < count; ++c) EXPECT_NEAR(made->coarse.null[c] * expected.scale[c], 1, single);
  }
}

/// Two smoothing steps, the coarser level solved, the same two steps the other way round: V(2,2) as textbooks write it.
TEST(MultigridSetup, CycleIsTheTextbooks) {
  const Finest finest(alone(), unit_square(16, 0.3));
  const double highest = largest_eigenvalue(finest.exchange, finest.level);
  const ChebyshevSteps smoother = chebyshev_steps(highest / 8, highest);
  const SingleRows strong = strong_couplings(finest.exchange, finest.level);
  const TwoLevels levels(finest, aggregate(finest.exchange, finest.level, strong, 3, 0), {4 / (3 * highest)});
  const auto made = coarsen(finest.exchange, finest.level, highest, smoother.large, 0);
  ASSERT_TRUE(made);
  const int count = made->coarse.rows.rows();
  const Dense inverse = dense(dense_inverse(made->coarse), count);

  Field<Cell> r = scattered_field<Cell>(*finest.mesh, 6), z(*finest.mesh);
  const Multigrid cycle(finest.exchange.comm(), finest.level.numbering, finest.level.rows, finest.level.null);
  ASSERT_EQ(cycle.shape().rows, (std::vector<std::int64_t>{finest.level.rows.rows(), count}));
  cycle(r, z);

  const std::vector<real> b = r.to_host();
  std::vector<real> x(b.size(), 0);
  const auto smooth = [&](float step) { x = combined(x, step, combined(b, -1, times(levels.a, x))); };
  smooth(smoother.small);
  smooth(smoother.large);
  const std::vector<real> residual = combined(b, -1, times(levels.a, x));
  x = combined(x, 1, times(levels.p, times(inverse, times(transposed(levels.p, count), residual))));
  smooth(smoother.large);
  smooth(smoother.small);
  expect_equal(z.to_host(), x, "V(2,2)", 1e-4);  // the coarsest inverse lifts round-off
}

/// To the last bit, with levels shared among the ranks down to the last, from the second on held whole, or from the
/// first on.
TEST(MultigridSetup, CycleIsTheSameOnAnyPartition) {
  for (const MeshSource& source : {unit_square(30, 0.3), unit_square(24), unit_cube(7, 0.2)}) {
    for (const std::int64_t replicated : {0, 1000, 20000}) {
      const MultigridSizes sizes{replicated, 20};
      const auto result = [&](const Finest& finest, MultigridShape& shape) {
        const Multigrid cycle(finest.exchange.comm(), finest.level.numbering, finest.level.rows, finest.level.null,
                              sizes);
        shape = cycle.shape();
        Field<Cell> r = scattered_field<Cell>(*finest.mesh, 6), z(*finest.mesh);
        cycle(r, z);
        return gather(z);
      };
      MultigridShape expected, shape;
      const std::vector<real> whole = result(Finest(alone(), source), expected);
      EXPECT_GE(expected.rows.size(), 3u);
      for (const NamedPartitioner& p : partitioners()) {
        EXPECT_EQ(result(Finest(Comm(), source, p.partition), shape), whole) << p.name << ", " << replicated;
        EXPECT_EQ(shape.rows, expected.rows) << p.name << ", " << replicated;
        EXPECT_EQ(shape.complexity, expected.complexity) << p.name << ", " << replicated;
      }
    }
  }
}

/// To the last bit, for one vector and for three; a launch in the place of all passes from the second level on. With
/// more mass the last level has no inverse, but the smoother.
TEST(MultigridSetup, SmallLevelsInOneLaunchGiveTheSame) {
  struct Case {
    MeshSource source;
    bool with_inverse;
  };
  for (const Case& one :
       {Case{unit_square(30, 0.3), true}, Case{unit_cube(7, 0.2), true}, Case{unit_square(30, 0.3), false}}) {
    const bool with_inverse = one.with_inverse;
    const Finest finest(alone(), one.source);
    SingleRows rows = finest.level.rows;
    for (float& value : rows.value) value *= with_inverse ? 1 : 0.7f;
    const auto made = [&](std::int64_t entries) {
      return Multigrid(finest.exchange.comm(), finest.level.numbering, rows, finest.level.null,
                       {0, with_inverse ? 20 : 0, entries});
    };
    const Multigrid one_by_one = made(0), at_once = made(1 << 20), partly = made(3000);
    Field<Cell> r = scattered_field<Cell>(*finest.mesh, 6), z(*finest.mesh);
    Field<Cell, Vec3> three(*finest.mesh), of_three(*finest.mesh);
    std::vector<Vec3> vectors;
    for (const real value : r.to_host()) vectors.push_back({value, 2 - value, value * value});
    three.from_host(vectors);
    const auto run = [&](const Multigrid& cycle) {
      const long before = kernel_launches();
      cycle(r, z);
      const long launches = kernel_launches() - before;
      cycle(three, of_three);
      return std::tuple(launches, z.to_host(), of_three.to_host());
    };
    const auto [launches, expected, expected_three] = run(one_by_one);
    EXPECT_EQ(launches % 5, with_inverse ? 2 : 4);  // the last level takes one pass or three, the others five each
    for (const Multigrid* const cycle : {&at_once, &partly}) {
      const auto [fewer, found, found_three] = run(*cycle);
      EXPECT_EQ(found, expected);
      for (std::size_t i = 0; i < found_three.size(); ++i) {
        ASSERT_EQ(norm(found_three[i] - expected_three[i]), 0) << i;
      }
      EXPECT_LE(fewer, launches);
      if (cycle == &at_once) {
        EXPECT_EQ(fewer, 1 + 5 + 1);  // rounding to single precision, the finest level, all others
      }
    }
  }
}

/// A level's inverse; where constants solve it, the inverse on what is orthogonal to them.
TEST(MultigridSetup, InverseIsRightInTheRange) {
  const Finest finest(alone(), unit_square(6, 0.3));
  const int n = finest.level.rows.rows();
  const Dense a = dense(finest.level.rows, n, 1), inverse = dense(dense_inverse(finest.level), n);
  std::vector<real> x = scattered_values(n, 3);
  const std::vector<real> null(finest.level.null.begin(), finest.level.null.end());
  x = combined(x, -TwoLevels::inner(x, null) / TwoLevels::inner(null, null), null);
  expect_equal(times(inverse, times(a, x)), x, "x again", 1e-5);
}

}  // namespace
}  // namespace solenoid::test
