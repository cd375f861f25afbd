/// AveragedVectors over time: exact for what is linear between samples, and the trapezoidal rule for products.
#include "model/time_average.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

constexpr std::array<real, 6> sample_times{0.5, 0.53, 0.7, 0.701, 1.9, 2.5};  // uneven

/// Takes samples of the `values(time, component)`, the same at all entities, and returns the averages at the first.
struct AveragedVectors {
  Vec3 mean{}, variance{}, covariance{};
  template <class Values>
  static AveragedVectors of(const LocalMesh& mesh, const Values& values) {
    TimeAverage<Cell, Vec3> average(mesh, true);
    Field<Cell, Vec3> now(mesh);
    real before = sample_times[0];
    for (const real time : sample_times) {
      now.from_host(std::vector<Vec3>(now.owned(), Vec3{values(time, 0), values(time, 1), values(time, 2)}));
      average.sample(now, time - before);
      before = time;
    }
    AveragedVectors found;
    if (now.total() == 0) return found;
    found.mean = average.mean().all_to_host().back();  // in the halo, where there is one
    found.variance = average.variance().all_to_host().back();
    found.covariance = average.covariance().all_to_host().back();
    return found;
  }
};

/// sum of (half the time to the sample before and after) f over the whole time.
template <class Function>
real trapezoidal_mean(const Function& f) {
  real sum = 0;
  for (std::size_t k = 1; k < sample_times.size(); ++k)
    sum += (sample_times[k] - sample_times[k - 1]) / 2 * (f(sample_times[k - 1]) + f(sample_times[k]));
  return sum / (sample_times.back() - sample_times.front());
}

TEST(TimeAverage, OfALinearFunctionIsThatOfTheMiddle) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  const AveragedVectors found = AveragedVectors::of(*mesh, [](real t, int d) { return (d + 1) * t - 7 * d; });
  const real middle = (sample_times.front() + sample_times.back()) / 2;
  const real round_off = 20 * std::numeric_limits<real>::epsilon();
  EXPECT_NEAR(found.mean.x, middle, round_off);
  EXPECT_NEAR(found.mean.y, 2 * middle - 7, 10 * round_off);
  EXPECT_NEAR(found.mean.z, 3 * middle - 14, 10 * round_off);
}

TEST(TimeAverage, OfAConstantIsItselfInBits) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  const real value = real{1} / 3;
  const AveragedVectors found = AveragedVectors::of(*mesh, [&](real, int) { return value; });
  EXPECT_EQ(found.mean.x, value);
  EXPECT_EQ(found.mean.z, value);
  EXPECT_EQ(found.variance.x, 0);
  EXPECT_EQ(found.covariance.y, 0);
}

TEST(TimeAverage, ProductsAreThoseOfTheTrapezoidalRuleBesideALargeMean) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  constexpr real large = 1e3;  // its square would leave no digits of the variance in single precision
  const auto values = [](real t, int d) { return large * d + std::sin(5 * t + d); };
  const AveragedVectors found = AveragedVectors::of(*mesh, values);
  const auto product = [&](int a, int b) {
    const real mean_a = trapezoidal_mean([&](real t) { return values(t, a); }),
               mean_b = trapezoidal_mean([&](real t) { return values(t, b); });
    return trapezoidal_mean([&](real t) { return (values(t, a) - mean_a) * (values(t, b) - mean_b); });
  };
  const real close = 1e5 * std::numeric_limits<real>::epsilon();
  EXPECT_NEAR(found.variance.x, product(0, 0), close);
  EXPECT_NEAR(found.variance.y, product(1, 1), close);
  EXPECT_NEAR(found.variance.z, product(2, 2), close);
  EXPECT_NEAR(found.covariance.x, product(0, 1), close);
  EXPECT_NEAR(found.covariance.y, product(1, 2), close);
  EXPECT_NEAR(found.covariance.z, product(2, 0), close);
}

TEST(TimeAverage, WithoutTimeIsTheSample) {
  const auto mesh = make_mesh(Comm(), unit_square(2));
  TimeAverage<Node, real> average(*mesh, true);
  Field<Node> now(*mesh);
  now.from_host(std::vector<real>(now.owned(), 3));
  average.sample(now, 0);
  for (const real value : average.mean().all_to_host()) EXPECT_EQ(value, 3);
  for (const real value : average.variance().all_to_host()) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace solenoid::test
