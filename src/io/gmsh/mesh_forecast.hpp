/// Forecast of the number of cells that Gmsh will make.
#pragma once

namespace solenoid {

/// Expected size of the mesh of Gmsh's current model.
struct MeshForecast {
  double cells = 0;  ///< lower bound, to within a factor of 2; 0: unknown
  double bytes = 0;  ///< to mesh and to read the cells, approximately
};

/// Estimates the mesh of Gmsh's geometry, of `dimension` 2 or 3. Trial divisions of the curves use far larger sizes
/// than requested, by a factor that decreases until the divisions are resolved. The number of cells follows from the
/// sizes on the curves and the areas and volumes between them, with the largest size on the curves around each; areas
/// and volumes count only if they may exceed `bytes_left`. Leaves no mesh; returns zeros for a model that has one.
MeshForecast forecast_mesh(int dimension, double bytes_left);

/// Cells with such edges in a unit volume, in 2D a unit area, as in Gmsh's meshes.
double cells_per_volume(double edge, int dimension);

/// Memory to mesh and to read a cell, approximately.
double bytes_per_cell(int dimension);

/// The longest side of the bounding box of Gmsh's current model.
double extent_of_model();

}  // namespace solenoid
