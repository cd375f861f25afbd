#include "physics/flow/reconstruct/stream_tree.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <variant>

namespace solenoid {

namespace {

constexpr real same = 1e-9;  // of places and directions in units of a face's length

/// Faces on planes of symmetry around each node where these are in line. A corner has no mirror, since images in two of
/// them need not fit together. `id`: of faces.
Csr<int> mirrors_at_nodes(const MeshPart& part, const FlowBoundaries& boundaries, const std::vector<std::int64_t>& id) {
  std::vector<int> faces;
  for (int f = 0; f < part.faces(); ++f) {
    const int patch = part.face_patch[f];
    if (patch >= 0 && std::holds_alternative<Symmetry>(boundaries.on(patch))) faces.push_back(f);
  }
  std::sort(faces.begin(), faces.end(), [&](int a, int b) { return id[a] < id[b]; });
  const Csr<int> around(part.nodes(), [&](const auto& visit) {
    for (const int f : faces) {
      for (const int n : part.face_nodes_of(f)) visit(n, f);
    }
  });
  const auto direction = [&](int f) {
    const std::span<const int> ends = part.face_points_of(f);
    const Vec3 along = part.points[ends[1]] - part.points[ends[0]];
    return along / norm(along);
  };
  const auto turns_at = [&](int node, int face) {
    return std::any_of(around[node].begin(), around[node].end(),
                       [&](int next) { return norm(cross(direction(face), direction(next))) > same; });
  };
  return Csr<int>(part.nodes(), [&](const auto& visit) {
    for (const int f : faces) {
      for (const int n : part.face_nodes_of(f)) {
        if (!turns_at(n, f)) visit(n, f);
      }
    }
  });
}

}  // namespace

StreamTree::StreamTree(const WideHaloMesh& wide, const FlowBoundaries& boundaries)
    : part_(wide.part),
      cells_of_(wide.cells_of),
      id_(wide.faces.numbering().global_id),
      mirrors_of_(mirrors_at_nodes(part_, boundaries, id_)),
      marks_{Marks(part_)} {}

StreamTree::Image StreamTree::reflection(int face) const {
  const std::span<const int> ends = part_.face_points_of(face);
  const Vec3 a = part_.points[ends[0]], along = part_.points[ends[1]] - a;
  const Vec3 t = along / norm(along);
  Image image{{2 * t.x * t.x - 1, 2 * t.x * t.y, 0}, {2 * t.x * t.y, 2 * t.y * t.y - 1, 0}, {}, -1};
  image.offset = a - image.of(a);
  return image;
}

/// Distance below which places are the same [m].
real StreamTree::reach_of_rounding(const Vec3& here) const {
  constexpr real of_coordinates = 1e-13;
  const std::span<const int> corners = part_.cell_points_of(cells_of_[node()][0]);
  return same * norm(part_.points[corners[1]] - part_.points[corners[0]]) + of_coordinates * norm(here);
}

int StreamTree::image_number(const Image& image) {
  const Vec3 here = part_.points[node()];
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const Image& known = images_[i];
    if (norm(known.row_x - image.row_x) + norm(known.row_y - image.row_y) < same &&
        norm(known.of(here) - image.of(here)) < reach_of_rounding(here)) {
      return static_cast<int>(i);
    }
  }
  images_.push_back(image);
  if (marks_.size() < images_.size()) marks_.emplace_back(part_);
  return static_cast<int>(images_.size()) - 1;
}

/// The image that shows x where `image` shows x + by.
int StreamTree::moved(int image, const Vec3& by) {
  if (by.x == 0 && by.y == 0) return image;
  Image further = images_[static_cast<std::size_t>(image)];
  further.offset = further.of(by);
  return image_number(further);
}

