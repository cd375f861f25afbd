#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "field/assign.hpp"
#include "mesh/disjoint_sets.hpp"
#include "mesh/host_exchange.hpp"
#include "operators/assemble.hpp"
#include "physics/flow/solenoidal/breadth_first_forest.hpp"

namespace solenoid {

namespace {

constexpr int none = RankForest::none;

/// A face between two trees, or `none` for the outside.
struct Link {
  int from, to;
  std::int64_t face;  // global id
};

}  // namespace

SpanningTreeProjection::SpanningTreeProjection(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh), divergence_(mesh) {
  const std::vector<int> tree_of = label_cells();
  hang_up(boundaries, tree_of);
  if (sums_are_exact()) {
    by_distance_ = breadth_first_forest(mesh, boundaries);
  } else {
    grow();
  }
}

/// The tree of each local cell, numbered over all ranks: own cells connected by inner faces are one tree.
std::vector<int> SpanningTreeProjection::label_cells() {
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
  of_ranks_.first =
      static_cast<int>(std::accumulate(trees.begin(), trees.begin() + mesh_.comm().rank(), std::int64_t{0}));
  of_ranks_.before.assign(static_cast<std::size_t>(std::accumulate(trees.begin(), trees.end(), std::int64_t{0})), none);
  of_ranks_.roots.assign(own_trees, {none, none, none, 0, false});
  for (int c = 0; c < owned; ++c) label[c] += of_ranks_.first;
  HostExchange(mesh_.comm(), mesh_.numbering<Cell>())(label);
  return label;
}

/// Connects the trees breadth-first from the outside, the same on every rank, and sets the faces of their roots.
void SpanningTreeProjection::hang_up(const FlowBoundaries& boundaries, const std::vector<int>& tree_of) {
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
    if (b.cell < owned && boundaries.outlet(b.patch)) meet(tree_of[b.cell], none, b.face);
  }
  std::vector<Link> own;
  for (const auto& [trees, face] : lowest) own.push_back({trees.first, trees.second, face});
  const std::vector<Link> links = from_all_ranks(mesh_.comm(), own);

  std::vector<std::vector<Link>> links_of(of_ranks_.before.size());
  std::vector<std::int64_t> way_out(of_ranks_.before.size(), none);
  std::vector<char> is_hung(of_ranks_.before.size(), 0);
  leads_out_.assign(of_ranks_.before.size(), 0);
  for (const Link& link : links) {
    links_of[link.from].push_back(link);
    if (link.to != none) continue;
    leads_out_[link.from] = 1;
    way_out[link.from] = link.face;
    is_hung[link.from] = 1;
    of_ranks_.from_roots.push_back(link.from);
  }
  DisjointSets joined(static_cast<int>(of_ranks_.before.size()));
  for (const Link& link : links) {
    if (link.to != none) joined.join(link.from, link.to);
  }
  for (int tree = 0; tree < static_cast<int>(of_ranks_.before.size()); ++tree) {
    const int first = joined.lowest(tree);
    part_of_tree_.push_back(first == tree ? parts() : part_of_tree_[first]);
    if (first == tree) part_is_closed_.push_back(1);
    if (leads_out_[tree]) part_is_closed_[part_of_tree_[tree]] = 0;
  }

  std::size_t next = 0;
  for (std::size_t seed = 0; seed <= of_ranks_.before.size(); ++seed) {
    for (; next < of_ranks_.from_roots.size(); ++next) {
      for (const Link& link : links_of[of_ranks_.from_roots[next]]) {
        if (link.to == none || is_hung[link.to]) continue;
        is_hung[link.to] = 1;
        of_ranks_.before[link.to] = link.from;
        way_out[link.to] = link.face;
        of_ranks_.from_roots.push_back(link.to);
      }
    }
    if (seed < of_ranks_.before.size() && !is_hung[seed]) {  // a part of the domain without outlets
      is_hung[seed] = 1;
      of_ranks_.from_roots.push_back(static_cast<int>(seed));
    }
  }

  std::map<std::int64_t, int> tree_at;  // trees whose step out passes a face of own cells
  for (std::size_t tree = 0; tree < way_out.size(); ++tree) {
    if (way_out[tree] != none) tree_at[way_out[tree]] = static_cast<int>(tree);
  }
  of_ranks_.tree_of.assign(tree_of.begin(), tree_of.begin() + owned);
  for (int c = 0; c < owned; ++c) {
    RankForest::Step& root = of_ranks_.roots[tree_of[c] - of_ranks_.first];
    if (root.cell == none) root.cell = c;  // stays if nothing leads out
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int f = faces.index[k];
      const auto found = tree_at.find(id[f]);
      if (found == tree_at.end()) continue;
      if (found->second == tree_of[c]) {
        root = {c, f, none, static_cast<real>(faces.sign[k]), f < mesh_.owned<Face>()};
      } else {
        of_ranks_.arrivals.push_back(
            {found->second, {none, f, c, -static_cast<real>(faces.sign[k]), f < mesh_.owned<Face>()}});
      }
    }
  }
}

/// Grows the own trees, breadth-first from their roots.
void SpanningTreeProjection::grow() {
  const int owned = mesh_.owned<Cell>();
  const CellsOfFaces cells(mesh_.part());
  const IncidenceRows& faces = mesh_.D.host();
  std::vector<char> is_reached(owned, 0);
  std::vector<int> reached;
  for (const RankForest::Step& root : of_ranks_.roots) {
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
      of_ranks_.steps.push_back(
          {other, faces.index[k], c, -static_cast<real>(faces.sign[k]), faces.index[k] < mesh_.owned<Face>()});
    }
  }
}

std::vector<int> SpanningTreeProjection::closed_parts() const {
  std::vector<int> part_of_tree(of_ranks_.before.size(), none);
  for (const int tree : of_ranks_.from_roots) {
    part_of_tree[tree] = of_ranks_.before[tree] != none ? part_of_tree[of_ranks_.before[tree]]
                         : leads_out_[tree]             ? none
                                                        : tree;
  }
  std::vector<int> part;
  for (const int tree : of_ranks_.tree_of) part.push_back(part_of_tree[tree]);
  return part;
}

std::vector<int> SpanningTreeProjection::part_of_cells() const {
  std::vector<int> part;
  for (const int tree : of_ranks_.tree_of) part.push_back(part_of_tree_[tree]);
  return part;
}

void SpanningTreeProjection::balance(Field<Face>& flux) {
  divergence_ = mesh_.D * halo(flux);
  std::vector<real> left = divergence_.to_host(), values = flux.to_host();
  (by_distance_ ? *by_distance_ : of_ranks_).balance(mesh_.comm(), std::move(left), values);
  flux.from_host(values);
}

}  // namespace solenoid
