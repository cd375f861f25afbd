#include "io/msh/paired_division.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/msh/element_shapes.hpp"

namespace solenoid {

namespace {

/// Numbers of nodes in the order of their joined points. No element reaches from one patch of a pair to the other in a
/// mesh that can be connected.
class JoinedNumbers {
 public:
  JoinedNumbers(const MeshSource& mesh, const std::vector<int>& joined)
      : ids_(mesh.point_ids), joined_(joined), is_on_pair_(joined.size(), 0) {
    for (std::size_t point = 0; point < joined.size(); ++point) {
      const auto lowest = static_cast<std::size_t>(joined[point]);
      if (lowest != point) is_on_pair_[point] = is_on_pair_[lowest] = 1;
    }
  }

  /// Sets `numbers` to those of the nodes. Returns whether one is on a pair, and all are points of the mesh: elements
  /// in no group may have others.
  bool find(std::span<const std::int64_t> nodes, std::vector<std::int64_t>& numbers) const {
    numbers.clear();
    bool is_on_pair = false;
    for (const std::int64_t node : nodes) {
      const auto found = std::lower_bound(ids_.begin(), ids_.end(), node);
      if (found == ids_.end() || *found != node) return false;
      const auto place = found - ids_.begin();
      is_on_pair = is_on_pair || is_on_pair_[static_cast<std::size_t>(place)] != 0;
      numbers.push_back(joined_[static_cast<std::size_t>(place)] * std::ssize(ids_) + place);
    }
    return is_on_pair;
  }
  std::int64_t node_of(std::int64_t number) const { return ids_[static_cast<std::size_t>(number % std::ssize(ids_))]; }

 private:
  const std::vector<std::int64_t>& ids_;  // ascending
  const std::vector<int>& joined_;
  std::vector<char> is_on_pair_;
};

}  // namespace

bool divide_alike(MshRecords& records, const MeshSource& mesh, const PatchPairs& pairs) {
  const DividedElements& divided = records.divided;
  if (divided.shapes.empty() || pairs.empty()) return false;
  const std::vector<int> joined = joined_points(mesh, pairs);
  if (!has_points_alike(mesh, pairs, joined) || has_faces_alike(mesh, pairs, joined)) return false;
  const JoinedNumbers numbers(mesh, joined);
  std::vector<std::int64_t> corners, simplices;
  std::size_t first = 0;
  for (std::size_t element = 0; element < divided.shapes.size(); ++element) {
    const ElementShape shape = divided.shapes[element];
    const auto count = static_cast<std::size_t>(corners_of(shape));
    const std::span<const std::int64_t> nodes = std::span(divided.nodes).subspan(first, count);
    first += count;
    if (!numbers.find(nodes, corners)) continue;
    simplices.clear();
    append_simplices(shape, corners, simplices);
    std::vector<std::int64_t>& of_dimension = records.elements[static_cast<std::size_t>(dimension_of(shape))].nodes;
    std::transform(simplices.begin(), simplices.end(),
                   of_dimension.begin() + static_cast<std::ptrdiff_t>(divided.places[element]),
                   [&](std::int64_t number) { return numbers.node_of(number); });
  }
  return true;
}

}  // namespace solenoid
