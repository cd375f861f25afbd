#include "base/phases.hpp"

#include <cmath>
#include <cstdint>

#include "base/error.hpp"

namespace solenoid {

std::string duration_text(double seconds) {
  constexpr double longest = 1e15;  // above the range of whole seconds
  if (!(seconds < longest)) return "for ever";
  if (seconds < 9.95) return message("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return message("{} s", whole);
  if (whole < 3600) return message("{} min {:02} s", whole / 60, whole % 60);
  const std::int64_t minutes = (whole + 30) / 60, hours = (whole + 1800) / 3600;
  if (minutes < 24 * 60) return message("{} h {:02} min", minutes / 60, minutes % 60);
  return message("{} d {:02} h", hours / 24, hours % 24);
}

}  // namespace solenoid
