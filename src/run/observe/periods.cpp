#include "run/observe/periods.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

void TimeSeries::add(double time, double value) {
  time_.push_back(time);
  value_.push_back(value);
}

std::size_t TimeSeries::first_from(double time) const {
  return static_cast<std::size_t>(std::lower_bound(time_.begin(), time_.end(), time) - time_.begin());
}

Range TimeSeries::range(double begin, double end) const {
  const std::size_t first = first_from(begin), behind = first_from(end);
  if (first >= behind) return {};
  Range found{value_[first], value_[first]};
  const auto take = [&](double value) {
    found.low = std::min(found.low, value);
    found.high = std::max(found.high, value);
  };
  for (std::size_t k = first; k < behind; ++k) {
    take(value_[k]);
    if (k == 0 || k + 1 >= value_.size()) continue;
    // A neighbour far nearer than the other gives no slope: steps that end at an output time may be that short.
    constexpr double too_near = 0.1;
    std::size_t a = k - 1, b = k + 1;
    while (a > 0 && time_[k] - time_[a] < too_near * (time_[b] - time_[k])) --a;
    while (b + 1 < value_.size() && time_[b] - time_[k] < too_near * (time_[k] - time_[a])) ++b;
    const double left = (value_[k] - value_[a]) / (time_[k] - time_[a]),
                 right = (value_[b] - value_[k]) / (time_[b] - time_[k]);
    if (left * right >= 0) continue;
    // The parabola has each side's slope at the middle of that side; its vertex is at slope 0 between them.
    const double from = (time_[a] + time_[k]) / 2, to = (time_[k] + time_[b]) / 2,
                 top = from + (to - from) * left / (left - right), bend = (right - left) / (to - from);
    take(value_[k] - bend / 2 * (time_[k] - top) * (time_[k] - top));
  }
  return found;
}

double TimeSeries::mean(double begin, double end) const {
  const std::size_t first = first_from(begin), behind = first_from(end);
  double sum = 0, length = 0;
  for (std::size_t k = first; k + 1 < behind; ++k) {
    const double step = time_[k + 1] - time_[k];
    sum += step * (value_[k] + value_[k + 1]) / 2;
    length += step;
  }
  return length > 0 ? sum / length : last();
}

std::optional<Periods> last_periods(const TimeSeries& series) {
  const std::vector<double>&time = series.times(), &value = series.values();
  if (time.size() < 8) return std::nullopt;
  const double begin = (time.front() + time.back()) / 2, end = time.back();
  const double middle = series.mean(begin, end);
  std::vector<double> crossings;
  for (std::size_t k = 1; k < time.size(); ++k) {
    const double before = value[k - 1] - middle, after = value[k] - middle;
    if (time[k - 1] < begin || before > 0 || after <= 0) continue;
    crossings.push_back(time[k - 1] + (time[k] - time[k - 1]) * before / (before - after));
  }
  if (crossings.size() < 3) return std::nullopt;
  const double halfway = crossings[crossings.size() / 2];
  const Range earlier = series.range(crossings.front(), halfway), later = series.range(halfway, crossings.back());
  constexpr double settled = 0.02;
  const double swing = later.high - later.low;
  if (std::abs(swing - (earlier.high - earlier.low)) > settled * swing) return std::nullopt;
  return Periods{crossings.front(), crossings.back(), static_cast<int>(crossings.size()) - 1};
}

}  // namespace solenoid
