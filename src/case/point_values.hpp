/// Values at points of a boundary group, from a CSV file, as functions of place and time.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/case_table.hpp"
#include "model/point_interpolation.hpp"

namespace solenoid {

/// Linear between the points (PointInterpolation), and in time. Several threads may evaluate at once.
class PointValues {
 public:
  /// The columns x, y and, in space, z [m]; `time` or `t` [s] if there is one; and these values. Each time has the same
  /// points. Throws Error (bad input) with the fault.
  PointValues(const std::vector<TableColumn>& table, const std::vector<std::string>& values);

  /// result[i] = the value number `value` at points[i] [m] and `time` [s]. Throws Error (bad input) beyond the times.
  void evaluate(std::size_t value, std::span<const Vec3> points, double time, std::span<double> result) const;
  bool depends_on_time() const { return times_.size() > 1; }
  /// The first and the last time [s]; nullopt without times.
  std::optional<std::pair<double, double>> times() const;
  /// How many of these places lie beyond the points.
  std::int64_t count_beyond(std::span<const Vec3> places) const;
  /// All values of all times.
  const std::vector<double>& all() const { return values_; }

 private:
  struct LastPlaces {
    std::vector<Vec3> points;
    std::vector<PointInterpolation::Place> places;
    std::mutex one_at_a_time;
  };

  bool has_times_ = false;
  std::vector<double> times_;   // ascending; one without times
  std::size_t count_ = 0;       // of points
  std::vector<double> values_;  // by value, time and point
  std::unique_ptr<PointInterpolation> points_;
  std::unique_ptr<LastPlaces> last_;  // the same points come again, for each component and step
};

/// Such a file in a case.
struct PointValuesFile {
  std::vector<std::string> key;  ///< from the root of the case, as boundary, inlet, velocity
  std::filesystem::path file;
  std::string checksum;  ///< CRC-32 of the file's content, unpacked, as 8 hexadecimal digits
  std::shared_ptr<const PointValues> values;
};

}  // namespace solenoid
