/// The last output of an earlier run, read back in pieces: one per rank that wrote it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// A piece of a mesh with values at its points or in its cells: the cells of a rank, and as ghosts the adjacent cells
/// of others.
struct ResultPiece {
  int dimension = 2;           ///< 2: triangles, 3: tetrahedra
  std::vector<Vec3> points;    ///< [m]
  std::vector<int> cells;      ///< dimension + 1 indices into `points` per cell
  std::vector<char> is_ghost;  ///< per cell; empty: none is
  std::vector<real> values;    ///< `components` consecutive ones per point, or per cell, of the array read
  bool is_in_cells = false;    ///< the array read
  int corners() const { return dimension + 1; }
  int cell_count() const { return static_cast<int>(cells.size()) / corners(); }
};

/// Serial. Functions throw Error (exit code 2) that names a file and its fault.
class ResultOutput {
 public:
  virtual ~ResultOutput() = default;

  virtual double time() const = 0;  ///< [s]
  virtual int pieces() const = 0;
  /// Whether it shows some cells of its mesh only.
  virtual bool is_part() const { return false; }
  /// Whether there is such an array at the points or in the cells, of this many components each.
  virtual bool has(const std::string& name, int components) const = 0;
  /// Piece `index` with its array `name`, which has() confirmed; an empty name: without values.
  virtual ResultPiece piece(int index, const std::string& name, int components) const = 0;
  /// A number of the state that was written, by its name in a checkpoint; nullopt in other files.
  virtual std::optional<double> number(const std::string&) const { return std::nullopt; }
  /// Lines for the user about values that are not those of the run.
  virtual std::vector<std::string> remarks() const { return {}; }
};

/// The last output of the .pvd file, whose .pvtu lies in the same folder.
std::unique_ptr<ResultOutput> read_pvd_output(const std::filesystem::path& pvd);

/// The last output of the .vtkhdf file.
std::unique_ptr<ResultOutput> read_vtkhdf_output(const std::filesystem::path& file);

}  // namespace solenoid
