#include "io/msh/paired_division.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/msh/element_shapes.hpp"

namespace solenoid {

bool divide_alike(MshRecords& records, const MeshSource& mesh, const PatchPairs& pairs) {
  const DividedElements& divided = records.divided;
  if (divided.shapes.empty() || pairs.empty()) return false;
  const std::vector<int> joined = joined_points(mesh, pairs);
  if (has_faces_alike(mesh, pairs, joined)) return false;
  const std::vector<std::int64_t>& ids = mesh.point_ids;  // ascending
  // Numbers in the order of the joined points. No element reaches from one patch of a pair to the other in a mesh that
  // can be connected.
  const auto number_of = [&](std::int64_t node) {
    const auto place = std::lower_bound(ids.begin(), ids.end(), node) - ids.begin();
    return joined[static_cast<std::size_t>(place)] * std::ssize(ids) + place;
  };
  const auto node_of = [&](std::int64_t number) { return ids[static_cast<std::size_t>(number % std::ssize(ids))]; };
  std::vector<std::int64_t> corners, simplices;
  std::size_t first = 0;
  for (std::size_t element = 0; element < divided.shapes.size(); ++element) {
    const ElementShape shape = divided.shapes[element];
    const auto count = static_cast<std::size_t>(corners_of(shape));
    const std::span<const std::int64_t> nodes = std::span(divided.nodes).subspan(first, count);
    first += count;
    if (dimension_of(shape) < mesh.dimension - 1) continue;
    corners.clear(), simplices.clear();
    for (const std::int64_t node : nodes) corners.push_back(number_of(node));
    append_simplices(shape, corners, simplices);
    std::vector<std::int64_t>& of_dimension = records.elements[static_cast<std::size_t>(dimension_of(shape))].nodes;
    std::transform(simplices.begin(), simplices.end(),
                   of_dimension.begin() + static_cast<std::ptrdiff_t>(divided.places[element]), node_of);
  }
  return true;
}

}  // namespace solenoid
