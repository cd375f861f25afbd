#include "case/point_values.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// The rows of each time, in the order of their points.
using RowsOfTimes = std::map<double, std::vector<std::size_t>>;

std::string named(const PointInSpace& x) { return message("({}, {}, {})", x[0], x[1], x[2]); }

/// Throws an Error that names the first row of a time without the points of the first time.
void require_same_points(const RowsOfTimes& rows, const std::vector<PointInSpace>& points) {
  const auto& [first_time, first] = *rows.begin();
  for (const auto& of_time : rows) {
    const double time = of_time.first;
    const std::vector<std::size_t>& of = of_time.second;
    for (std::size_t k = 0; k < std::max(of.size(), first.size()); ++k) {
      if (k < of.size() && k < first.size() && points[of[k]] == points[first[k]]) continue;
      const bool is_more = k >= first.size() || (k < of.size() && points[of[k]] < points[first[k]]);
      const std::size_t row = is_more ? of[k] : first[k];
      throw Error(ExitCode::bad_input,
                  message("row {}: the point {} has no row at {} = {}: each time has the same points", row + 1,
                          named(points[row]), "time", is_more ? first_time : time));
    }
  }
}

}  // namespace

PointValues::PointValues(const std::vector<TableColumn>& table, const std::vector<std::string>& values)
    : last_(std::make_unique<LastPlaces>()) {
  const std::vector<double>&x = finite_column(table, "x").values, &y = finite_column(table, "y").values;
  const bool is_in_space = column_of(table, "z") != nullptr;
  const std::vector<double>* const z = is_in_space ? &finite_column(table, "z").values : nullptr;
  std::vector<PointInSpace> points;
  for (std::size_t row = 0; row < x.size(); ++row) points.push_back({x[row], y[row], z ? (*z)[row] : 0});
  require_input(!points.empty(), [] { return "no rows below the header"; });

  const char* const name = column_of(table, "time") ? "time" : "t";
  has_times_ = column_of(table, name) != nullptr;
  const std::vector<double>* const time = has_times_ ? &finite_column(table, name).values : nullptr;
  RowsOfTimes rows;
  for (std::size_t row = 0; row < points.size(); ++row) rows[time ? (*time)[row] : 0].push_back(row);
  for (auto& of_time : rows) {
    std::stable_sort(of_time.second.begin(), of_time.second.end(),
                     [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    times_.push_back(of_time.first);
  }
  require_same_points(rows, points);
  count_ = rows.begin()->second.size();
  for (const std::string& value : values) {
    const std::vector<double>& column = finite_column(table, value).values;
    for (const auto& of_time : rows) {
      for (const std::size_t row : of_time.second) values_.push_back(column[row]);
    }
  }
  std::vector<PointInSpace> of_first_time;
  for (const std::size_t row : rows.begin()->second) of_first_time.push_back(points[row]);
  points_ = std::make_unique<PointInterpolation>(of_first_time, !is_in_space);
}

void PointValues::evaluate(std::size_t value, std::span<const Vec3> points, double time,
                           std::span<double> result) const {
  constexpr double round_off = 1e-9;  // of sums of steps
  const double slack = round_off * std::max(std::abs(times_.front()), std::abs(times_.back()));
  require_input(!has_times_ || (time >= times_.front() - slack && time <= times_.back() + slack), [&] {
    return message("values at points: t = {} s is beyond their times from {} to {} s", time, times_.front(),
                   times_.back());
  });
  const std::lock_guard lock(last_->one_at_a_time);
  const auto is_same = [](const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  if (!std::equal(points.begin(), points.end(), last_->points.begin(), last_->points.end(), is_same)) {
    last_->points.assign(points.begin(), points.end());
    last_->places.clear();
    for (const Vec3& x : points) last_->places.push_back(points_->place_of(x));
  }
  std::size_t before = 0;
  double share = 0;
  if (times_.size() > 1) {
    const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, time);
    before = static_cast<std::size_t>(after - times_.begin()) - 1;
    share = std::clamp((time - times_[before]) / (times_[before + 1] - times_[before]), 0.0, 1.0);
  }
  const auto at = [&](std::size_t moment, const PointInterpolation::Place& place) {
    const double* const of = values_.data() + (value * times_.size() + moment) * count_;
    const double first = of[place.points[0]];
    return first + place.shares[0] * (of[place.points[1]] - first) + place.shares[1] * (of[place.points[2]] - first);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointInterpolation::Place& place = last_->places[i];
    result[i] = at(before, place);
    if (times_.size() > 1) result[i] += share * (at(before + 1, place) - result[i]);
  }
}

std::optional<std::pair<double, double>> PointValues::times() const {
  if (!has_times_) return std::nullopt;
  return std::pair(times_.front(), times_.back());
}

std::int64_t PointValues::count_beyond(std::span<const Vec3> places) const {
  return std::count_if(places.begin(), places.end(), [&](const Vec3& x) { return points_->place_of(x).is_beyond; });
}

}  // namespace solenoid
