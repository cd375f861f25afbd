/// The cells that the outputs of a run show: all, those in a part of space, every n-th.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "model/place_of_points.hpp"

namespace solenoid {

struct ShownCells {
  std::optional<PlaceOfPoints> within;  ///< only cells with their centroids there
  int every = 1;                        ///< only cells whose global ids are multiples of this number

  bool are_all() const { return !within && every == 1; }
  bool has(std::int64_t global_id, const Vec3& centroid) const {
    return global_id % every == 0 && (!within || is_within(*within, centroid));
  }
};

/// The local cells that are shown, ascending, so that owned ones come first: of the whole mesh the same on any number
/// of ranks. Collective. Throws a collective Error (exit code 2) that begins with `what` and names the key if there is
/// none in the whole mesh.
std::vector<int> find_shown_cells(const LocalMesh& mesh, const ShownCells& shown, const std::string& what);

/// How many cells of the whole mesh are shown. Collective.
std::int64_t count_shown_cells(const LocalMesh& mesh, const ShownCells& shown);

}  // namespace solenoid
