#include "mesh/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "mesh/point_grid.hpp"

namespace solenoid {

namespace {

constexpr int nothing = PointGrid::nothing;

/// Faces and nodes of a patch.
struct PatchSide {
  std::vector<int> faces, nodes;
  Vec3 centre;        // mean of the nodes
  real shortest = 0;  // between two nodes of a face
};

PatchSide patch_side(const GlobalMesh& mesh, int patch) {
  PatchSide side;
  side.shortest = std::numeric_limits<real>::max();
  std::set<int> nodes;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] != patch) continue;
    side.faces.push_back(f);
    const std::span<const int> corners = mesh.face_nodes_of(f);
    for (const int n : corners) {
      nodes.insert(n);
      if (n != corners[0]) side.shortest = std::min(side.shortest, norm(mesh.points[n] - mesh.points[corners[0]]));
    }
  }
  side.nodes.assign(nodes.begin(), nodes.end());
  for (const int n : side.nodes) side.centre += mesh.points[n] / static_cast<real>(side.nodes.size());
  return side;
}

/// Sets components that are negligible next to the others to 0.
Vec3 without_round_off(const Vec3& x) {
  constexpr real share = 1e-9;
  const auto kept = [&](real value) { return std::abs(value) > share * norm(x) ? value : real{0}; };
  return {kept(x.x), kept(x.y), kept(x.z)};
}

class PairJoiner {
 public:
  PairJoiner(const std::string& file, GlobalMesh& mesh)
      : file_(file), mesh_(mesh), face_on_first_(mesh.faces(), nothing), ways_(mesh.nodes()) {}

  void match(const std::string& first, const std::string& second) {
    const int a = patch_number(first), b = patch_number(second);
    require_input(a != b && !is_taken(a) && !is_taken(b), [&] {
      return message(
          "{}: the periodic pair \"{}\", \"{}\" names a patch that is in a pair already: each patch is in one", file_,
          first, second);
    });
    patches_.insert(patches_.end(), {a, b});
    const PatchSide from = patch_side(mesh_, a), to = patch_side(mesh_, b);
    require_input(from.faces.size() == to.faces.size() && from.nodes.size() == to.nodes.size() && !to.faces.empty(),
                  [&] {
                    return message("{}: the periodic pair \"{}\", \"{}\" has {} and {} faces: {}", file_, first, second,
                                   from.faces.size(), to.faces.size(), way_out);
                  });
    const Vec3 translation = without_round_off(to.centre - from.centre);
    mesh_.pairs.push_back({first, second, translation});
    const PointGrid grid(mesh_.points, from.nodes, from.shortest);
    std::map<int, int> partner;
    for (const int n : to.nodes) {
      constexpr real tolerance = 1e-4;  // of the shortest distance on the patch
      constexpr real round_off = 64 * std::numeric_limits<real>::epsilon();
      const Vec3 there = mesh_.points[n] - translation;
      const int found = grid.nearest(there);
      const real reach = std::max(tolerance * from.shortest, round_off * norm(mesh_.points[n]));
      require_input(found != nothing && norm(mesh_.points[found] - there) <= reach, [&] {
        return message(
            "{}: the periodic pair \"{}\", \"{}\": the node {} of \"{}\" at {} is no node of \"{}\" moved by {}, the "
            "translation between their centres: {}",
            file_, first, second, mesh_.point_ids[n], second, text_of_place(mesh_.points[n]), first,
            text_of_place(translation), way_out);
      });
      partner[n] = found;
      add_way(n, found, -1);
      add_way(found, n, 1);
    }
    match_faces(from, to, partner, first, second);
  }

  void join() {
    find_places();
    number_nodes();
    number_faces();
    require_room();
    remove_patches();
  }

 private:
  static constexpr const char* way_out =
      "make the meshes of both patches alike (in a .geo: `Periodic Curve {2} = {4} Translate {1, 0, 0};`, and where it "
      "sweeps `Recombine`)";

