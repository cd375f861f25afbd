/// Quantities on the mesh and its boundary, for ParaView.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "mesh/local_mesh.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// Local cells, owned ones first, and their nodes.
struct MeshPiece {
  VtkPiece piece;
  std::vector<int> nodes;  ///< the local node of each point of the piece
  std::vector<int> cells;  ///< the local cell of each cell of the piece

  /// Of these local cells, ascending, or of all.
  MeshPiece(const LocalMesh& mesh, const std::optional<std::vector<int>>& shown);
};

/// A quantity on the boundary: a row of `components` reals per local node, or per face of mesh.boundary().
struct PatchArray {
  std::string name;
  int components = 1;
  std::vector<real> values;
};

/// All quantities on the boundary.
struct PatchQuantities {
  std::vector<PatchArray> at_nodes, at_faces;
};

/// The boundary groups of the whole mesh with these quantities, on rank 0; empty on other ranks. Faces and points
/// ascend in their global ids. Collective.
std::vector<VtkSurface> gather_patches(const LocalMesh& mesh, const PatchQuantities& quantities);

/// Writes `folder`/NAME/GROUP.vtp of these boundary groups, indices into mesh.part().patches or all of them, and
/// NAME.vtm, replacing those of an earlier output. Collective. Throws a collective Error (exit code 1) if a file cannot
/// be written.
void write_patches(const OutputFolder& folder, const std::string& name, const LocalMesh& mesh,
                   const PatchQuantities& quantities, const std::optional<std::vector<int>>& patches = {});

/// Location of a field series: FOLDER/NAME_<step> or FOLDER/NAME.vtkhdf, without FOLDER/ if `folder` is empty.
struct FieldSeries {
  FieldFormat format = FieldFormat::pvtu;
  std::optional<std::vector<int>> cells = {};  ///< the local cells shown, ascending; absent: all
  std::string folder = {}, name = {};
};

/// A series of node and cell values of the cells shown; if `folder` is empty, the whole patches with the boundary
/// values too.
class FieldSink : public Sink {
 public:
  FieldSink(const LocalMesh& mesh, std::vector<Quantity> quantities, FieldSeries where)
      : mesh_(mesh), quantities_(std::move(quantities)), where_(std::move(where)), shown_(mesh, where_.cells) {}

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
