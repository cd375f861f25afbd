#include "case/depth_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "model/point_interpolation.hpp"

namespace solenoid {

namespace {

/// The words of a line, between blanks and commas.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view between = " \t\r,;";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(between); at != line.npos; at = line.find_first_not_of(between, at)) {
    const std::size_t end = std::min(line.find_first_of(between, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<double> number_in(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = fault == std::errc() && stop == word.data() + word.size() && std::isfinite(value);
  return is_number ? std::optional<double>(value) : std::nullopt;
}

double number_of(std::string_view word, int line) {
  const std::optional<double> value = number_in(word);
  require_input(value.has_value(),
                [&] { return message("line {}: found {}, expected a number", line, printable(word)); });
  return *value;
}

using DepthAt = std::function<double(const Vec3&)>;

/// An ESRI ASCII grid: values at the centres of square cells, the northernmost row first.
class EsriGrid {
 public:
  explicit EsriGrid(const std::string& content) {
    std::istringstream lines(content);
    std::string line;
    int number = 0;
    std::vector<std::string_view> words;
    while (std::getline(lines, line)) {
      ++number;
      words = words_of(line);
      if (words.empty()) continue;
      if (number_in(words.front())) break;
      read_header(words, number);
    }
    set_header();
    const std::size_t expected = columns_ * rows_;
    do {
      for (const std::string_view word : words_of(line)) {
        require_input(values_.size() < expected, [&] {
          return message("line {}: a value more than ncols times nrows, {} times {}", number, columns_, rows_);
        });
        values_.push_back(number_of(word, number));
      }
      ++number;
    } while (std::getline(lines, line));
    require_input(values_.size() == expected, [&] {
      return message("ends after {} values, expected ncols times nrows, {} times {}", values_.size(), columns_, rows_);
    });
  }

  /// Not a number where a centre around has no data, or beyond the cells.
  double operator()(const Vec3& at) const {
    constexpr double round_off = 1e-6;
    const double half = 0.5 + round_off, across = (at.x - low_.x) / size_, along = (at.y - low_.y) / size_;
    const auto last_column = static_cast<double>(columns_ - 1), last_row = static_cast<double>(rows_ - 1);
    if (!(across >= -half && across <= last_column + half && along >= -half && along <= last_row + half)) return none;
    const double x = std::clamp(across, 0.0, last_column), y = std::clamp(along, 0.0, last_row);
    const double column = std::min(std::floor(x), last_column - 1), row = std::min(std::floor(y), last_row - 1);
    double sum = 0;
    for (const int right : {0, 1}) {
      for (const int up : {0, 1}) {
        const double weight = (right ? x - column : 1 - (x - column)) * (up ? y - row : 1 - (y - row));
        const std::size_t from_north = rows_ - 1 - (static_cast<std::size_t>(row) + static_cast<std::size_t>(up));
        const double value =
            values_[from_north * columns_ + static_cast<std::size_t>(column) + static_cast<std::size_t>(right)];
        if (weight > 0) sum += weight * (value == no_data_ ? none : value);
      }
    }
    return sum;
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  void read_header(const std::vector<std::string_view>& words, int line) {
    static const std::vector<std::string> known{"ncols",     "nrows",     "xllcorner", "yllcorner",
                                                "xllcenter", "yllcenter", "cellsize",  "nodata_value"};
    std::string key(words.front());
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    require_input(std::find(known.begin(), known.end(), key) != known.end(), [&] {
      return message("line {}: found {}, expected a number, or one of {}", line, printable(words.front()),
                     joined(known, ", "));
    });
    require_input(words.size() == 2, [&] { return message("line {}: expected one value after {}", line, key); });
    header_[key] = number_of(words[1], line);
  }

  double headed(const std::string& key) const {
    const auto found = header_.find(key);
    require_input(found != header_.end(), [&] { return message("the header has no {}", key); });
    return found->second;
  }

  void set_header() {
    constexpr double most = 1e6;
    const auto count = [&](const std::string& key) {
      const double value = headed(key);
      require_input(value >= 2 && value <= most && value == std::floor(value),
                    [&] { return message("{} is {}, expected a whole number from 2 to {}", key, value, most); });
      return static_cast<std::size_t>(value);
    };
    columns_ = count("ncols"), rows_ = count("nrows");
    size_ = headed("cellsize");
    require_input(size_ > 0, [&] { return message("cellsize is {} m, expected more than 0", size_); });
    const auto centre = [&](const std::string& axis) {
      const bool at_centre = header_.contains(axis + "llcenter");
      return at_centre ? headed(axis + "llcenter") : headed(axis + "llcorner") + size_ / 2;
    };
    low_ = {centre("x"), centre("y")};
    if (header_.contains("nodata_value")) no_data_ = headed("nodata_value");
  }

  std::map<std::string, double> header_;
  std::size_t columns_ = 0, rows_ = 0;
  struct {
    double x, y;
  } low_{};  // the south-western centre
  double size_ = 0;
  double no_data_ = -9999;  // where the header has none, by ESRI's definition
  std::vector<double> values_;
};

/// Whether no point is off the line from the first to the farthest of it.
bool are_on_a_line(const std::vector<PointInSpace>& points) {
  constexpr double round_off = 1e-9;
  const auto& from = points.front();
  const auto distance = [&](const PointInSpace& x) { return std::hypot(x[0] - from[0], x[1] - from[1]); };
  const PointInSpace& to = *std::max_element(points.begin(), points.end(),
                                             [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const double length = distance(to);
  const double ahead[] = {(to[0] - from[0]) / length, (to[1] - from[1]) / length};
  return std::none_of(points.begin(), points.end(), [&](const PointInSpace& x) {
    return std::abs(ahead[0] * (x[1] - from[1]) - ahead[1] * (x[0] - from[0])) > round_off * length;
  });
}

/// Points with values: a line of x, y and z for each.
class Soundings {
 public:
  explicit Soundings(const std::string& content) {
    std::istringstream lines(content);
    std::string line;
    std::vector<PointInSpace> points;
    for (int number = 1; std::getline(lines, line); ++number) {
      const std::vector<std::string_view> words = words_of(std::string_view(line).substr(0, line.find('#')));
      if (words.empty()) continue;
      require_input(words.size() == 3, [&] {
        return message("line {}: found {} values, expected three: x, y and the depth", number, words.size());
      });
      points.push_back({number_of(words[0], number), number_of(words[1], number), 0});
      values_.push_back(number_of(words[2], number));
    }
    constexpr std::size_t least = 3;
    require_input(points.size() >= least,
                  [&] { return message("has {} points, expected three or more", points.size()); });
    require_input(!are_on_a_line(points), [] { return "has all points on one line, expected an area between them"; });
    points_ = std::make_unique<PointInterpolation>(points, false);
  }

  /// Not a number beyond the points.
  double operator()(const Vec3& at) const {
    const PointInterpolation::Place place = points_->place_of(at);
    if (place.is_beyond) return std::numeric_limits<double>::quiet_NaN();
    const auto value = [&](int corner) { return values_[static_cast<std::size_t>(place.points[corner])]; };
    return value(0) + place.shares[0] * (value(1) - value(0)) + place.shares[1] * (value(2) - value(0));
  }

 private:
  std::unique_ptr<PointInterpolation> points_;
  std::vector<double> values_;
};

/// The values of the file by its name.
DepthAt values_of(std::filesystem::path file, const std::string& content) {
  if (file.extension() == ".gz") file = file.stem();
  if (file.extension() == ".asc") {
    return [grid = std::make_shared<const EsriGrid>(content)](const Vec3& x) { return (*grid)(x); };
  }
  require_input(file.extension() == ".xyz", [] { return "is neither .asc, an ESRI grid, nor .xyz, soundings"; });
  return [points = std::make_shared<const Soundings>(content)](const Vec3& x) { return (*points)(x); };
}

}  // namespace

DepthFile::DepthFile(const CaseText& text, const std::string& name, std::optional<double> level) {
  depth_ = Coefficient<real>(
      [values = values_of(name, text.content), name, level](std::span<const Vec3> points, real, std::span<real> depth) {
        for (std::size_t i = 0; i < points.size(); ++i) {
          const double value = values(points[i]);
          require_input(std::isfinite(value), [&] {
            return message("`depth` in [waves]: {} has no value at ({:.6g}, {:.6g}), which is in the mesh", name,
                           points[i].x, points[i].y);
          });
          depth[i] = static_cast<real>(level ? *level - value : value);
        }
      },
      {true, false}, name);
}

}  // namespace solenoid
