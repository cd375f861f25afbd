/// Quantities on the mesh and its boundary, for ParaView.
#pragma once

#include <memory>

#include "case/case_settings.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "run/observe/mesh_piece.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/patch_output.hpp"

namespace solenoid {

/// Location of a field series: FOLDER/NAME_<step> or FOLDER/NAME.vtkhdf, without FOLDER/ if `folder` is empty.
struct FieldSeries {
  FieldFormat format = FieldFormat::pvtu;
  std::string folder, name;
};

/// A series of node and cell values; if `folder` is empty, the patches with the boundary values too.
class FieldSink : public Sink {
 public:
  FieldSink(const LocalMesh& mesh, std::vector<Quantity> quantities, FieldSeries where)
      : mesh_(mesh), quantities_(std::move(quantities)), where_(std::move(where)), shown_(mesh) {}

  void open(const OutputFolder& folder) override;
  void write(int step, real time) override { write(step, time, quantities_); }
  std::vector<std::string> write_without_solves(int step, real time) override;

 private:
  void write(int step, real time, const std::vector<Quantity>& quantities);

  const LocalMesh& mesh_;
  std::vector<Quantity> quantities_;
  FieldSeries where_;
  MeshPiece shown_;
  OutputFolder folder_;
  std::unique_ptr<OutputSeries> series_;
};

}  // namespace solenoid
