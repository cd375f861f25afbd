/// The .pvd of a time series, the text file with the name and time of each output, for ParaView.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/output_folder.hpp"

namespace solenoid {

/// The beginning of a file in VTK's XML formats, for content of this `type`.
std::string vtk_file_header(const std::string& type);

/// The field array of an output that shows a part of its mesh: the number of cells of the mesh.
inline constexpr const char* cells_of_mesh_name = "CellsOfMesh";

/// FOLDER/NAME.pvd, which names NAME_000123.EXTENSION for step 123. Serial: rank 0.
class PvdFile {
 public:
  /// Continues an existing file (a restart): keeps its steps up to the moment of the restart.
  PvdFile(OutputFolder folder, std::string name, std::string extension);

  std::string step_name(int step) const;  ///< NAME_000123
  /// Steps of the file beyond that moment, in step or in time.
  const std::vector<int>& left_behind() const { return left_behind_; }
  /// Removes the entries from `step` on, of an earlier run.
  void drop_from(int step);
  void add(int step, double time);  ///< [s]
  /// Replaces the file. Throws Error (exit code 1).
  void write() const;
  /// Adds a step of one file, made by `make_file` at the given path, and replaces the .pvd; later steps leave the
  /// series. Throws Error (exit code 1).
  void write_step(int step, double time, const std::function<void(const std::filesystem::path&)>& make_file);

 private:
  struct Entry {
    int step;
    std::string time;
  };
  OutputFolder folder_;
  std::string name_, extension_;
  std::vector<Entry> entries_;
  std::vector<int> left_behind_;
};

}  // namespace solenoid
