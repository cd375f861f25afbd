/// Incidence tables in slices: the same sums as those of the rows.
#include "mesh/incidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace solenoid::test {
namespace {

/// Rows of 1 to 7 entries; row i names i, i + 1, ... with signs that change.
IncidenceRows rows_of_many_lengths(int count) {
  IncidenceRows rows;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k <= i * 5 % 7; ++k) rows.add(i + k, (i + k) % 3 == 0 ? -1 : 1);
    rows.end_row();
  }
  return rows;
}

TEST(SlicedIncidence, SumsWhatTheRowsSumInBits) {
  if (!cores_take_packs) GTEST_SKIP() << "for CPUs";
  constexpr int slices = 4, count = slices * pack_width + 3;
  const IncidenceRows rows = rows_of_many_lengths(count);
  std::vector<real> values;
  for (int i = 0; i < count + 7; ++i) values.push_back(1 / (1 + real(i)));
  const Incidence<Face, Cell> table(rows);
  const SlicedIncidence sliced(rows);
  const auto by_rows = table.view();
  for (int first = 0; first < slices * pack_width; first += pack_width) {
    const Pack<real> sums = sliced.view().sums(values.data(), first);
    for (int l = 0; l < pack_width; ++l) {
      real sum = 0;
      for (const auto [c, sign, slot] : by_rows[Index<Face>{first + l}]) sum += sign * values[c.value];
      EXPECT_EQ(sums.value[l], sum) << "row " << first + l;
    }
  }
}

/// What fills up a short row is its own, so that a NaN elsewhere stays there.
TEST(SlicedIncidence, TakesNothingFromOtherRows) {
  if (!cores_take_packs) GTEST_SKIP() << "for CPUs";
  IncidenceRows rows;
  for (int i = 0; i < pack_width; ++i) {
    for (int k = 0; k <= i % 2; ++k) rows.add(2 * i + k, 1);
    rows.end_row();
  }
  std::vector<real> values(2 * pack_width, 1);
  values[2] = std::numeric_limits<real>::quiet_NaN();  // of row 1 alone
  const SlicedIncidence sliced(rows);
  const Pack<real> sums = sliced.view().sums(values.data(), 0);
  for (int l = 0; l < pack_width; ++l) {
    if (l == 1) {
      EXPECT_TRUE(std::isnan(sums.value[l]));
    } else {
      EXPECT_EQ(sums.value[l], 1 + l % 2);
    }
  }
}

TEST(SlicedIncidence, RefusesEmptyRows) {
  IncidenceRows rows;
  for (int i = 0; i < pack_width; ++i) {
    if (i != 3) rows.add(i, 1);
    rows.end_row();
  }
  EXPECT_THROW(SlicedIncidence{rows}, Error);
}

TEST(SlicedIncidence, RefusesIndicesThatAnEntryCannotHold) {
  IncidenceRows rows;
  for (int i = 0; i < pack_width; ++i) {
    rows.add(1 << 29, 1);
    rows.end_row();
  }
  EXPECT_THROW(SlicedIncidence{rows}, Error);
}

}  // namespace
}  // namespace solenoid::test
