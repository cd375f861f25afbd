#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/partial_sum.hpp"
#include "mesh/disjoint_sets.hpp"
#include "mesh/host_exchange.hpp"
#include "operators/assemble.hpp"
#include "physics/flow/solenoidal/breadth_first_forest.hpp"

namespace solenoid {

namespace {

/// A face between two trees, or RankForest::none for the outside.
struct Link {
  int from, to;
  std::int64_t face;  // global id
};

}  // namespace

SpanningTreeProjection::SpanningTreeProjection(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                                               const MemoryOf& /*scope*/)
    : mesh_(mesh) {
  RankForest forest;
  hang_up(boundaries, label_cells(forest), forest);
  if (sums_are_exact()) {
    forest = breadth_first_forest(mesh, boundaries);
  } else {
    grow(forest);
  }
  balance_.emplace(mesh, forest);
}

/// The tree of each local cell, numbered over all ranks: own cells connected by inner faces are one tree.
std::vector<int> SpanningTreeProjection::label_cells(RankForest& forest) const {
  const int owned = mesh_.owned<Cell>();
  const CellsOfFaces cells(mesh_.part());
  const IncidenceRows& faces = mesh_.D.host();
  std::vector<int> label(mesh_.total<Cell>(), none);
  int own_trees = 0;
  for (int seed = 0; seed < owned; ++seed) {
    if (label[seed] != none) continue;
    label[seed] = own_trees;
    for (std::vector<int> open{seed}; !open.empty();) {
      const int c = open.back();
      open.pop_back();
      for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
        const int other = cells.across(faces.index[k], c);
        if (other < 0 || other >= owned || label[other] != none) continue;
        label[other] = own_trees;
        open.push_back(other);
      }
    }
    ++own_trees;
  }
  const std::vector<std::int64_t> trees = mesh_.comm().gather(own_trees);
  forest.first = static_cast<int>(std::accumulate(trees.begin(), trees.begin() + mesh_.comm().rank(), std::int64_t{0}));
  forest.before.assign(static_cast<std::size_t>(std::accumulate(trees.begin(), trees.end(), std::int64_t{0})), none);
  forest.roots.assign(own_trees, {none, none, none, 0, false});
  for (int c = 0; c < owned; ++c) label[c] += forest.first;
  HostExchange(mesh_.comm(), mesh_.numbering<Cell>())(label);
  return label;
}

/// Connects the trees breadth-first from the outside, the same on every rank, and sets the faces of their roots.
void SpanningTreeProjection::hang_up(const FlowBoundaries& boundaries, const std::vector<int>& tree_of,
                                     RankForest& forest) {
  const int owned = mesh_.owned<Cell>();
  const CellsOfFaces cells(mesh_.part());
  const IncidenceRows& faces = mesh_.D.host();
  const std::vector<std::int64_t>& id = mesh_.numbering<Face>().global_id;
  std::map<std::pair<int, int>, std::int64_t> lowest;  // face of lowest id between two trees, from the own one's side
  const auto meet = [&](int from, int to, int face) {
    const auto [found, is_new] = lowest.try_emplace({from, to}, id[face]);
    if (!is_new) found->second = std::min(found->second, id[face]);
  };
  for (int c = 0; c < owned; ++c) {
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int other = cells.across(faces.index[k], c);
      if (other >= owned) meet(tree_of[c], tree_of[other], faces.index[k]);
    }
  }
  for (const BoundaryFace& b : mesh_.boundary()) {
    if (b.cell < owned && boundaries.takes_the_rest(b.patch)) meet(tree_of[b.cell], none, b.face);
  }
  std::vector<Link> own;
  for (const auto& [trees, face] : lowest) own.push_back({trees.first, trees.second, face});
  const std::vector<Link> links = from_all_ranks(mesh_.comm(), own);

  std::vector<std::vector<Link>> links_of(forest.before.size());
  std::vector<std::int64_t> way_out(forest.before.size(), none);
  std::vector<char> is_hung(forest.before.size(), 0);
  for (const Link& link : links) {
    links_of[link.from].push_back(link);
    if (link.to != none) continue;
    way_out[link.from] = link.face;
    is_hung[link.from] = 1;
    forest.from_roots.push_back(link.from);
  }
  DisjointSets joined(static_cast<int>(forest.before.size()));
  for (const Link& link : links) {
    if (link.to != none) joined.join(link.from, link.to);
  }
  std::vector<int> part_of_tree;
  for (int tree = 0; tree < static_cast<int>(forest.before.size()); ++tree) {
    const int first = joined.lowest(tree);
    part_of_tree.push_back(first == tree ? parts() : part_of_tree[first]);
    if (first == tree) part_is_closed_.push_back(1);
    if (is_hung[tree]) part_is_closed_[part_of_tree[tree]] = 0;
  }
  for (int c = 0; c < owned; ++c) part_of_cell_.push_back(part_of_tree[tree_of[c]]);

  std::size_t next = 0;
  for (std::size_t seed = 0; seed <= forest.before.size(); ++seed) {
    for (; next < forest.from_roots.size(); ++next) {
      for (const Link& link : links_of[forest.from_roots[next]]) {
        if (link.to == none || is_hung[link.to]) continue;
        is_hung[link.to] = 1;
        forest.before[link.to] = link.from;
        way_out[link.to] = link.face;
        forest.from_roots.push_back(link.to);
      }
    }
    if (seed < forest.before.size() && !is_hung[seed]) {  // a part of the domain without outlets
      is_hung[seed] = 1;
      forest.from_roots.push_back(static_cast<int>(seed));
    }
  }

  std::map<std::int64_t, int> tree_at;  // trees whose step out passes a face of own cells
  for (std::size_t tree = 0; tree < way_out.size(); ++tree) {
    if (way_out[tree] != none) tree_at[way_out[tree]] = static_cast<int>(tree);
  }
  for (int c = 0; c < owned; ++c) {
    RankForest::Step& root = forest.roots[tree_of[c] - forest.first];
    if (root.cell == none) root.cell = c;  // stays if nothing leads out
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int f = faces.index[k];
      const auto found = tree_at.find(id[f]);
      if (found == tree_at.end()) continue;
      if (found->second == tree_of[c]) {
        root = {c, f, none, static_cast<int>(faces.sign[k]), f < mesh_.owned<Face>()};
      } else {
        forest.arrivals.push_back({found->second, {none, f, c, -faces.sign[k], f < mesh_.owned<Face>()}});
      }
    }
  }
}

/// Grows the own trees, breadth-first from their roots.
void SpanningTreeProjection::grow(RankForest& forest) const {
  const int owned = mesh_.owned<Cell>();
  const CellsOfFaces cells(mesh_.part());
  const IncidenceRows& faces = mesh_.D.host();
  std::vector<char> is_reached(owned, 0);
  std::vector<int> reached;
  for (const RankForest::Step& root : forest.roots) {
    is_reached[root.cell] = 1;
    reached.push_back(root.cell);
  }
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int c = reached[next];
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int other = cells.across(faces.index[k], c);
      if (other < 0 || other >= owned || is_reached[other]) continue;
      is_reached[other] = 1;
      reached.push_back(other);
      forest.steps.push_back({other, faces.index[k], c, -faces.sign[k], faces.index[k] < mesh_.owned<Face>()});
    }
  }
}

std::vector<int> SpanningTreeProjection::closed_parts() const {
  std::vector<int> closed = part_of_cell_;
  for (int& part : closed) {
    if (!part_is_closed_[part]) part = none;
  }
  return closed;
}

}  // namespace solenoid
