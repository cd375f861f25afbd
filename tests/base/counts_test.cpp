/// Counts that do not fit into 32 bits are refused with the way out.
#include "base/counts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace solenoid::test {
namespace {

TEST(Counts, AreRefusedBeforeTheyWrap) {
  EXPECT_EQ(count_on_rank(2147483647, "values"), 2147483647);
  EXPECT_EQ(count_on_rank(8, "values", 8), 8);
  for (const auto& [count, most] : {std::pair<std::int64_t, std::int64_t>{2147483648, 2147483647}, {9, 8}}) {
    try {
      count_on_rank(count, "entries of a matrix", most);
      ADD_FAILURE() << count << " were accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::failure);
      EXPECT_EQ(std::string(error.what()), message("{} entries of a matrix are too many for one rank, which takes {} "
                                                   "at most: use more ranks",
                                                   count, most));
    }
  }
}

}  // namespace
}  // namespace solenoid::test
