#include "physics/flow/solenoidal/breadth_first_forest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "mesh/host_exchange.hpp"
#include "operators/assemble.hpp"

namespace solenoid {

namespace {

constexpr int none = RankForest::none;
constexpr int far = std::numeric_limits<int>::max() - 1;  // no root known

class Builder {
 public:
  Builder(const LocalMesh& mesh, const FlowBoundaries& boundaries)
      : mesh_(mesh),
        cells_(mesh.part()),
        faces_(mesh.D.host()),
        face_id_(mesh.numbering<Face>().global_id),
        exchange_(mesh.comm(), mesh.numbering<Cell>()),
        owned_(mesh.owned<Cell>()),
        distance_(mesh.total<Cell>(), far),
        way_out_(owned_, none) {
    for (const BoundaryFace& b : mesh.boundary()) {
      if (b.cell >= owned_ || !boundaries.takes_the_rest(b.patch)) continue;
      int& way = way_out_[b.cell];
      if (way == none || face_id_[b.face] < face_id_[way]) way = b.face;
    }
  }

  RankForest build() {
    compute_distances();
    for (int c = 0; c < owned_; ++c) {
      if (distance_[c] > 0) way_out_[c] = way_closer(c);
    }
    cut_at_ranks();
    hang_up();
    return std::move(trees_);
  }

 private:
  int across(int c, int k) const { return cells_.across(faces_.index[k], c); }

  void compute_distances() {
    std::vector<int> open;
    for (int c = 0; c < owned_; ++c) {
      if (way_out_[c] == none) continue;
      distance_[c] = 0;
      open.push_back(c);
    }
    const std::vector<std::int64_t>& id = mesh_.numbering<Cell>().global_id;
    constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
    for (;;) {
      spread(open);
      const auto is_far = [&](int c) { return distance_[c] == far; };
      std::int64_t lowest = nobody;  // of the cells without a root so far
      for (int c = 0; c < owned_; ++c) {
        if (is_far(c)) lowest = std::min(lowest, id[c]);
      }
      lowest = mesh_.comm().min(lowest);
      if (lowest == nobody) return;
      for (int c = 0; c < owned_; ++c) {
        if (id[c] == lowest) distance_[c] = 0, open.push_back(c);
      }
    }
  }

  /// Spreads the reduced distances of the cells in `open` over all ranks until nothing changes.
  void spread(std::vector<int>& open) {
    const auto come_closer = [&](int c, int distance) {
      if (distance_[c] <= distance) return;
      distance_[c] = distance;
      open.push_back(c);
    };
    std::int64_t changes = 0;
    do {
      changes = static_cast<std::int64_t>(open.size());
      for (std::size_t next = 0; next < open.size(); ++next) {
        const int c = open[next];
        for (int k = faces_.offset[c]; k < faces_.offset[c + 1]; ++k) {
          const int other = across(c, k);
          if (other >= 0 && other < owned_) come_closer(other, distance_[c] + 1);
        }
      }
      open.clear();
      exchange_(distance_);
      for (int c = 0; c < owned_; ++c) {
        for (int k = faces_.offset[c]; k < faces_.offset[c + 1]; ++k) {
          const int other = across(c, k);
          if (other >= owned_ && distance_[other] < far) come_closer(c, distance_[other] + 1);
        }
      }
    } while (mesh_.comm().sum(changes + static_cast<std::int64_t>(open.size())) > 0);
  }

  /// Face of lowest global id to a closer neighbour, `none` if there is no closer neighbour.
  int way_closer(int c) const {
    int way = none;
    for (int k = faces_.offset[c]; k < faces_.offset[c + 1]; ++k) {
      const int f = faces_.index[k], other = across(c, k);
      if (other < 0 || distance_[other] != distance_[c] - 1) continue;
      if (way == none || face_id_[f] < face_id_[way]) way = f;
    }
    return way;
  }

