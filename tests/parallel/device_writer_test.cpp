/// Arrays on the device that are written value by value.
#include "parallel/device_array.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace solenoid::test {
namespace {

TEST(DeviceWriter, GivesWhatWasWritten) {
  for (const int size : {0, 1, 1000, 100001}) {  // less than a block of values, and more than one
    DeviceWriter<double> writer(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) writer.push_back(i * .5);
    const std::vector<double> values = writer.take().to_host();
    ASSERT_EQ(values.size(), static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) ASSERT_EQ(values[i], i * .5);
  }
}

TEST(DeviceWriter, RefusesAnyOtherNumberOfValues) {
  DeviceWriter<int> few(3), many(3), none(0);
  few.push_back(1);
  EXPECT_THROW(few.take(), Error);
  for (int i = 0; i < 4; ++i) many.push_back(i);
  EXPECT_THROW(many.take(), Error);
  EXPECT_THROW(none.push_back(0), Error);
}

}  // namespace
}  // namespace solenoid::test
