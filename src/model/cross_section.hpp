/// The flow through a section: a cut of the mesh by a plane, or patches; its flux, and means of quantities over it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/plane_cut.hpp"
#include "model/quantity.hpp"
#include "model/seed_points.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// The flow through a section at one time.
struct SectionFigures {
  real flux = 0;      ///< along the normal [m^3/s, in 2D m^2/s]
  real speed = 0;     ///< mean [m/s]
  real backflow = 0;  ///< share of the flow against the normal in all that passes; 0 if nothing passes
  struct Means {
    real by_area = 0, by_flux = 0;
  };
  std::vector<Means> means;  ///< one per quantity
};

/// Its geometry is made once, on the host. Refers to `mesh`, which outlives it. All functions are collective.
class CrossSection {
 public:
  /// The cut by a plane, or of it the cuts of cells with their centroids `within`. `solids`: volume groups without
  /// fluid. Throws a collective Error (exit code 2) that begins with `what` and names the key `plane` or `within` if
  /// there is no cut, or if a normal points out of a triangle mesh.
  CrossSection(const LocalMesh& mesh, const Plane& plane, const std::optional<PlaceOfPoints>& within,
               const std::vector<std::string>& solids, const std::string& what);
  /// The faces of the fluid on patches, indices into mesh.part().patches, with the normal out of the fluid. Throws a
  /// collective Error (exit code 2) that begins with `what` and names the key `patches` if there are none.
  CrossSection(const LocalMesh& mesh, const std::vector<int>& patches, const std::vector<std::string>& solids,
               const std::string& what);

  real area() const { return area_; }  ///< [m^2]; length [m] on triangle meshes

  /// `velocity`: in cells, halo included; exact for velocities that are constant in cells. Quantities of one component:
  /// at nodes, linear in between; on planes also in cells, linear around each by least squares; on patches also on
  /// boundary faces. Means by flux are those by area where the flux is less than 1e-9 of all that passes. Throws a
  /// collective Error for other quantities.
  SectionFigures figures(const Field<Cell, Vec3>& velocity, const std::vector<Quantity>& quantities) const;

 private:
  /// One face, or the cut of one cell.
  struct Piece {
    int cell, face = 0;  // local cell; index into mesh.boundary()
    Vec3 area;
    std::vector<int> nodes;
    std::vector<real> weights;
  };
  void set_pieces(const std::vector<Piece>& pieces);
  void set_fits(const std::vector<CutPiece>& cuts, const std::vector<char>& is_solid);

  struct SumsOver;

  const LocalMesh& mesh_;
  bool is_cut_;
  int nodes_of_piece_;
  real area_ = 0;
  DeviceArray<int> cell_, face_, node_;
  DeviceArray<Vec3> area_of_piece_;
  DeviceArray<real> weight_;         // of each node of a piece
  DeviceArray<int> begin_, around_;  // of a cut: cells of each piece's fit
  DeviceArray<real> change_;         // see CellFit
};

}  // namespace solenoid
