/// Settings of a case besides the physics, one struct per table of the case file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"
#include "io/gmsh/part_settings.hpp"
#include "io/layers/wall_layers.hpp"
#include "io/msh/msh_mesh.hpp"
#include "model/plane_cut.hpp"
#include "model/plane_profile.hpp"
#include "model/shown_cells.hpp"

namespace solenoid {

constexpr int most_refinements = 10;

/// [mesh]
struct MeshSettings {
  std::filesystem::path file;  ///< relative to the working directory
  std::optional<double> size;  ///< target edge length for a .geo or a part, in its units
  LengthUnits scale = 1;       ///< of the file
  bool has_scale = false;      ///< else the default
  bool trust = false;          ///< a .geo may run programs and write files
  PartSettings part = {};      ///< of a part from a CAD system
  LayerSettings layers = {};   ///< along walls; lengths in units of the file
  bool distributed = false;    ///< no rank holds the whole mesh
  int refine = 0;              ///< how often each cell is divided after the mesh was shared out
};

/// Format of the field files: one .pvtu per output and one .vtu per rank, or a single .vtkhdf.
enum class FieldFormat { pvtu, vtkhdf };

/// [output]: at most one of every and every_steps is set; neither if only times are.
struct OutputSettings {
  std::vector<std::string> fields;  ///< field words of the physics
  FieldFormat format = FieldFormat::pvtu;
  ShownCells shown = {};        ///< in the files of fields and averages
  std::optional<double> every;  ///< simulated time between outputs [s]
  std::optional<int> every_steps;
  std::vector<double> times;  ///< further outputs [s], ascending, in (0, end]
};

/// [checkpoint]: each of the three intervals makes checkpoints due; at least one is set.
struct CheckpointSettings {
  std::optional<int> every_steps;
  std::optional<double> every;         ///< simulated time [s]
  std::optional<double> wall_minutes;  ///< wall-clock time
  int keep = 2;                        ///< number of checkpoints kept, the newest
};

/// [[probe]]
struct ProbeSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<Vec3> points;         ///< [m]; not empty
  std::vector<std::string> fields;  ///< point quantities of the physics; not empty
  int every_steps = 1;
  std::optional<double> spectrum_from = {};  ///< the spectra's first time [s]
};

/// [[line]]
struct LineSettings {
  std::string name;  ///< unique; usable as a file name
  Vec3 from, to;     ///< different points [m]
  int points = 101;  ///< including from and to

  /// Distance from `from` [m] at which the line has the `value` of a coordinate x, y or z; for "s" the value itself.
  /// nullopt if the coordinate is constant along the line, and for any other word.
  std::optional<double> distance_to(const std::string& coordinate, double value) const {
    const Vec3 way = to - from;
    if (coordinate == "s") return value;
    for (const auto& [axis, component] :
         {std::pair("x", &Vec3::x), std::pair("y", &Vec3::y), std::pair("z", &Vec3::z)}) {
      if (coordinate == axis && way.*component != 0) return (value - from.*component) / (way.*component) * norm(way);
    }
    return std::nullopt;
  }

  /// [[line.reference]]: reference values, shown with the profile.
  struct Reference {
    std::filesystem::path file;  ///< a table; first column: the coordinate x, y, z or s [m]
    std::string column;          ///< of the line
    std::string values;          ///< the matching column of `file`
  };
  std::vector<Reference> references;
};

/// [[integral]]
struct IntegralSettings {
  std::string name;                  ///< unique; usable as a file name
  std::vector<std::string> patches;  ///< of the case; not empty
  std::vector<std::string> fields;   ///< patch quantities of the physics; not empty
  int every_steps = 1;
};

/// [[section]]: a plane, or patches.
struct SectionSettings {
  std::string name;                     ///< unique; usable as a file name
  std::optional<Plane> plane;           ///< absent: `patches`
  std::optional<PlaceOfPoints> within;  ///< only cuts in this part of the plane
  std::vector<std::string> patches;     ///< of the case; empty with a plane
  std::vector<std::string> fields;      ///< field words of quantities with means, see has_section_mean()
  int every_steps = 1;
};

/// [[plane]]: fields on the cut of the mesh by a plane.
struct PlaneSettings {
  std::string name;  ///< unique; usable as a file name
  Plane plane;
  std::optional<PlaceOfPoints> within;  ///< only cuts in this part of the plane
  std::vector<std::string> fields;      ///< field words of quantities at nodes or in cells
  std::optional<int> every_steps;       ///< between outputs; absent: with [output]
};

/// [[isosurface]]: fields where another one has a value.
struct IsosurfaceSettings {
  std::string name;                 ///< unique; usable as a file name
  std::string field;                ///< field word of a quantity at nodes; a vector's magnitude
  std::vector<double> values;       ///< ascending, in its unit; not empty
  std::vector<std::string> fields;  ///< carried on the surface, as on a plane
  std::optional<int> every_steps;   ///< between outputs; absent: with [output]
};

/// [[average]]
struct AverageSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<std::string> fields;  ///< node or cell quantities of the physics; not empty without patches
  /// Boundary groups of the case: averages of the boundary quantities that `fields` selects. Empty: none.
  std::vector<std::string> patches;
  double from = 0;  ///< start of the average [s]
  bool variance = false;
  int every_steps = 1;  ///< between samples
};

/// [[profile]]
struct ProfileSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<std::string> fields;  ///< field words of node or cell quantities of the physics; not empty
  ProfilePlanes planes;
  double from = 0;  ///< start of the means over time [s]
  bool variance = false;
  int every_steps = 1;  ///< between samples
};

/// [[tracer]]
struct TracerSettings {
  std::string name;                        ///< unique; usable as a file name
  std::vector<Vec3> points;                ///< release points [m]; empty:
  std::optional<PlaceOfPoints> scattered;  ///< `count` points spread in this shape
  int count = 100;
  double start = 0;                ///< first release [s]
  std::optional<double> every;     ///< release interval; absent: a single release
  std::optional<double> last;      ///< time of the last release
  std::optional<int> every_steps;  ///< between outputs; absent: with [output]
};

/// [[table]]: a function for formulas.
struct FunctionTable {
  std::string name;
  std::filesystem::path file;
  std::string checksum;  ///< CRC-32 of the file's content, unpacked, as 8 hexadecimal digits
};

/// [[force]]
struct ForceSettings {
  /// Reference values of the force coefficients: forces are divided by rho U^2 A / 2.
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
