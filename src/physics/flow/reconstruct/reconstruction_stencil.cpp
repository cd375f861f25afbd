#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <variant>

namespace solenoid {

namespace {

constexpr real nearly_same = 1e-6;  // of directions, and of places in units of a cell's length

Vec3 normal_of(const MeshPart& part, int face) {
  const std::span<const int> p = part.face_points_of(face);
  const Vec3 side = part.points[p[1]] - part.points[p[0]];
  const Vec3 normal =
      part.dimension == 2 ? Vec3{side.y, -side.x, 0} : cross(side, part.points[p[2]] - part.points[p[0]]);
  return normal / norm(normal);
}

std::vector<char> marks_of_mirrors(const MeshPart& part, const FlowBoundaries& boundaries) {
  std::vector<char> marks;
  for (int patch = 0; patch < static_cast<int>(part.patches.size()); ++patch) {
    marks.push_back(std::holds_alternative<Symmetry>(boundaries.on(patch)));
  }
  return marks;
}

/// For each plane of symmetry at a node, the face of lowest `id`, if all planes are the same or at right angles.
Csr<int> mirrors_at_nodes(const MeshPart& part, const std::vector<char>& is_mirror,
                          const std::vector<std::int64_t>& id) {
  std::vector<int> faces;
  for (int f = 0; f < part.faces(); ++f) {
    if (part.face_patch[f] >= 0 && is_mirror[part.face_patch[f]]) faces.push_back(f);
  }
  std::sort(faces.begin(), faces.end(), [&](int a, int b) { return id[a] < id[b]; });
  std::vector<std::vector<std::pair<int, Vec3>>> planes(faces.empty() ? 0 : part.nodes());
  std::vector<char> is_aslant(planes.size(), 0);
  for (const int f : faces) {
    const Vec3 normal = normal_of(part, f);
    for (const int n : part.face_nodes_of(f)) {
      const auto is_same = [&](const auto& plane) { return norm(cross(plane.second, normal)) < nearly_same; };
      if (std::any_of(planes[n].begin(), planes[n].end(), is_same)) continue;
      for (const auto& plane : planes[n]) {
        if (std::abs(dot(plane.second, normal)) > nearly_same) is_aslant[n] = 1;
      }
      planes[n].emplace_back(f, normal);
    }
  }
  return Csr<int>(part.nodes(), [&](const auto& visit) {
    for (std::size_t n = 0; n < planes.size(); ++n) {
      for (const auto& plane : planes[n]) {
        if (!is_aslant[n]) visit(static_cast<int>(n), plane.first);
      }
    }
  });
}

/// x -> outer(inner(x)).
SeenImage product(const SeenImage& outer, const SeenImage& inner) {
  SeenImage both;
  for (int i = 0; i < 3; ++i) {
    const Vec3& row = outer.row[i];
    both.row[i] = row.x * inner.row[0] + row.y * inner.row[1] + row.z * inner.row[2];
  }
  both.offset = outer.of(inner.offset);
  both.mirrors = outer.mirrors != inner.mirrors;
  return both;
}

real difference_of_directions(const SeenImage& a, const SeenImage& b) {
  return norm(a.row[0] - b.row[0]) + norm(a.row[1] - b.row[1]) + norm(a.row[2] - b.row[2]);
}

}  // namespace

bool SeenImage::only_moves() const { return difference_of_directions(*this, SeenImage{}) < nearly_same; }

ReconstructionStencil::ReconstructionStencil(const WideHaloMesh& wide, const FlowBoundaries& boundaries)
    : part_(wide.part),
      cells_of_(wide.cells_of),
      id_(wide.faces.numbering().global_id),
      has_pairs_(!part_.pairs.empty()),
      is_mirror_(marks_of_mirrors(part_, boundaries)),
      mirrors_of_(mirrors_at_nodes(part_, is_mirror_, id_)) {
  images_.emplace_back();
}

void ReconstructionStencil::Found::clear() {
  ++round_;
  count_ = 0;
}

/// Its place, or the free one for it.
std::size_t ReconstructionStencil::Found::place_of(std::uint64_t key) const {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;  // Fibonacci hashing, Knuth 1973, 6.4
  std::size_t place = key * golden >> (64 - bits_);
  while (places_[place].round == round_ && places_[place].key != key) place = (place + 1) & (places_.size() - 1);
  return place;
}

bool ReconstructionStencil::Found::insert(Kind kind, const Seen& seen) {
  const std::uint64_t wanted = key(kind, seen);
  Place& place = places_[place_of(wanted)];
  if (place.round == round_) return false;
  place = {wanted, round_};
  if (2 * ++count_ > places_.size()) grow();
  return true;
}

void ReconstructionStencil::Found::grow() {
  ++bits_;
  const std::vector<Place> before = std::exchange(places_, std::vector<Place>(std::size_t{1} << bits_));
  for (const Place& place : before) {
    if (place.round == round_) places_[place_of(place.key)] = place;
  }
}

void ReconstructionStencil::start(int node) {
  found_.clear();
  node_ = node;
  images_.resize(1);
  outermost_.clear();
  faces_.clear();
  found_.insert(Kind::node, {node, 0});
  add_cells_of({node, 0});
}

void ReconstructionStencil::grow() {
  std::vector<Seen> ring;
  std::swap(ring, outermost_);
  for (const Seen& cell : ring) {
    const std::span<const int> nodes = part_.cell_nodes_of(cell.entity), points = part_.cell_points_of(cell.entity);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Seen node{nodes[k],
                      has_pairs_ ? moved(cell.image, part_.points[points[k]] - part_.points[nodes[k]]) : cell.image};
      if (found_.insert(Kind::node, node)) add_cells_of(node);
    }
  }
}

