/// The nearest valid name: what counts as near, and what does not.
#include "base/user_text.hpp"

#include <gtest/gtest.h>

namespace solenoid {
namespace {

const std::vector<std::string> keys{"viscosity", "velocity", "method", "end", "step", "cfl"};

TEST(NearestName, FindsChangedMissingAddedAndSwappedLetters) {
  EXPECT_EQ(nearest_name("viscocity", keys), "viscosity");
  EXPECT_EQ(nearest_name("vicosity", keys), "viscosity");
  EXPECT_EQ(nearest_name("methodd", keys), "method");
  EXPECT_EQ(nearest_name("setp", keys), "step");  // one swap, although two letters differ
  EXPECT_EQ(nearest_name("edn", keys), "end");
}

TEST(NearestName, IgnoresCase) { EXPECT_EQ(nearest_name("CFL", keys), "cfl"); }

TEST(NearestName, TakesTheNearestAndTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("lid", {"lids", "lad", "lid"}), "lid");
  EXPECT_EQ(nearest_name("wall3", {"wall1", "wall2"}), "wall1");
}

TEST(NearestName, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("density", keys), std::nullopt);
  EXPECT_EQ(nearest_name("inlet", {"outlet"}), std::nullopt);
  EXPECT_EQ(nearest_name("and", {"xyz"}), std::nullopt);
  EXPECT_EQ(nearest_name("end", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), {std::string(1'000'000, 'b')}), std::nullopt);  // at once
}

}  // namespace
}  // namespace solenoid
