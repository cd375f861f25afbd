/// Forecast of the number of cells that Gmsh will make.
#pragma once

namespace solenoid {

/// What meshing Gmsh's current model comes to.
struct MeshForecast {
  double cells = 0;  ///< at least, to within a factor of 2; 0: not known
  double bytes = 0;  ///< to mesh and to read them, about
};

/// Looks at the geometry that Gmsh holds, of `dimension` 2 or 3: its curves are divided with sizes that are much larger
/// than asked for, by a factor that is brought down until the divisions are resolved, and from sizes on the curves and
/// the areas and volumes between them the cells are counted, with the largest size on the curves around each; areas and
/// volumes only where they may come to more than `bytes_left`. Leaves no mesh; says nothing of a model that has one.
MeshForecast forecast_mesh(int dimension, double bytes_left);

/// The longest side of the box around Gmsh's current model.
double extent_of_model();

/// Bytes of memory that this process can still have: what the machine, its control group and its limits leave.
double memory_left();

}  // namespace solenoid
