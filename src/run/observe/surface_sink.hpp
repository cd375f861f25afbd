/// Quantities on planes and isosurfaces, for ParaView: [[plane]], [[isosurface]].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "io/paraview/pvd_file.hpp"
#include "model/cut_surface.hpp"
#include "model/model_setup.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// The cut of this plane. `setup`: the case. Collective. Throws a collective Error (exit code 2) with the case file,
/// the table and the key if there is none.
std::vector<CutPiece> find_plane(const ModelSetup& setup, const PlaneSettings& plane, const LocalMesh& mesh);

/// The quantity of this isosurface among `quantities`, of the model. Throws a collective Error (exit code 2) likewise
/// if the mesh has none.
Quantity find_level_quantity(const ModelSetup& setup, const IsosurfaceSettings& isosurface,
                             const std::vector<Quantity>& quantities);

/// A series FOLDER/NAME.pvd of surfaces FOLDER/NAME_000123.vtp, written by rank 0: values at nodes linear at the
/// points, values of cells in the polygons.
class SurfaceSink : public Sink {
 public:
  /// The cut of a plane, made once. `quantities`: those of the model, of which it keeps the fields in the settings.
  /// Keeps a reference to `mesh`. Collective; throws as find_plane does.
  SurfaceSink(const ModelSetup& setup, const PlaneSettings& plane, const LocalMesh& mesh,
              const std::vector<Quantity>& quantities);
  /// Levels of a quantity, found at each output, with their values as the cell array `level`. Throws as
  /// find_level_quantity does.
  SurfaceSink(const ModelSetup& setup, const IsosurfaceSettings& isosurface, const LocalMesh& mesh,
              const std::vector<Quantity>& quantities);

  void open(const OutputFolder& folder) override;
  void write(int step, real time) override { write(step, time, quantities_); }
  std::vector<std::string> write_without_solves(int step, real time) override;

 private:
  /// The present ones, one per value; none for a plane.
  std::vector<CutSurface> isosurfaces() const;
  void write(int step, real time, const std::vector<Quantity>& quantities);

  const LocalMesh& mesh_;
  std::string folder_, name_;
  std::vector<char> is_left_out_;  // by local cell
  std::vector<CutSurface> plane_;  // of a plane, one
  std::optional<Quantity> level_;  // of isosurfaces
  std::vector<double> values_;
  std::vector<Quantity> quantities_;
  std::optional<PvdFile> series_;  // on rank 0
};

}  // namespace solenoid
