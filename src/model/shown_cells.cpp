#include "model/shown_cells.hpp"

#include "base/error.hpp"

namespace solenoid {

std::int64_t count_shown_cells(const LocalMesh& mesh, const ShownCells& shown) {
  const std::vector<std::int64_t>& id = mesh.part().cell_numbering.global_id;
  std::int64_t count = 0;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) count += shown.has(id[c], mesh.geometry().cell_centre[c]);
  return mesh.comm().sum(count);
}

std::vector<int> find_shown_cells(const LocalMesh& mesh, const ShownCells& shown, const std::string& what) {
  const std::vector<Vec3>& centroid = mesh.geometry().cell_centre;
  if (count_shown_cells(mesh, shown) == 0) {
    const std::int64_t within = count_shown_cells(mesh, {shown.within, 1});
    Box box;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) box.include(centroid[c]);
    const std::string extent = text_of_extent(mesh.comm(), box, mesh.dimension());
    const std::string fault =
        within == 0
            ? message("{}: `within`: the middle of no cell lies there; those of the mesh reach {}", what, extent)
            : message(
                  "{}: `every_cells`: of the {} cells that lie `within` none has a multiple of {} as its number: take "
                  "a smaller number",
                  what, within, shown.every);
    throw Error(ExitCode::bad_input, fault, true);
  }
  std::vector<int> cells;
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    if (shown.has(mesh.part().cell_numbering.global_id[c], centroid[c])) cells.push_back(c);
  }
  return cells;
}

}  // namespace solenoid