const std::vector<ReconstructionStencil::Place>& ReconstructionStencil::sorted_places() {
  const auto centre = [&](const Seen& face) {
    Vec3 sum;
    for (const int point : part_.face_points_of(face.entity)) sum += part_.points[point];
    return images_[face.image].of(sum / static_cast<real>(part_.dimension));
  };
  order_.clear();
  for (std::size_t i = 0; i < faces_.size(); ++i) order_.emplace_back(id_[faces_[i].entity], static_cast<int>(i));
  std::sort(order_.begin(), order_.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const Vec3 at_a = centre(faces_[a.second]), at_b = centre(faces_[b.second]);
    return std::tuple(at_a.x, at_a.y, at_a.z) < std::tuple(at_b.x, at_b.y, at_b.z);
  });
  places_.clear();
  for (const auto& [id, i] : order_) places_.push_back({faces_[i].entity, faces_[i].image, centre(faces_[i])});
  return places_;
}

std::vector<SeenFace> ReconstructionStencil::sorted_faces() {
  std::vector<SeenFace> sorted;
  sorted.reserve(faces_.size());
  for (const Place& place : sorted_places()) sorted.push_back({place.face, images_[place.image]});
  return sorted;
}

SeenImage ReconstructionStencil::reflection(int face) const {
  const Vec3 n = normal_of(part_, face), a = part_.points[part_.face_points_of(face)[0]];
  SeenImage image;
  image.row[0] -= 2 * n.x * n;
  image.row[1] -= 2 * n.y * n;
  image.row[2] -= 2 * n.z * n;
  image.offset = 2 * dot(n, a) * n;
  image.mirrors = true;
  return image;
}

/// Length of a cell at the node [m].
real ReconstructionStencil::length_at(int node) const {
  const std::span<const int> corners = part_.cell_points_of(cells_of_[node][0]);
  return norm(part_.points[corners[1]] - part_.points[corners[0]]);
}

/// Number of the image, images_.size() if it is new.
std::size_t ReconstructionStencil::find(const SeenImage& image, real nearly) const {
  const Vec3 here = part_.points[node_];
  std::size_t i = 0;
  while (i < images_.size() && (difference_of_directions(images_[i], image) > nearly_same ||
                                norm(images_[i].of(here) - image.of(here)) > nearly)) {
    ++i;
  }
  return i;
}

std::size_t ReconstructionStencil::number_of(const SeenImage& image, real nearly) {
  const std::size_t number = find(image, nearly);
  if (number == images_.size()) images_.push_back(image);
  return number;
}

/// The image that shows x where `image` shows x + by.
std::size_t ReconstructionStencil::moved(std::size_t image, const Vec3& by) {
  if (by.x == 0 && by.y == 0 && by.z == 0) return image;
  SeenImage further = images_[image];
  further.offset = further.of(by);
  return number_of(further, nearly_same * norm(by));  // a translation is many cells long
}

/// All images that show a node at the same place: several for a node on mirrors.
std::vector<std::size_t> ReconstructionStencil::images_at(const Seen& node) {
  std::vector<std::size_t> numbers{node.image};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (const int f : mirrors_of_[node.entity]) {
      const std::size_t number =
          number_of(product(images_[numbers[i]], reflection(f)), nearly_same * length_at(node.entity));
      if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
    }
  }
  return numbers;
}

/// A face on a plane of symmetry is its own mirror image.
bool ReconstructionStencil::is_seen_in_its_own_mirror(const Seen& face) const {
  if (!is_on_mirror(face.entity) || images_.size() == 1) return false;
  const real nearly = nearly_same * length_at(part_.face_nodes_of(face.entity)[0]);
  const std::size_t mirrored = find(product(images_[face.image], reflection(face.entity)), nearly);
  return mirrored < images_.size() && found_.contains(Kind::face, {face.entity, mirrored});
}

void ReconstructionStencil::add_cells_of(const Seen& node) {
  if (mirrors_of_[node.entity].empty()) return add_cells_in(node.image, node.entity);
  for (const std::size_t of_node : images_at(node)) add_cells_in(of_node, node.entity);
}

/// The cells at the node in one image.
void ReconstructionStencil::add_cells_in(std::size_t image, int node) {
  for (const int c : cells_of_[node]) {
    const Seen cell{c, has_pairs_ ? moved(image, part_.shift_to_node(c, node)) : image};
    if (!found_.insert(Kind::cell, cell)) continue;
    outermost_.push_back(cell);
    for (const int f : part_.cell_faces_of(c)) {
      const Seen face{f, has_pairs_ ? moved(cell.image, part_.shift_to_cell(f, c)) : cell.image};
      if (!found_.insert(Kind::face, face)) continue;
      if (!is_seen_in_its_own_mirror(face)) faces_.push_back(face);
    }
  }
}

}  // namespace solenoid
