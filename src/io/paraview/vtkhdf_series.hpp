/// Writer of all output times of a run into one file for ParaView: VTKHDF 2.0, an UnstructuredGrid with steps.
#pragma once

#include <memory>

#include "io/paraview/vtk_writer.hpp"

namespace solenoid {

struct VtkHdfLists;

/// `folder`/NAME.vtkhdf. The mesh is written once, each rank's piece as a part of it, and again if a later run has
/// other ranks; arrays grow with each output. At any moment the file can be opened, and holds all outputs that it
/// names.
class VtkHdfSeries : public OutputSeries {
 public:
  /// Collective. Continues an existing NAME.vtkhdf (a restart), up to the moment of the restart. Throws a collective
  /// Error (exit code 1) if it cannot be read.
  VtkHdfSeries(const Comm& comm, OutputFolder folder, const std::string& name);
  ~VtkHdfSeries() override;

  /// As in OutputSeries. An array that only some outputs have is NaN in the others.
  void write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
             const std::vector<VtkArray>& cell_data) override;

 private:
  void take_up(const std::filesystem::path& file);

  Comm comm_;
  OutputFolder folder_;
  std::string file_name_;
  std::unique_ptr<VtkHdfLists> lists_;  ///< the same on every rank
};

/// Keeps the outputs of such a file up to `moment`, and removes the file if there are none; returns the steps of the
/// others. Other files stay unchanged. Serial; throws Error (exit code 1).
std::vector<std::int64_t> cut_vtkhdf_series(const std::filesystem::path& file, const RunMoment& moment);

}  // namespace solenoid
