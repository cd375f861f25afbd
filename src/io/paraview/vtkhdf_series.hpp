/// Writer of all output times of a run into one file for ParaView: VTKHDF 2.0, an UnstructuredGrid with steps.
#pragma once

#include <memory>

#include "io/paraview/vtk_writer.hpp"

namespace solenoid {

struct VtkHdfLists;

/// `folder`/NAME.vtkhdf. The mesh is written once, each rank's piece a part of it, and once more where a later run has
/// other ranks; arrays grow by their values at each output. At any moment the file can be opened, and has all of the
/// outputs that it names.
class VtkHdfSeries : public OutputSeries {
 public:
  /// Collective. Goes on with the outputs of the NAME.vtkhdf that is there already (a restart), if one is: up to the
  /// moment that the run goes on from. Throws a collective Error (exit code 1) where it cannot be read.
  VtkHdfSeries(const Comm& comm, OutputFolder folder, const std::string& name);
  ~VtkHdfSeries() override;

  /// As OutputSeries has it. What an array lacks, that some outputs have and others not, is NaN.
  void write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
             const std::vector<VtkArray>& cell_data) override;

 private:
  void take_up(const std::filesystem::path& file);

  Comm comm_;
  OutputFolder folder_;
  std::string file_name_;
  std::unique_ptr<VtkHdfLists> lists_;  ///< the same on every rank
};

/// Leaves in such a file the outputs up to `moment`, and no file where that is none; returns the steps of those beyond.
/// What is no such file stays as it is. Serial; throws Error (exit code 1).
std::vector<std::int64_t> cut_vtkhdf_series(const std::filesystem::path& file, const RunMoment& moment);

}  // namespace solenoid
