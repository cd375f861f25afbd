/// Sums of doubles, exact and rounded once: the same bits in any order of the terms and on any number of ranks.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/real.hpp"

namespace solenoid {

/// A fixed-point number wide enough for every double (Kulisch 1986), in digits of 32 bits that may overflow into the
/// 31 bits above them: 2^31 terms fit. Terms of 2^1020 and more, infinities and NaN make the sum a NaN.
/// A plain struct, so that it lives in any memory; `= {}` is zero.
struct ExactSum {
  static constexpr int digits = 70;     ///< of 32 bits each
  static constexpr int lowest = -1152;  ///< digit 0 counts multiples of 2^lowest; two digits lie below every double
  static constexpr int words = digits + 1;
  std::int64_t word[words];  ///< the digits, and the number of unfit terms: two sums are added word by word

  SOLENOID_HD void add(double value) {
    const std::uint64_t bits = bits_of(value);
    if (exponent_of(bits) > largest_exponent) {
      add_unfit();
      return;
    }
    const int field = static_cast<int>(bits >> 52 & 0x7ff);
    const auto fraction = static_cast<std::int64_t>((bits & fraction_bits) | (field > 0 ? fraction_bits + 1 : 0));
    add(static_cast<std::int64_t>(bits) < 0 ? -fraction : fraction, (field > 0 ? field : 1) - 1075);
  }

  /// Adds a term that is too large or not finite.
  SOLENOID_HD void add_unfit() { ++word[digits]; }

  /// Adds count 2^exponent; the exponent is at least -1074.
  SOLENOID_HD void add(std::int64_t count, int exponent) {
    const int place = exponent - lowest, shift = place % 32;
    std::int64_t* const at = word + place / 32;
    at[0] += static_cast<std::int64_t>(static_cast<std::uint64_t>(count) << shift & digit_bits);
    at[1] += static_cast<std::int64_t>(static_cast<std::uint64_t>(count >> (32 - shift)) & digit_bits);
    at[2] += count >> 32 >> (32 - shift);
  }

  SOLENOID_HD void add(const ExactSum& other) {
    for (int k = 0; k < words; ++k) word[k] += other.word[k];
  }

  /// The same number with digits of 0 to 2^32 - 1, the sign in the last one: ready for 2^31 more terms.
  SOLENOID_HD void carry() {
    std::int64_t carried = 0;
    for (int k = 0; k < digits - 1; ++k) {
      const std::int64_t value = word[k] + carried;
      word[k] = value & static_cast<std::int64_t>(digit_bits);
      carried = value >> 32;
    }
    word[digits - 1] += carried;
  }

  /// The nearest double; the even one in a tie.
  SOLENOID_HD double rounded() const {
    if (word[digits] > 0) return std::nan("");
    ExactSum size = *this;
    size.carry();
    const bool is_negative = size.word[digits - 1] < 0;
    if (is_negative) {
      for (int k = 0; k < digits; ++k) size.word[k] = -size.word[k];
      size.carry();
    }
    int top = digits - 1;
    while (top > 2 && size.word[top] == 0) --top;
    // 64 bits from the first set bit on; the last one is also set if any bit follows.
    auto leading = static_cast<std::uint64_t>(size.word[top]) << 32 | static_cast<std::uint64_t>(size.word[top - 1]);
    if (leading == 0) return 0;
    auto rest = static_cast<std::uint64_t>(size.word[top - 2]) << 32;
    int exponent = lowest + 32 * (top - 1);
    for (; leading >> 63 == 0; --exponent) {
      leading = leading << 1 | rest >> 63;
      rest <<= 1;
    }
    for (int k = 0; k < top - 2; ++k) rest |= static_cast<std::uint64_t>(size.word[k]);
    const double value = std::ldexp(static_cast<double>(leading | (rest != 0)), exponent);
    return is_negative ? -value : value;
  }

  // The bits of a double.
  static constexpr std::uint64_t fraction_bits = (std::uint64_t{1} << 52) - 1, digit_bits = 0xffffffffu;
  static constexpr int largest_exponent = 1019;  ///< of terms that fit
  SOLENOID_HD static std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  SOLENOID_HD static double double_of(std::uint64_t bits) {
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  SOLENOID_HD static int exponent_of(std::uint64_t bits) { return static_cast<int>(bits >> 52 & 0x7ff) - 1023; }
};

/// Splits a block of up to 2^11 doubles into counts of a grid, without error: chunk() is the nearest multiple of
/// 2^exponent, rest() the remainder, at most half of that (Rump, Ogita & Oishi 2008).
struct Splitter {
  int exponent;  ///< of the grid
  std::uint64_t bits;

  /// For terms below 2^(largest + 1) in magnitude.
  SOLENOID_HD static Splitter for_largest(int largest) { return on_grid(largest - 50); }
  /// For the remainders of this one.
  SOLENOID_HD Splitter next() const { return on_grid(exponent - 52); }

  SOLENOID_HD std::int64_t chunk(double value) const {
    return static_cast<std::int64_t>(ExactSum::bits_of(value + ExactSum::double_of(bits)) - bits);
  }
  SOLENOID_HD double rest(double value) const {
    const double splitter = ExactSum::double_of(bits);
    return value - ((value + splitter) - splitter);
  }

 private:
  SOLENOID_HD static Splitter on_grid(int exponent) {  // 1.5 2^(exponent + 52)
    const int grid = exponent > -1074 ? exponent : -1074;
    return {grid, (static_cast<std::uint64_t>(grid + 52 + 1023) << 52) | (std::uint64_t{1} << 51)};
  }
};

}  // namespace solenoid
