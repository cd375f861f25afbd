#include "operators/assemble.hpp"

#include <algorithm>

#include "base/counts.hpp"

namespace solenoid {

SlotsInCells::SlotsInCells(const MeshPart& part, const CellTable& table, int owned)
    : slots_(owned, [&](const auto& visit) {
        for (int slot = 0; slot < static_cast<int>(table.entities.size()); ++slot) visit(table.entities[slot], slot);
      }) {
  // Local numbers of the rank's own cells ascend in the global ids; those of halo cells break the order.
  const auto& id = part.cell_numbering.global_id;
  for (int i = 0; i < owned; ++i) {
    const std::span<int> slots = slots_[i];
    std::sort(slots.begin(), slots.end(),
              [&](int a, int b) { return id[a / table.per_cell] < id[b / table.per_cell]; });
  }
}

CellsOfFaces::CellsOfFaces(const MeshPart& part) : cells_(part.faces(), {-1, -1}) {
  for (int slot = 0; slot < static_cast<int>(part.cell_faces.size()); ++slot) {
    auto& [first, second] = cells_[part.cell_faces[slot]];
    (first < 0 ? first : second) = slot / part.corners();
  }
}

void MatrixBuilder::end_row() {
  std::sort(row_.begin(), row_.end(),
            [&](const Coefficient& a, const Coefficient& b) { return id_[a.column] < id_[b.column]; });
  for (const Coefficient& c : row_) {
    rows_.column.push_back(c.column);
    rows_.value.push_back(c.value);
    place_[c.column] = absent;
  }
  rows_.offset.push_back(count_on_rank(std::ssize(rows_.column), "entries of a matrix"));
  row_.clear();
}

}  // namespace solenoid
