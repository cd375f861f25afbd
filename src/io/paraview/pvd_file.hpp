/// The .pvd of a time series, the text file with the name and time of each output, for ParaView.
#pragma once

#include <string>
#include <vector>

#include "base/output_folder.hpp"

namespace solenoid {

/// How a file of VTK's XML formats begins: it holds a `type`.
std::string vtk_file_header(const std::string& type);

/// FOLDER/NAME.pvd, which names NAME_000123.EXTENSION for step 123. Serial: rank 0.
class PvdFile {
 public:
  /// Goes on with the steps that are named in the file that is there already (a restart), if one is: up to the moment
  /// that the run goes on from.
  PvdFile(OutputFolder folder, std::string name, std::string extension);

  std::string step_name(int step) const;  ///< NAME_000123
  /// Those that the file had beyond that moment, in step or in time.
  const std::vector<int>& left_behind() const { return left_behind_; }
  /// Forgets that step and later ones, of an earlier run.
  void drop_from(int step);
  void add(int step, double time);  ///< [s]
  /// Replaces the file. Throws Error (exit code 1).
  void write() const;

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
