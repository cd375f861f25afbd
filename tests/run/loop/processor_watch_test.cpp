/// Steps that wait for processors.
#include "run/loop/run_progress.hpp"

#include <gtest/gtest.h>

namespace solenoid::test {
namespace {

TEST(ProcessorWatch, TellsOfStepsFarSlowerThanTheirWork) {
  const auto text = waiting_text(10, 72, 0.5);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("7.2 s each, of which 0.05 s is work"), std::string::npos) << *text;
}

TEST(ProcessorWatch, IsSilentWhereThereIsNothingToTell) {
  EXPECT_FALSE(waiting_text(10, 72, 30));  // one of two threads on a core, say
  EXPECT_FALSE(waiting_text(10, 4, 0.1));  // too short to judge
  EXPECT_FALSE(waiting_text(2, 60, 0.1));  // so few that one may have been unlucky
}

}  // namespace
}  // namespace solenoid::test
