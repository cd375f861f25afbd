/// Lists of a VTKHDF file that change as a whole: its outputs, and the position of each in the arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid {

/// The file has two of them, in the groups /Solenoid/a and b, and the link /Solenoid/now says which one holds. A new
/// output goes into the other one; then the link is turned, in one write of a few bytes. Whatever kills the program,
/// and whenever, a reader finds the lists from before an output or those from after it. What VTK looks for leads there
/// by links: /VTKHDF/Steps, and the numbers of points, cells and corners of each part.
struct VtkHdfLists {
  // A value for each output:
  std::vector<std::int64_t> steps;                                  ///< numbers of the steps
  std::vector<double> times;                                        ///< [s]
  std::vector<std::int64_t> first_part, parts;                      ///< of its mesh, whose parts the ranks had
  std::vector<std::int64_t> first_point, first_cell, first_corner;  ///< of its mesh
  std::vector<std::int64_t> first_point_row, first_cell_row;        ///< of its values

  // A value for each part of each mesh:
  std::vector<std::int64_t> points, cells, corners, fingerprints;

  std::size_t size() const { return steps.size(); }
  /// One more, of which these are what each rank has of it and the fingerprint of that. True if its mesh is another one
  /// than that of the output before, or the first.
  struct Output {
    std::int64_t step;
    double time;  ///< [s]
    std::vector<std::int64_t> points, cells, corners, fingerprints;
  };
  bool add(const Output& output);
  /// Leaves the first `count` outputs, and the meshes they have.
  void cut(std::size_t count);

  // How far the arrays go that the outputs have.
  std::int64_t parts_end() const { return size() == 0 ? 0 : first_part.back() + parts.back(); }
  std::int64_t points_end() const { return end(first_point, points); }
  std::int64_t cells_end() const { return end(first_cell, cells); }
  std::int64_t corners_end() const { return end(first_corner, corners); }
  std::int64_t point_rows_end() const { return end(first_point_row, points); }
  std::int64_t cell_rows_end() const { return end(first_cell_row, cells); }

  /// Makes both groups without outputs, and the links to them from `root`, the group /VTKHDF. Collective.
  static bool make(hid_t file, hid_t root);
  /// Makes the array `name` of points or of cells known, whose values lie at first_point_row or first_cell_row.
  static bool name_array(hid_t file, bool of_points, const std::string& name);
  /// The arrays of points or of cells that are known.
  static std::vector<std::string> arrays(hid_t file, bool of_points);
  /// Puts them where they do not hold yet.
  bool put(hid_t file) const;
  /// Makes those hold that were put.
  static bool turn(hid_t file);
  /// Those that hold. False where they cannot be read or do not fit each other.
  bool read(hid_t file);

 private:
  bool are_consistent() const;
  std::int64_t end(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& count_of_parts) const;
};

}  // namespace solenoid
