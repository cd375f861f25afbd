#include "io/foreign/su2_mesh.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/foreign/vtk_mesh.hpp"
#include "io/msh/msh_input.hpp"
#include "io/msh/msh_sections.hpp"

namespace solenoid {

namespace {

class Su2Reader {
 public:
  Su2Reader(const std::filesystem::path& file, const std::string& name) : in_(file, name), name_(name) {}
  FileMesh read();

 private:
  bool next_line();
  void next_record();
  std::int64_t count(std::string_view value, const char* items);
  void read_elements(std::int64_t count, int group);
  void read_points(std::int64_t count);
  void enter_key(std::string_view key, std::string_view value);
  void check_nodes() const;

  MshInput in_;
  const std::string name_;
  MshContents contents_;
  int dimension_ = 0, markers_ = 0;
  bool has_points_ = false, has_cells_ = false;
  std::int64_t next_element_ = 0;
};

/// The next line that is no comment.
bool Su2Reader::next_line() {
  while (in_.next_line()) {
    const std::string_view text = trimmed(in_.line());
    if (!text.empty() && text.front() != '%') return true;
  }
  return false;
}

void Su2Reader::next_record() {
  if (!next_line()) in_.fail("the file ends, expected another line: it was cut off; write it again");
}

std::int64_t Su2Reader::count(std::string_view value, const char* items) {
  const std::string_view number = value.substr(0, value.find_first_of(" \t"));  // NPOIN may have a second one
  std::int64_t found = -1;
  const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), found);
  if (code != std::errc() || stop != number.data() + number.size() || found < 0) {
    in_.fail(message("found `{}` for the number of {}, expected a whole number", excerpt(value), items));
  }
  in_.require_room(found, items, 4);
  return found;
}

void Su2Reader::read_elements(std::int64_t count, int group) {
  std::array<std::int64_t, most_corners> corners{};
  for (std::int64_t k = 0; k < count; ++k) {
    next_record();
    const int cell = in_.integer("the type of an element", 1);
    const std::optional<int> type = gmsh_type_of_vtk(cell);
    if (!type) in_.fail(message("found {} for the type of an element, expected one of VTK's linear cells", cell));
    const MshElementType of = element_type(in_, *type);
    for (int c = 0; c < of.nodes; ++c) {
      const std::int64_t node = in_.number("a point of an element");
      if (c < corners_of(of.shape)) corners[static_cast<std::size_t>(c)] = node;
    }
    append_element(contents_, group, next_element_++, of.shape, corners);
    ++contents_.elements[*type];
  }
}

void Su2Reader::read_points(std::int64_t count) {
  if (dimension_ == 0) in_.fail("NPOIN comes before NDIME, expected it behind");
  if (has_points_) in_.fail("a second NPOIN, expected one mesh in the file");
  has_points_ = true;
  for (std::int64_t k = 0; k < count; ++k) {
    next_record();
    contents_.records.node_ids.push_back(k);
    for (int axis = 0; axis < 3; ++axis) {
      contents_.records.positions.push_back(axis < dimension_ ? in_.real("a coordinate") : 0);
    }
  }
}

void Su2Reader::enter_key(std::string_view key, std::string_view value) {
  if (key == "NZONE" && value != "1") in_.fail(message("has {} zones, expected one mesh", excerpt(value)));
  if (key == "NDIME") {
    if (value != "2" && value != "3") in_.fail(message("found `{}` for NDIME, expected 2 or 3", excerpt(value)));
    dimension_ = value == "2" ? 2 : 3;
  } else if (key == "NELEM") {
    if (has_cells_) in_.fail("a second NELEM, expected one mesh in the file");
    has_cells_ = true;
    read_elements(count(value, "elements"), 0);
  } else if (key == "NPOIN") {
    read_points(count(value, "points"));
  } else if (key == "MARKER_TAG") {
    if (dimension_ == 0) in_.fail("MARKER_TAG comes before NDIME, expected it behind");
    const int group = ++markers_;
    contents_.records.names[{dimension_ - 1, group}] = value;
    contents_.records.groups[static_cast<std::size_t>(dimension_ - 1)][group] = {group};
  } else if (key == "MARKER_ELEMS") {
    if (markers_ == 0) in_.fail("MARKER_ELEMS comes before MARKER_TAG, expected it behind");
    read_elements(count(value, "elements"), markers_);
  }
}

void Su2Reader::check_nodes() const {
  const std::int64_t points = std::ssize(contents_.records.node_ids);
  for (const MshElements& elements : contents_.records.elements) {
    for (const std::int64_t node : elements.nodes) {
      require_input(node < points, [&] {
        return message("{}: an element has point {}, of which there are {} from 0 on; write the mesh again", name_,
                       node, points);
      });
    }
  }
}

FileMesh Su2Reader::read() {
  while (next_line()) {
    const std::string line(in_.line());
    const std::size_t sign = line.find('=');
    if (sign == std::string::npos) continue;
    const std::string_view text(line), value = text.substr(sign + 1);
    enter_key(trimmed(text.substr(0, sign)), trimmed(value.substr(0, value.find('%'))));
  }
  require_input(has_points_ && has_cells_, [&] {
    return message("{}: has no {}: the file was cut off, or is no SU2 mesh", name_, has_cells_ ? "NPOIN" : "NELEM");
  });
  require_cells(in_, contents_);
  check_nodes();
  return mesh_of_contents(std::move(contents_));
}

}  // namespace

FileMesh read_su2_mesh(const std::filesystem::path& file, const std::string& name) {
  return Su2Reader(file, name).read();
}

}  // namespace solenoid
