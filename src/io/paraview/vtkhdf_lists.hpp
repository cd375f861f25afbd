/// Lists of a VTKHDF file that change as a whole: its outputs, and the position of each in the arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid {

/// The file has two copies, in the groups /Solenoid/a and b, and the link /Solenoid/now names the active one. A new
/// output goes into the other copy; then the link is switched, in one write of a few bytes. If the program is killed at
/// any moment, a reader finds the lists from before an output or those from after it. VTK's own entries are links to
/// the active copy: /VTKHDF/Steps, and the numbers of points, cells and corners of each part.
struct VtkHdfLists {
  // A value for each output:
  std::vector<std::int64_t> steps;                                  ///< numbers of the steps
  std::vector<double> times;                                        ///< [s]
  std::vector<std::int64_t> first_part, parts;                      ///< parts of its mesh, one per rank
  std::vector<std::int64_t> first_point, first_cell, first_corner;  ///< of its mesh
  std::vector<std::int64_t> first_point_row, first_cell_row;        ///< of its values
  std::vector<std::int64_t> cells_of_mesh;                          ///< as in VtkPiece; 0 in files of older versions

  // A value for each part of each mesh:
  std::vector<std::int64_t> points, cells, corners, fingerprints;

  std::size_t size() const { return steps.size(); }
  /// Adds an output; the lists hold each rank's counts and fingerprint. True if its mesh differs from that of the
  /// output before, or is the first.
  struct Output {
    std::int64_t step;
    double time;  ///< [s]
    std::int64_t cells_of_mesh;
    std::vector<std::int64_t> points, cells, corners, fingerprints;
  };
  bool add(const Output& output);
  /// Keeps the first `count` outputs and their meshes.
  void cut(std::size_t count);

  // Ends of the outputs' data in the arrays.
  std::int64_t parts_end() const { return size() == 0 ? 0 : first_part.back() + parts.back(); }
  std::int64_t points_end() const { return end(first_point, points); }
  std::int64_t cells_end() const { return end(first_cell, cells); }
  std::int64_t corners_end() const { return end(first_corner, corners); }
  std::int64_t point_rows_end() const { return end(first_point_row, points); }
  std::int64_t cell_rows_end() const { return end(first_cell_row, cells); }

  /// Creates both groups without outputs, and the links to them from `root`, the group /VTKHDF. Collective.
  static bool make(hid_t file, hid_t root);
  /// Registers the array `name` of points or cells, whose values start at first_point_row or first_cell_row.
  static bool name_array(hid_t file, bool of_points, const std::string& name);
  /// The registered arrays of points or cells.
  static std::vector<std::string> arrays(hid_t file, bool of_points);
  /// Writes the lists to the inactive group.
  bool put(hid_t file) const;
  /// Activates the inactive group.
  static bool turn(hid_t file);
  /// Reads the active lists. False if they are unreadable or inconsistent.
  bool read(hid_t file);

 private:
  bool are_consistent() const;
  std::int64_t end(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& count_of_parts) const;
};

}  // namespace solenoid
