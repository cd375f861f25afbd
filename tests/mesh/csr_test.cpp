/// Lists by row: what they keep, in which order, and what they leave out.
#include "mesh/csr.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace solenoid::test {
namespace {

TEST(Csr, KeepsTheOrderOfEachRowAndLeavesOutRowsBeyondTheLast) {
  const std::vector<std::pair<int, char>> shown{{2, 'a'}, {0, 'b'}, {4, 'x'}, {2, 'c'}, {3, 'd'}, {0, 'e'}, {2, 'f'}};
  const Csr<char> lists(4, [&](const auto& visit) {
    for (const auto& [row, entry] : shown) visit(row, entry);
  });
  const auto row = [&](int i) { return std::string(lists[i].begin(), lists[i].end()); };
  ASSERT_EQ(lists.rows(), 4);
  EXPECT_EQ(row(0), "be");
  EXPECT_EQ(row(1), "");
  EXPECT_EQ(row(2), "acf");
  EXPECT_EQ(row(3), "d");
  EXPECT_EQ(std::string(lists.entries().begin(), lists.entries().end()), "beacfd");
}

TEST(Csr, HasNoRowsUnlessItIsGivenSome) {
  EXPECT_EQ(Csr<int>().rows(), 0);
  const Csr<int> empty(0, [](const auto& visit) { visit(0, 1); });
  EXPECT_EQ(empty.rows(), 0);
  EXPECT_TRUE(empty.entries().empty());
}

}  // namespace
}  // namespace solenoid::test