  /// A step across a pair to the partner of a point: +1 from the first patch to the second.
  struct Way {
    int to, pair, turn;
  };
  struct Place {
    int own = nothing;       // the own point of the node
    std::vector<int> turns;  // empty if the point is on no pair
  };

  int patch_number(const std::string& name) const {
    const auto found = std::find(mesh_.patches.begin(), mesh_.patches.end(), name);
    require_input(found != mesh_.patches.end(), [&] {
      const auto near = nearest_name(name, mesh_.patches);
      return message(
          "{}: the periodic pair names \"{}\", and the mesh has no boundary group of this name{}; its groups: {}",
          file_, name, near ? " (did you mean \"" + *near + "\"?)" : "", name_list(mesh_.patches));
    });
    return static_cast<int>(found - mesh_.patches.begin());
  }
  bool is_taken(int patch) const { return std::find(patches_.begin(), patches_.end(), patch) != patches_.end(); }

  void add_way(int from, int to, int turn) {
    ways_[from].push_back({to, static_cast<int>(mesh_.pairs.size()) - 1, turn});
  }

  void match_faces(const PatchSide& from, const PatchSide& to, const std::map<int, int>& partner,
                   const std::string& first, const std::string& second) {
    std::map<std::vector<int>, int> at;
    for (const int f : from.faces) {
      const std::span<const int> nodes = mesh_.face_nodes_of(f);
      at[{nodes.begin(), nodes.end()}] = f;
    }
    for (const int f : to.faces) {
      std::vector<int> nodes;
      for (const int n : mesh_.face_nodes_of(f)) nodes.push_back(partner.at(n));
      std::sort(nodes.begin(), nodes.end());
      const auto found = at.find(nodes);
      require_input(found != at.end(), [&] {
        return message("{}: the periodic pair \"{}\", \"{}\": a face of \"{}\" at {} has no partner: {}", file_, first,
                       second, second, text_of_place(mesh_.points[mesh_.face_nodes_of(f)[0]]), way_out);
      });
      const Vec3 from_first = inward_at(found->second), from_second = inward_at(f);
      const Vec3 normal = normal_of(f);
      require_input(dot(from_first, normal) * dot(from_second, normal) < 0, [&] {
        return message(
            "{}: the periodic pair \"{}\", \"{}\": the mesh lies on the same side of both patches at {}: it must lie "
            "between them",
            file_, first, second, text_of_place(mesh_.points[mesh_.face_nodes_of(f)[0]]));
      });
      face_on_first_[f] = found->second;
    }
  }

  /// Vector from a boundary face to the opposite node of its cell.
  Vec3 inward_at(int face) const {
    const int cell = mesh_.face_cells_of(face)[0];
    const std::span<const int> faces = mesh_.cell_faces_of(cell);
    const auto corner = static_cast<std::size_t>(std::find(faces.begin(), faces.end(), face) - faces.begin());
    return mesh_.points[mesh_.cell_nodes_of(cell)[corner]] - mesh_.points[mesh_.face_nodes_of(face)[0]];
  }
  Vec3 normal_of(int face) const {
    const std::span<const int> v = mesh_.face_nodes_of(face);
    const Vec3 along = mesh_.points[v[1]] - mesh_.points[v[0]];
    return mesh_.dimension == 2 ? Vec3{along.y, -along.x, 0} : cross(along, mesh_.points[v[2]] - mesh_.points[v[0]]);
  }

