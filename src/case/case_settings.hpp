/// Settings of a case beside the physics, one struct a table of the case file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"
#include "model/seed_points.hpp"

namespace solenoid {

/// [mesh]
struct MeshSettings {
  std::filesystem::path file;  ///< found from where the program runs
  std::optional<double> size;  ///< target edge length for a .geo, in its units
  double scale = 1;            ///< length unit of the file [m]
  bool trust = false;          ///< a .geo may run programs and write files
};

/// Files for the fields: a .pvtu an output and a .vtu a rank, or one .vtkhdf.
enum class FieldFormat { pvtu, vtkhdf };

/// [output]: at most one of every and every_steps is given; neither where times alone are.
struct OutputSettings {
  std::vector<std::string> fields;  ///< words that the physics has
  FieldFormat format = FieldFormat::pvtu;
  std::optional<double> every;  ///< simulated time between outputs [s]
  std::optional<int> every_steps;
  std::vector<double> times;  ///< of further outputs [s], ascending, in (0, end]
};

/// [checkpoint]: each of the three says when one is due; one of them is there.
struct CheckpointSettings {
  std::optional<int> every_steps;
  std::optional<double> every;         ///< simulated time [s]
  std::optional<double> wall_minutes;  ///< of the clock on the wall
  int keep = 2;                        ///< the newest ones
};

/// [[probe]]
struct ProbeSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<Vec3> points;         ///< [m]; not empty
  std::vector<std::string> fields;  ///< words that the physics has at points; not empty
  int every_steps = 1;
};

/// [[line]]
struct LineSettings {
  std::string name;  ///< unique; usable as a file name
  Vec3 from, to;     ///< different points [m]
  int points = 101;  ///< from and to among them

  /// How far from `from` the line has that x, y or z, or s, which is how far; nothing where it does not change along
  /// the line, and for any other word [m].
  std::optional<double> distance_to(const std::string& coordinate, double value) const {
    const Vec3 way = to - from;
    if (coordinate == "s") return value;
    for (const auto& [axis, component] :
         {std::pair("x", &Vec3::x), std::pair("y", &Vec3::y), std::pair("z", &Vec3::z)}) {
      if (coordinate == axis && way.*component != 0) return (value - from.*component) / (way.*component) * norm(way);
    }
    return std::nullopt;
  }

  /// [[line.reference]]: values from elsewhere, shown beside the profile.
  struct Reference {
    std::filesystem::path file;  ///< a table whose first column is a place, x, y, z or s [m]
    std::string column;          ///< of the line
    std::string values;          ///< the column of `file` that belongs to it
  };
  std::vector<Reference> references;
};

/// [[integral]]
struct IntegralSettings {
  std::string name;                  ///< unique; usable as a file name
  std::vector<std::string> patches;  ///< of the case; not empty
  std::vector<std::string> fields;   ///< names of what the physics has on patches; not empty
  int every_steps = 1;
};

/// [[average]]
struct AverageSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<std::string> fields;  ///< words that the physics has at nodes or in cells; not empty
  double from = 0;                  ///< when it begins [s]
  bool variance = false;
  int every_steps = 1;  ///< between samples
};

/// [[tracer]]
struct TracerSettings {
  std::string name;                        ///< unique; usable as a file name
  std::vector<Vec3> points;                ///< where they are released [m]; empty:
  std::optional<PlaceOfPoints> scattered;  ///< at `count` points in it
  int count = 100;
  double start = 0;                ///< of the releases [s]
  std::optional<double> every;     ///< between them; absent: there is one
  std::optional<double> last;      ///< time up to which there are some
  std::optional<int> every_steps;  ///< between outputs; absent: with [output]
};

/// [[force]]
struct ForceSettings {
  /// What a force is divided by for its coefficients: rho U^2 A / 2.
  struct Reference {
    double velocity = 1, area = 1;  ///< [m/s], [m^2], in 2D a length [m]
  };
  std::string name;                  ///< unique; usable as a file name
  std::vector<std::string> patches;  ///< of the case; not empty
  double density = 1;                ///< [kg/m^3]
  std::optional<Vec3> moment_about;  ///< [m]
  std::optional<Reference> reference;
  Vec3 drag{1, 0, 0}, lift{0, 1, 0};  ///< directions
  int every_steps = 1;
};

}  // namespace solenoid
