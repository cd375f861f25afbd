#include "mesh/partition.hpp"

#include <metis.h>

#include <numeric>

#include "base/error.hpp"

namespace solenoid {

std::vector<int> partition_cells(const GlobalMesh& mesh, int parts) {
  const int cells = mesh.cells(), corners = mesh.corners();
  std::vector<int> owner(cells, 0);
  if (parts == 1) return owner;
  if (cells <= parts) {
    std::iota(owner.begin(), owner.end(), 0);
    return owner;
  }

  std::vector<idx_t> offset{0}, neighbours;
  offset.reserve(cells + 1);
  neighbours.reserve(mesh.cell_faces.size());
  for (int c = 0; c < cells; ++c) {
    for (int k = 0; k < corners; ++k) {
      const int f = mesh.cell_faces[c * corners + k];
      const int other = mesh.face_cells[2 * f] == c ? mesh.face_cells[2 * f + 1] : mesh.face_cells[2 * f];
      if (other >= 0) neighbours.push_back(other);
    }
    offset.push_back(static_cast<idx_t>(neighbours.size()));
  }

  idx_t vertices = cells, constraints = 1, part_count = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> part(cells);
  const int status = METIS_PartGraphKway(&vertices, &constraints, offset.data(), neighbours.data(), nullptr, nullptr,
                                         nullptr, &part_count, nullptr, nullptr, options, &cut, part.data());
  require(status == METIS_OK,
          [&] { return message("METIS could not divide {} cells into {} parts (status {})", cells, parts, status); });
  owner.assign(part.begin(), part.end());
  return owner;
}

}  // namespace solenoid