  /// Computes for each point the own point of its node, from which no step leads back, and the periods across each
  /// pair.
  void find_places() {
    const std::size_t count = mesh_.pairs.size();
    places_.assign(ways_.size(), {});
    for (int seed = 0; seed < static_cast<int>(ways_.size()); ++seed) {
      const auto leads_back = [](const Way& way) { return way.turn < 0; };
      if (std::any_of(ways_[seed].begin(), ways_[seed].end(), leads_back)) continue;
      places_[seed].own = seed;
      if (ways_[seed].empty()) continue;
      places_[seed].turns.assign(count, 0);
      std::vector<int> reached{seed};
      for (std::size_t next = 0; next < reached.size(); ++next) {
        const int at = reached[next];
        for (const Way& way : ways_[at]) {
          std::vector<int> turns = places_[at].turns;
          turns[way.pair] += way.turn;
          Place& there = places_[way.to];
          if (there.own == nothing) {
            there = {seed, turns};
            reached.push_back(way.to);
          }
          require_agreement(there.own == seed && there.turns == turns, way.to);
        }
      }
    }
    for (std::size_t n = 0; n < places_.size(); ++n) require_agreement(places_[n].own != nothing, static_cast<int>(n));
  }

  void require_agreement(bool agrees, int point) const {
    require_input(agrees, [&] {
      return message(
          "{}: the periodic pairs lead to the node {} at {} by ways that do not agree: each pair must be a translation "
          "that is no sum of the others, from its first patch to its second in the same direction where pairs meet",
          file_, mesh_.point_ids[point], text_of_place(mesh_.points[point]));
    });
  }

  void number_nodes() {
    const auto before = static_cast<int>(places_.size());
    std::vector<int> number(before, nothing), order;
    for (const int point : mesh_.cell_nodes) {
      const int own = places_[point].own;
      if (number[own] != nothing) continue;
      number[own] = static_cast<int>(order.size());
      order.push_back(own);
    }
    const auto nodes = order.size();
    for (int point = 0; point < before; ++point) {
      if (places_[point].own == point) continue;
      number[point] = static_cast<int>(order.size());
      order.push_back(point);
    }
    std::vector<Vec3> points;
    std::vector<std::int64_t> ids;
    for (const int point : order) {
      const Place& place = places_[point];
      Vec3 x = mesh_.points[place.own];
      for (std::size_t k = 0; k < place.turns.size(); ++k) {
        x += static_cast<real>(place.turns[k]) * mesh_.pairs[k].translation;
      }
      points.push_back(x);
      ids.push_back(mesh_.point_ids[point]);
      if (points.size() <= nodes) continue;
      mesh_.copy_node.push_back(number[place.own]);
      mesh_.copy_turns.insert(mesh_.copy_turns.end(), place.turns.begin(), place.turns.end());
    }
    mesh_.points = std::move(points);
    mesh_.point_ids = std::move(ids);
    mesh_.cell_points = std::move(mesh_.cell_nodes);
    for (int& point : mesh_.cell_points) point = number[point];
    mesh_.cell_nodes = nodes_of(mesh_.cell_points);
    for (int& point : mesh_.face_nodes) point = number[point];
  }

  std::vector<int> nodes_of(std::vector<int> points) const {
    for (int& point : points) {
      if (point >= mesh_.nodes()) point = mesh_.copy_node[point - mesh_.nodes()];
    }
    return points;
  }

