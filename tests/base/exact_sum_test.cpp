/// Exact sums: every bit of every term, rounded once to the nearest double, whoever adds what.
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "base/partial_sum.hpp"
#include "support/exact_sums.hpp"

namespace solenoid {

namespace {

double exact_sum(const std::vector<double>& terms) {
  ExactSum sum{};
  for (const double term : terms) sum.add(term);
  return sum.rounded();
}

/// Of either sign, over `octaves` powers of two around 1.
std::vector<double> scattered_terms(int count, int octaves) {
  std::mt19937_64 numbers(7);
  std::vector<double> terms;
  for (int k = 0; k < count; ++k) {
    const double fraction = std::ldexp(static_cast<double>(numbers() >> 11), -52) - 1;
    terms.push_back(std::ldexp(fraction, static_cast<int>(numbers() % static_cast<unsigned>(octaves)) - octaves / 2));
  }
  return terms;
}

TEST(ExactSum, IsItsOnlyTerm) {
  constexpr double least = std::numeric_limits<double>::denorm_min(), normal = std::numeric_limits<double>::min();
  for (const double term :
       {0.0, 1.0, -1.0, 0.1, -1e-300, 1e300, least, -least, normal, 3 * least, std::ldexp(1.0, 1019)}) {
    EXPECT_EQ(exact_sum({term}), term);
  }
}

TEST(ExactSum, KeepsWhatCancels) {
  EXPECT_EQ(exact_sum({1e300, 1, -1e300}), 1);
  EXPECT_EQ(exact_sum({1e300, -1e-300, -1e300}), -1e-300);
  std::vector<double> terms = scattered_terms(1000, 600);
  for (int k = 0; k < 1000; ++k) terms.push_back(-terms[static_cast<std::size_t>(k)]);
  EXPECT_EQ(exact_sum(terms), 0);
  terms.push_back(std::ldexp(1.0, -400));
  EXPECT_EQ(exact_sum(terms), std::ldexp(1.0, -400));
}

TEST(ExactSum, RoundsOnceToTheNearestEven) {
  const double ulp = std::ldexp(1.0, -52);
  EXPECT_EQ(exact_sum({1, ulp / 2}), 1);
  EXPECT_EQ(exact_sum({1 + ulp, ulp / 2}), 1 + 2 * ulp);
  EXPECT_EQ(exact_sum({1, ulp / 2, 1e-200}), 1 + ulp);
  EXPECT_EQ(exact_sum({1, ulp / 2, -1e-200}), 1);
  EXPECT_EQ(exact_sum({-1, -ulp / 2, -1e-200}), -1 - ulp);
  // In whole numbers that 128 bits hold.
  __extension__ using Wide = __int128;
  const std::vector<double> terms = scattered_terms(5000, 30);
  Wide whole = 0;
  for (const double term : terms) whole += static_cast<Wide>(std::ldexp(term, 70));
  EXPECT_EQ(exact_sum(terms), std::ldexp(static_cast<double>(whole), -70));
}

TEST(ExactSum, IsTheSameInAnyOrderAndAnyUnits) {
  std::vector<double> terms = scattered_terms(20000, 200);
  const double sum = exact_sum(terms);
  std::mt19937 order(3);
  for (const int power : {-700, -13, 1, 700}) {
    std::shuffle(terms.begin(), terms.end(), order);
    std::vector<double> scaled = terms;
    for (double& term : scaled) term = std::ldexp(term, power);
    EXPECT_EQ(exact_sum(scaled), std::ldexp(sum, power));
  }
}

TEST(ExactSum, IsNoNumberWhereATermIsNone) {
  for (const double term : {std::nan(""), std::numeric_limits<double>::infinity(), std::ldexp(1.0, 1020)}) {
    EXPECT_TRUE(std::isnan(exact_sum({1, term, 2})));
    EXPECT_TRUE(std::isnan(exact_sum({term, -term})));
  }
}

/// The same terms, dealt out to the ranks in two ways.
TEST(PartialSum, IsTheSameWhicheverRankHasWhat) {
  const ExactSums exact;
  const Comm comm;
  const std::vector<double> terms = scattered_terms(5000, 100);
  std::vector<PartialSum> parts(2);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (static_cast<int>(k) % comm.size() == comm.rank()) parts[0] += terms[k];
    if (static_cast<int>(k * k) / 7 % comm.size() == comm.rank()) parts[1] += terms[k];
  }
  const std::vector<real> sums = totals(comm, parts);
  EXPECT_EQ(sums[0], exact_sum(terms));
  EXPECT_EQ(sums[1], exact_sum(terms));
  PartialSum both = parts[0];
  both += parts[1];
  ExactSum twice{};
  for (const double term : terms) twice.add(term), twice.add(term);
  EXPECT_EQ(total(comm, both), twice.rounded());
}

}  // namespace
}  // namespace solenoid
