/// The last output of a VTKHDF file.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/paraview/result_output.hpp"
#include "io/paraview/vtkhdf_file.hpp"

namespace solenoid {

namespace fs = std::filesystem;
using hdf5::Handle;

namespace {

class VtkHdfOutput : public ResultOutput {
 public:
  explicit VtkHdfOutput(const fs::path& path) : path_(path) {
    hdf5::be_silent();
    const Handle file = open();
    require_input(file.is_there() && lists_.read(file),
                  [&] { return message("{}: cannot be read: {}", path.string(), hdf5::reason()); });
    require_input(lists_.size() > 0, [&] { return message("{}: has no output", path.string()); });
  }

  double time() const override { return lists_.times.back(); }
  int pieces() const override { return static_cast<int>(lists_.parts.back()); }
  bool is_part() const override { return lists_.cells_of_mesh.back() > 0; }

  /// An array that only other outputs have is NaN in this one.
  bool has(const std::string& name, int components) const override {
    const Handle file = open();
    for (const bool in_cells : {false, true}) {
      const std::string whole = group_of(in_cells) + name;
      if (!is_there(file, in_cells, name)) continue;
      const Handle array(H5Dopen2(file, whole.c_str(), H5P_DEFAULT), H5Dclose);
      if (hdf5::count_rows(array).components != components) continue;
      const auto first =
          rows<real>(file, whole, (in_cells ? lists_.first_cell_row : lists_.first_point_row).back(), 1, components);
      if (!std::isnan(first.front())) return true;
    }
    return false;
  }

  ResultPiece piece(int index, const std::string& name, int components) const override {
    const auto first = static_cast<std::size_t>(lists_.first_part.back()),
               own = first + static_cast<std::size_t>(index);
    std::int64_t points = 0, cells = 0, corners = 0;
    for (std::size_t p = first; p < own; ++p) {
      points += lists_.points[p], cells += lists_.cells[p], corners += lists_.corners[p];
    }
    const Handle file = open();
    ResultPiece piece;
    if (lists_.corners[own] == 4 * lists_.cells[own]) piece.dimension = 3;
    require_input(lists_.corners[own] == piece.corners() * lists_.cells[own],
                  [&] { return message("{}: is broken: its cells are of several kinds", path_.string()); });
    const std::vector<real> x =
        rows<real>(file, "/VTKHDF/Points", lists_.first_point.back() + points, lists_.points[own], 3);
    for (std::size_t k = 0; k + 2 < x.size(); k += 3) piece.points.push_back({x[k], x[k + 1], x[k + 2]});
    for (const std::int64_t corner : rows<std::int64_t>(file, "/VTKHDF/Connectivity",
                                                        lists_.first_corner.back() + corners, lists_.corners[own], 1)) {
      require_input(corner >= 0 && corner < lists_.points[own],
                    [&] { return message("{}: is broken: a cell has the point {}", path_.string(), corner); });
      piece.cells.push_back(static_cast<int>(corner));
    }
    for (const std::uint8_t ghost : rows<std::uint8_t>(file, "/VTKHDF/CellData/vtkGhostType",
                                                       lists_.first_cell.back() + cells, lists_.cells[own], 1)) {
      piece.is_ghost.push_back(ghost != 0);
    }
    if (name.empty()) return piece;
    piece.is_in_cells = !is_there(file, false, name);
    piece.values = piece.is_in_cells ? rows<real>(file, group_of(true) + name, lists_.first_cell_row.back() + cells,
                                                  lists_.cells[own], components)
                                     : rows<real>(file, group_of(false) + name, lists_.first_point_row.back() + points,
                                                  lists_.points[own], components);
    return piece;
  }

 private:
  /// Closed after each use: the run may write a file of this name.
  Handle open() const { return vtkhdf::open_file(Comm(MPI_COMM_SELF), path_, H5F_ACC_RDONLY); }

  static std::string group_of(bool in_cells) { return in_cells ? "/VTKHDF/CellData/" : "/VTKHDF/PointData/"; }
  static bool is_there(hid_t file, bool in_cells, const std::string& name) {
    const Handle group(H5Gopen2(file, group_of(in_cells).c_str(), H5P_DEFAULT), H5Gclose);
    return group.is_there() && H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0;
  }

  /// `count` rows of an array from `first` on.
  template <class T>
  std::vector<T> rows(hid_t file, const std::string& name, std::int64_t first, std::int64_t count,
                      int components) const {
    const Handle array(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const hdf5::RowCount all = array.is_there() ? hdf5::count_rows(array) : hdf5::RowCount{};
    const bool fits =
        array.is_there() && all.components == components && first >= 0 && count >= 0 && count <= all.rows - first;
    std::vector<T> values(fits ? static_cast<std::size_t>(count * components) : 0);
    require_input(fits && hdf5::move_rows(array, hdf5::type_of<T>(), first, count, nullptr, values.data()),
                  [&] { return message("{}: is broken: {} cannot be read", path_.string(), name); });
    return values;
  }

  fs::path path_;
  VtkHdfLists lists_;
};

}  // namespace

std::unique_ptr<ResultOutput> read_vtkhdf_output(const fs::path& file) { return std::make_unique<VtkHdfOutput>(file); }

}  // namespace solenoid