  void number_faces() {
    std::vector<int> number(face_on_first_.size(), nothing), order;
    for (int& face : mesh_.cell_faces) {
      const int own = face_on_first_[face] == nothing ? face : face_on_first_[face];
      if (number[own] == nothing) {
        number[own] = static_cast<int>(order.size());
        order.push_back(own);
      }
      face = own;
    }
    std::vector<int> on_second(face_on_first_.size(), nothing);  // partners of faces on first patches
    for (int f = 0; f < static_cast<int>(face_on_first_.size()); ++f) {
      if (face_on_first_[f] != nothing) on_second[face_on_first_[f]] = f;
    }
    std::vector<int> face_points, face_cells, face_patch, first_cell;
    for (const int f : order) {
      std::vector<int> points(mesh_.face_nodes_of(f).begin(), mesh_.face_nodes_of(f).end());
      const auto node = [&](int point) { return nodes_of({point})[0]; };
      std::sort(points.begin(), points.end(), [&](int a, int b) { return node(a) < node(b); });
      face_points.insert(face_points.end(), points.begin(), points.end());
      const int first = mesh_.face_cells_of(f)[0];
      const int other = on_second[f] == nothing ? mesh_.face_cells_of(f)[1] : mesh_.face_cells_of(on_second[f])[0];
      face_cells.insert(face_cells.end(), {other == nothing ? first : std::min(first, other),
                                           other == nothing ? nothing : std::max(first, other)});
      first_cell.push_back(face_cells[face_cells.size() - 2]);
      face_patch.push_back(on_second[f] == nothing ? mesh_.face_patch[f] : nothing);
    }
    mesh_.face_pair.assign(order.size(), 0);
    for (int& face : mesh_.cell_faces) face = number[face];
    for (const int f : order) {
      if (on_second[f] == nothing) continue;
      const int patch = mesh_.face_patch[f];
      const auto pair = static_cast<int>(std::find(patches_.begin(), patches_.end(), patch) - patches_.begin()) / 2;
      const int cell = mesh_.face_cells_of(on_second[f])[0];
      const std::span<const int> faces = mesh_.cell_faces_of(cell);
      const auto corner = static_cast<int>(std::find(faces.begin(), faces.end(), number[f]) - faces.begin());
      const int sign = mesh_.face_sign(cell, corner, [](int a, int b) { return a < b; });
      mesh_.face_pair[number[f]] = sign * (pair + 1);
    }
    mesh_.face_points = std::move(face_points);
    mesh_.face_nodes = nodes_of(mesh_.face_points);
    mesh_.face_cells = std::move(face_cells);
    mesh_.face_patch = std::move(face_patch);
    mesh_.face_first_cell = std::move(first_cell);
  }

  /// No cell may touch itself, or a neighbour twice: the nodes of each face differ, and no two faces have the same
  /// nodes.
  void require_room() const {
    std::vector<char> has_copy(mesh_.nodes(), 0);
    for (const int n : mesh_.copy_node) has_copy[n] = 1;
    std::set<std::vector<int>> met;  // faces with such nodes
    const auto require_new = [&](bool is_new, const Vec3& place) {
      require_input(is_new, [&] {
        return message(
            "{}: fewer than three cells lie between the patches of a periodic pair near {}: take a finer mesh, or a "
            "longer domain",
            file_, text_of_place(place));
      });
    };
    for (int f = 0; f < mesh_.faces(); ++f) {
      const std::span<const int> nodes = mesh_.face_nodes_of(f);
      const Vec3 place = mesh_.points[nodes[0]];
      require_new(std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end(), place);
      const bool may_repeat = std::any_of(nodes.begin(), nodes.end(), [&](int n) { return has_copy[n]; });
      if (may_repeat) require_new(met.insert({nodes.begin(), nodes.end()}).second, place);
    }
  }

  void remove_patches() {
    std::vector<int> number;
    std::vector<std::string> left;
    for (int p = 0; p < static_cast<int>(mesh_.patches.size()); ++p) {
      number.push_back(static_cast<int>(left.size()));
      if (!is_taken(p)) left.push_back(mesh_.patches[p]);
    }
    mesh_.patches = std::move(left);
    for (int& patch : mesh_.face_patch) {
      if (patch != nothing) patch = number[patch];
    }
  }

  const std::string& file_;
  GlobalMesh& mesh_;
  std::vector<int> patches_;            // of the pairs so far, two per pair
  std::vector<int> face_on_first_;      // partner of each face on a second patch
  std::vector<std::vector<Way>> ways_;  // from each point
  std::vector<Place> places_;
};

}  // namespace

void join_pairs(const std::string& file, const std::vector<std::pair<std::string, std::string>>& pairs,
                GlobalMesh& mesh) {
  PairJoiner joiner(file, mesh);
  for (const auto& [first, second] : pairs) joiner.match(first, second);
  joiner.join();
}

}  // namespace solenoid
