/// Writer of ParaView files: time series as a .pvd of .pvtu of one .vtu a rank, boundary surfaces as a .vtm of one .vtp
/// a group.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/output_folder.hpp"
#include "base/real.hpp"
#include "base/vec3.hpp"
#include "io/paraview/pvd_file.hpp"

namespace solenoid {

/// A rank's piece of the mesh: its owned cells and their nodes, and as ghosts the adjacent cells of other ranks, so
/// that the border between two ranks is no surface. A piece may be empty.
struct VtkPiece {
  int dimension = 2;                    ///< 2: triangles, 3: tetrahedra
  std::vector<Vec3> points;             ///< [m]
  std::vector<std::int64_t> point_ids;  ///< number of each point in the whole mesh
  std::vector<int> point_ranks;         ///< the owner of each point, in a series
  std::vector<int> cells;               ///< dimension + 1 indices into `points` per cell
  std::vector<std::int64_t> cell_ids;   ///< number of each cell in the whole mesh
  std::vector<int> cell_ranks;          ///< the owner of each cell, in a series
  bool has_regions = false;             ///< the same on every rank: adds the array region
  std::vector<int> cell_region;         ///< with has_regions: volume group of each cell, -1: none
  std::int64_t cells_of_mesh = 0;       ///< the same on every rank: cells of the mesh that this shows a part of; 0: all
};

/// Values at the points or cells of a piece, `components` consecutive ones for each.
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<real> values;
};

/// The output times of a run, in any file format.
class OutputSeries {
 public:
  virtual ~OutputSeries() = default;

  /// Collective: writes a step at `time` [s]; later steps of an earlier run leave the series. Every rank passes arrays
  /// of the same names and components in the same order. Adds the arrays global_id (points and cells), rank (cells) and
  /// vtkGhostType (points and cells; 1: owned by another rank). Throws a collective Error (exit code 1) that names the
  /// path and the reason if a rank cannot write.
  virtual void write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
                     const std::vector<VtkArray>& cell_data) = 0;
};

class CompressedBlocks;

/// The output times of a run: `folder`/NAME.pvd names them all, NAME_000123.pvtu is step 123, and its pieces lie in the
/// folder NAME_000123/. At any moment the .pvd names complete steps only.
class VtkSeries : public OutputSeries {
 public:
  /// Collective. Continues an existing NAME.pvd (a restart).
  VtkSeries(const Comm& comm, OutputFolder folder, std::string name);

  /// As in OutputSeries; vtkGhostType on several ranks only.
  void write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
             const std::vector<VtkArray>& cell_data) override;

 private:
  std::string step_name(int step) const;
  std::string piece_name(int step, int rank) const;  ///< of the file, in the folder

  Comm comm_;
  OutputFolder folder_;
  std::string name_;
  std::optional<PvdFile> pvd_;                    ///< on rank 0
  std::shared_ptr<CompressedBlocks> compressed_;  ///< of the last output
};

/// Serial: writes a whole mesh and its values to the one file `file` (.vtu), with the arrays global_id. Throws Error
/// (exit code 1) that names the path and the reason.
void write_vtu(const std::filesystem::path& file, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
               const std::vector<VtkArray>& cell_data);

/// Serial: writes points, each a vertex with its number `id` and values, to the one file `file` (.vtp) of an output at
/// `time` [s]. Throws Error (exit code 1) that names the path and the reason.
void write_vtk_points(const std::filesystem::path& file, double time, const std::vector<Vec3>& points,
                      const std::vector<std::int64_t>& ids, const std::vector<VtkArray>& point_data);

/// Polygons, in 2D line segments.
struct VtkPolygons {
  int dimension = 3;                   ///< of the mesh
  std::vector<Vec3> points;            ///< [m]
  std::vector<int> corners;            ///< of the polygons, indices into `points`
  std::vector<int> begin{0};           ///< the first corner of each polygon, and the end of all
  std::vector<std::int64_t> cell_ids;  ///< number of the cell of each polygon in the whole mesh
};

/// Serial: writes polygons, with the number of their cell as cell_id, and values to the one file `file` (.vtp) of an
/// output at `time` [s]. Throws Error (exit code 1) that names the path and the reason.
void write_vtk_polygons(const std::filesystem::path& file, double time, const VtkPolygons& polygons,
                        const std::vector<VtkArray>& point_data, const std::vector<VtkArray>& cell_data);

/// A boundary group of the mesh.
struct VtkSurface {
  std::string name;                     ///< any text
  int patch = 0;                        ///< index in the groups of the mesh
  int dimension = 2;                    ///< of the mesh; 2: line segments, 3: triangles
  std::vector<Vec3> points;             ///< [m]
  std::vector<std::int64_t> point_ids;  ///< number of each point in the whole mesh
  std::vector<int> faces;               ///< `dimension` indices into `points` per face
  std::vector<std::int64_t> face_ids;   ///< number of each face in the whole mesh
  std::vector<std::int64_t> cell_ids;   ///< number of the cell inside
  std::vector<int> ranks;               ///< owner of each face
  std::vector<VtkArray> point_data, face_data;
};

/// Serial: writes each surface to `folder`/NAME/GROUP.vtp, with / and other characters that are awkward in file names
/// replaced by _, and `folder`/NAME.vtm with the original names. Arrays: global_id (points and faces), cell_id, rank
/// and patch. Throws Error (exit code 1) that names the path and the reason.
void write_vtk_surfaces(const OutputFolder& folder, const std::string& name, const std::vector<VtkSurface>& surfaces);

}  // namespace solenoid