/// All images that show a node at the same place: several for a node on mirrors.
std::vector<int> StreamTree::images_at(const SeenNode& seen) {
  std::vector<int> numbers{seen.image};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const int f : mirrors_of_[seen.node]) {
      const Image mirror = reflection(f), image = images_[static_cast<std::size_t>(numbers[i])];
      Image both;
      const auto row = [&](const Vec3& of) {  // of the matrix product
        return Vec3{of.x * mirror.row_x.x + of.y * mirror.row_y.x, of.x * mirror.row_x.y + of.y * mirror.row_y.y, 0};
      };
      both.row_x = row(image.row_x);
      both.row_y = row(image.row_y);
      both.offset = image.of(mirror.offset);
      both.parity = -image.parity;
      const int number = image_number(both);
      if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
    }
  }
  return numbers;
}

/// Place of the node, -1 if it is not in the tree yet.
int StreamTree::place_of(const SeenNode& seen) const {
  const Marks& marks = marks_[static_cast<std::size_t>(seen.image)];
  if (marks.node[seen.node] == start_) return marks.place[seen.node];
  if (images_.size() == 1) return -1;
  const Vec3 here = this->seen(part_.points[seen.node], seen.image);  // several images show a node on a mirror here
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (nodes_[k].node == seen.node && norm(places_[k] - here) < reach_of_rounding(here)) return static_cast<int>(k);
  }
  return -1;
}

void StreamTree::add(const SeenNode& seen, const Step& step) {
  Marks& marks = marks_[static_cast<std::size_t>(seen.image)];
  marks.node[seen.node] = start_;
  marks.place[seen.node] = static_cast<int>(nodes_.size());
  nodes_.push_back(seen);
  places_.push_back(images_[static_cast<std::size_t>(seen.image)].of(part_.points[seen.node]));
  steps_.push_back(step);
}

void StreamTree::start(int node) {
  ++start_;
  images_ = {Image{}};
  nodes_.clear(), places_.clear(), steps_.clear(), faces_.clear();
  ringed_ = 0;
  add({node, 0}, {-1, -1, 0});
}

/// The node at an end of a face in `image`.
StreamTree::SeenNode StreamTree::end_of(int face, int image, std::size_t end) {
  const int node = part_.face_nodes_of(face)[end], point = part_.face_points_of(face)[end];
  return {node, point == node ? image : moved(image, part_.points[point] - part_.points[node])};
}

int StreamTree::end_at_node(const SeenFace& seen) {
  for (const int k : {0, 1}) {
    const SeenNode end = end_of(seen.face, seen.image, static_cast<std::size_t>(k));
    if (end.node == node() && end.image == 0) return k;
  }
  return -1;
}

void StreamTree::grow() {
  const std::size_t known = nodes_.size();
  for (; ringed_ < known; ++ringed_) {
    const SeenNode centre = nodes_[ringed_];
    for (const int of_node : images_at(centre)) {
      for (const int c : cells_of_[centre.node]) {
        const int of_cell = moved(of_node, part_.shift_to_node(c, centre.node));
        if (std::exchange(marks_[static_cast<std::size_t>(of_cell)].cell[c], start_) == start_) continue;
        for (const int f : part_.cell_faces_of(c)) {
          const int image = moved(of_cell, part_.shift_to_cell(f, c));
          if (std::exchange(marks_[static_cast<std::size_t>(image)].face[f], start_) != start_) {
            faces_.push_back({f, image});
          }
        }
      }
    }
  }
  std::sort(faces_.begin(), faces_.end(), [&](const SeenFace& a, const SeenFace& b) {
    return std::tuple(a.image, id_[a.face]) < std::tuple(b.image, id_[b.face]);
  });
  for (bool grows = true; grows;) {  // one layer of the tree at a time
    grows = false;
    const int reached = static_cast<int>(nodes_.size());
    for (const auto& [f, image] : faces_) {
      const std::array<SeenNode, 2> ends{end_of(f, image, 0), end_of(f, image, 1)};
      for (const std::size_t k : {0, 1}) {
        const int from = place_of(ends[k]);
        if (from < 0 || from >= reached || place_of(ends[1 - k]) >= 0) continue;
        const int parity = images_[static_cast<std::size_t>(image)].parity;
        add(ends[1 - k], {from, f, k == 0 ? parity : -parity});  // U = s_b - s_a
        grows = true;
      }
    }
  }
}

}  // namespace solenoid
