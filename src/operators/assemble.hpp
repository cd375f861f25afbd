/// Assembly of matrices on the host, row by row, from the contributions of cells.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/csr.hpp"
#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// The entities of one kind in each local cell, `per_cell` of them, in local numbers: one row of `entities` per cell.
struct CellTable {
  const std::vector<int>& entities;
  int per_cell;

  std::span<const int> of(int cell) const { return row_of(entities, cell, per_cell); }
};

/// Slots of the owned entities of one kind in a table of the cells: cell * per_cell + place.
class SlotsInCells {
 public:
  SlotsInCells(const MeshPart& part, const CellTable& table, int owned);

  /// The slots of an owned entity, ascending in the cells' global ids, so that sums over them do not depend on the
  /// partition.
  std::span<const int> operator[](int entity) const { return slots_[entity]; }

 private:
  Csr<int> slots_;
};

/// The one or two local cells of each local face.
class CellsOfFaces {
 public:
  explicit CellsOfFaces(const MeshPart& part);

  /// The other cell of `face`, across from `cell`; -1 if it is not in this part.
  int across(int face, int cell) const {
    const auto [a, b] = cells_[face];
    return a == cell ? b : a;
  }

 private:
  std::vector<std::array<int, 2>> cells_;
};

/// Builds a matrix row by row. Coefficients arrive in any order; those of one column are summed in that order.
class MatrixBuilder {
 public:
  /// `columns` must outlive the builder.
  explicit MatrixBuilder(const LocalNumbering& columns)
      : id_(columns.global_id), place_(columns.global_id.size(), absent) {}

  void add(int column, real value) {
    int& place = place_[column];
    if (place == absent) {
      place = static_cast<int>(row_.size());
      row_.push_back({column, value});
    } else {
      row_[place].value += value;
    }
  }
  /// Appends the current row, sorted by the columns' global ids.
  void end_row();
  MatrixRows take() { return std::move(rows_); }

 private:
  static constexpr int absent = -1;
  struct Coefficient {
    int column;
    real value;
  };
  const std::vector<std::int64_t>& id_;
  std::vector<int> place_;  // per column: its place in the current row
  std::vector<Coefficient> row_;
  MatrixRows rows_;
};

/// The matrix between values at L as a sum over cells. share(cell, i) returns the cell's share of the row of its entity
/// i, as a function of j, the place of the column's entity in the table.
template <class L, class Share>
MatrixRows assemble_from_cells(const LocalMesh& mesh, const CellTable& table, const Share& share) {
  const SlotsInCells slots(mesh.part(), table, mesh.owned<L>());
  MatrixBuilder matrix(mesh.numbering<L>());
  for (int entity = 0; entity < mesh.owned<L>(); ++entity) {
    for (const int slot : slots[entity]) {
      const int cell = slot / table.per_cell;
      const auto value = share(cell, slot % table.per_cell);
      for (int j = 0; j < table.per_cell; ++j) matrix.add(table.of(cell)[j], value(j));
    }
    matrix.end_row();
  }
  return matrix.take();
}

}  // namespace solenoid
