#include "physics/flow/zones/zone_cells.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/partial_sum.hpp"

namespace solenoid {

CellsOfZone cells_of_zone(const FlowZone& zone, const LocalMesh& mesh, const std::vector<std::string>& solids) {
  const MeshPart& part = mesh.part();
  CellsOfZone cells{cells_of(zone, {mesh.dimension(), mesh.geometry().cell_centre, part.cell_region, part.regions}), 0};
  const auto is_solid = [&](int region) {
    return region >= 0 && std::find(solids.begin(), solids.end(), part.regions[region]) != solids.end();
  };
  PartialSum volume;
  for (int c = 0; c < part.cells(); ++c) {
    if (!part.cell_region.empty() && is_solid(part.cell_region[c])) cells.marks[c] = 0;
    if (cells.marks[c] && c < mesh.owned<Cell>()) volume += mesh.geometry().cell_volume[c];
  }
  cells.volume = total(mesh.comm(), volume);
  require_on_all_ranks(
      cells.volume > 0,
      [&] {
        return message(
            "[zone.{}]: no cell of the mesh of the run has its centroid in the {}: enlarge it, or refine the mesh "
            "there",
            zone.name, zone.text_of_place(mesh.dimension()));
      },
      ExitCode::bad_input);
  return cells;
}

}  // namespace solenoid
