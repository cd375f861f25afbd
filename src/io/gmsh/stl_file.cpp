#include "io/gmsh/stl_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unordered_map>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

/// Corners one after the other, three a triangle.
struct LooseTriangles {
  std::vector<StlPoint> corners;
  std::vector<int> solid_of;
  std::vector<std::string> solids;
};

std::uint32_t number_at(const char* bytes) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k) number |= std::uint32_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  return number;
}

/// The count of triangles of a binary file; -1: it is none. Its length tells, since headers may begin with `solid`.
std::int64_t binary_count(std::ifstream& in, std::uintmax_t bytes) {
  std::array<char, header_bytes + 4> head{};
  in.read(head.data(), head.size());
  const bool is_long_enough = in.gcount() == static_cast<std::streamsize>(head.size());
  in.clear();
  const std::uint32_t count = is_long_enough ? number_at(head.data() + header_bytes) : 0;
  const bool fits = is_long_enough && bytes == head.size() + std::uintmax_t{count} * triangle_bytes;
  const bool is_text = std::string_view(head.data(), 5) == "solid";
  return fits || (is_long_enough && !is_text) ? std::int64_t{count} : -1;
}

LooseTriangles read_stl_binary(std::ifstream& in, std::int64_t count, std::uintmax_t bytes, const std::string& file) {
  const std::uintmax_t expected = header_bytes + 4 + static_cast<std::uintmax_t>(count) * triangle_bytes;
  require_input(bytes >= expected, [&] {
    return message(
        "{}: is not a text that begins with `solid`, and as a binary .stl of {} triangles it has {} bytes "
        "where {} are expected: it was cut off, or is no .stl",
        file, count, bytes, expected);
  });
  LooseTriangles loose;
  loose.solids = {""};
  loose.solid_of.assign(static_cast<std::size_t>(count), 0);
  std::array<char, triangle_bytes> record{};
  for (std::int64_t t = 0; t < count; ++t) {
    in.read(record.data(), record.size());
    for (std::size_t corner = 1; corner <= 3; ++corner) {  // the normal comes first
      StlPoint& point = loose.corners.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        point[k] = std::bit_cast<float>(number_at(record.data() + 12 * corner + 4 * k));
      }
    }
  }
  return loose;
}

/// `word` as one of the words of the format, in capital letters or not.
bool is_word(std::string word, const char* expected) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word == expected;
}

LooseTriangles read_stl_text(std::ifstream& in, const std::string& file) {
  LooseTriangles loose;
  std::string line;
  for (int row = 1; std::getline(in, line); ++row) {
    const std::string_view text = trimmed(line);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string word(text.substr(0, end));
    if (is_word(word, "solid")) {
      loose.solids.emplace_back(trimmed(text.substr(end)));
    } else if (is_word(word, "vertex")) {
      StlPoint& point = loose.corners.emplace_back();
      const std::string numbers(text.substr(end));
      const char* at = numbers.c_str();
      for (double& x : point) {
        char* next = nullptr;
        x = std::strtod(at, &next);
        require_input(next != at, [&] {
          return message("{}:{}: found `{}`, expected vertex and three numbers", file, row, printable(text));
        });
        at = next;
      }
    } else if (is_word(word, "endfacet")) {
      require_input(loose.corners.size() == 3 * (loose.solid_of.size() + 1) && !loose.solids.empty(), [&] {
        return message("{}:{}: ends a facet that has not three vertices, as the facets of an .stl do", file, row);
      });
      loose.solid_of.push_back(static_cast<int>(loose.solids.size()) - 1);
    }
  }
  require_input(loose.corners.size() == 3 * loose.solid_of.size(),
                [&] { return message("{}: ends within a facet: it was cut off", file); });
  return loose;
}

/// Gives corners closer than a tolerance the same place: those in the same or in neighbouring cells of a grid.
class Welding {
 public:
  Welding(const StlPoint& low, double tolerance) : low_(low), tolerance_(tolerance) {}

  int place_of(const StlPoint& point, std::vector<StlPoint>& points) {
    std::array<std::int64_t, 3> cell{};
    for (std::size_t k = 0; k < 3; ++k) cell[k] = std::llround((point[k] - low_[k]) / (2 * tolerance_));
    for (std::int64_t x = -1; x <= 1; ++x) {
      for (std::int64_t y = -1; y <= 1; ++y) {
        for (std::int64_t z = -1; z <= 1; ++z) {
          const auto [begin, end] = places_.equal_range(key_of({cell[0] + x, cell[1] + y, cell[2] + z}));
          for (auto found = begin; found != end; ++found) {
            if (is_near(points[static_cast<std::size_t>(found->second)], point)) return found->second;
          }
        }
      }
    }
    places_.emplace(key_of(cell), static_cast<int>(points.size()));
    points.push_back(point);
    return static_cast<int>(points.size()) - 1;
  }

 private:
  static std::uint64_t key_of(const std::array<std::int64_t, 3>& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t x : cell) key = (key ^ static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15ull;
    return key;
  }
  bool is_near(const StlPoint& a, const StlPoint& b) const {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) <= tolerance_;
  }

  StlPoint low_;
  double tolerance_;
  std::unordered_multimap<std::uint64_t, int> places_;
};

StlTriangles welded(const LooseTriangles& loose, const std::string& file) {
  StlTriangles surface;
  surface.solids = loose.solids;
  require_input(!loose.corners.empty(), [&] { return message("{}: has no triangle", file); });
  StlPoint low = loose.corners.front(), high = low;
  for (std::size_t n = 0; n < loose.corners.size(); ++n) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = loose.corners[n][k];
      constexpr double farthest = 1e30;
      require_input(std::abs(x) < farthest, [&] {
        return message("{}: triangle {} has the coordinate {}, expected numbers up to 1e30", file, n / 3 + 1, x);
      });
      low[k] = std::min(low[k], x), high[k] = std::max(high[k], x);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) surface.extent = std::max(surface.extent, high[k] - low[k]);
  require_input(surface.extent > 0, [&] { return message("{}: all its triangles are one point", file); });
  constexpr double same_point = 1e-6;
  Welding welding(low, same_point * surface.extent);
  for (std::size_t t = 0; t < loose.solid_of.size(); ++t) {
    std::array<int, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) triangle[k] = welding.place_of(loose.corners[3 * t + k], surface.points);
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    surface.triangles.push_back(triangle);
    surface.solid_of.push_back(loose.solid_of[t]);
  }
  require_input(!surface.triangles.empty(), [&] { return message("{}: no triangle of it has an area", file); });
  return surface;
}

}  // namespace

StlTriangles read_stl(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::ifstream in(path, std::ios::binary);
  std::error_code code;
  const std::uintmax_t bytes = std::filesystem::file_size(path, code);
  require_input(in.good() && !code, [&] { return message("{}: cannot be read: {}", file, std::strerror(errno)); });
  const std::int64_t count = binary_count(in, bytes);
  in.seekg(count < 0 ? 0 : header_bytes + 4);
  return welded(count < 0 ? read_stl_text(in, file) : read_stl_binary(in, count, bytes, file), file);
}

}  // namespace solenoid