  RankForest::Step step_from(int c) const {
    const int f = way_out_[c];
    if (f == none) return {c, none, none, 0, false};
    const int before = cells_.across(f, c);
    const int* const first = faces_.index.data() + faces_.offset[c];
    const int* const at = std::find(first, faces_.index.data() + faces_.offset[c + 1], f);
    const int sign = faces_.sign[static_cast<std::size_t>(at - faces_.index.data())];
    return {c, f, before >= 0 && before < owned_ ? before : none, sign, f < mesh_.owned<Face>()};
  }

  /// Steps and roots of the pieces within the own cells, and the tree of each cell.
  void cut_at_ranks() {
    std::vector<int> from_roots(owned_);
    std::iota(from_roots.begin(), from_roots.end(), 0);
    std::stable_sort(from_roots.begin(), from_roots.end(), [&](int a, int b) { return distance_[a] < distance_[b]; });
    tree_of_.assign(owned_, none);
    for (const int c : from_roots) {
      const RankForest::Step step = step_from(c);
      if (step.before == none) {
        tree_of_[c] = static_cast<int>(trees_.roots.size());
        trees_.roots.push_back(step);
      } else {
        tree_of_[c] = tree_of_[step.before];
        trees_.steps.push_back(step);
      }
    }
    const std::vector<std::int64_t> counts = mesh_.comm().gather(static_cast<std::int64_t>(trees_.roots.size()));
    trees_.first =
        static_cast<int>(std::accumulate(counts.begin(), counts.begin() + mesh_.comm().rank(), std::int64_t{0}));
    for (int& tree : tree_of_) tree += trees_.first;
  }

  void hang_up() {
    std::vector<int> tree_of = tree_of_;
    std::vector<std::int64_t> way_out;
    for (const int f : way_out_) way_out.push_back(f == none ? none : face_id_[f]);
    tree_of.resize(distance_.size(), none);
    way_out.resize(distance_.size(), none);
    exchange_(tree_of);
    exchange_(way_out);
    std::vector<int> own;
    for (const RankForest::Step& root : trees_.roots) {
      const int other = root.face == none ? none : cells_.across(root.face, root.cell);
      own.push_back(other == none ? none : tree_of[other]);
    }
    for (int c = 0; c < owned_; ++c) {
      for (int k = faces_.offset[c]; k < faces_.offset[c + 1]; ++k) {
        const int f = faces_.index[k], other = across(c, k);
        if (other < owned_ || distance_[other] != distance_[c] + 1 || way_out[other] != face_id_[f]) continue;
        const int sign = -faces_.sign[k];
        trees_.arrivals.push_back({tree_of[other], {none, f, c, sign, f < mesh_.owned<Face>()}});
      }
    }
    trees_.before = from_all_ranks(mesh_.comm(), own);
    std::vector<std::vector<int>> hanging(trees_.before.size());
    for (std::size_t tree = 0; tree < hanging.size(); ++tree) {
      const int before = trees_.before[tree];
      (before == none ? trees_.from_roots : hanging[before]).push_back(static_cast<int>(tree));
    }
    for (std::size_t next = 0; next < trees_.from_roots.size(); ++next) {
      const std::vector<int>& here = hanging[trees_.from_roots[next]];
      trees_.from_roots.insert(trees_.from_roots.end(), here.begin(), here.end());
    }
  }

  const LocalMesh& mesh_;
  CellsOfFaces cells_;
  const IncidenceRows& faces_;
  const std::vector<std::int64_t>& face_id_;
  HostExchange exchange_;
  int owned_;
  std::vector<int> distance_;  // in faces, to the root
  std::vector<int> way_out_;   // per owned cell, the face towards its parent
  std::vector<int> tree_of_;   // per owned cell
  RankForest trees_;
};

}  // namespace

RankForest breadth_first_forest(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  return Builder(mesh, boundaries).build();
}

}  // namespace solenoid
