#include "physics/flow/solenoidal/global_unknowns.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "mesh/host_exchange.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

struct Candidate {
  std::int64_t edge, from, to;  // global ids
  bool is_prescribed;
};

/// Candidates for slots, prescribed edges before free ones, each ascending. On every rank. Collective.
std::vector<Candidate> candidates(const LocalMesh& mesh, const std::vector<int>& roles, std::int64_t count) {
  const std::int64_t free_ones = 200 * count;  // more than can share a node with earlier choices
  const auto& edge_id = mesh.numbering<Edge>().global_id;
  const auto& node_id = mesh.numbering<Node>().global_id;
  std::vector<Candidate> own;
  std::int64_t prescribed = 0, free = 0;
  for (int e = 0; e < mesh.owned<Edge>() && count > 0; ++e) {
    const bool is_prescribed = roles[e] == Space<Edge>::prescribed;
    if (is_prescribed ? prescribed++ >= count : free++ >= free_ones) continue;
    if (mesh.dimension() == 2) {  // an edge is a node seen end-on
      if (is_prescribed) own.push_back({edge_id[e], edge_id[e], edge_id[e], true});
      continue;
    }
    const std::span<const int> ends = mesh.part().edge_nodes_of(e);
    own.push_back({edge_id[e], node_id[ends[0]], node_id[ends[1]], is_prescribed});
  }
  std::vector<Candidate> all = from_all_ranks(mesh.comm(), own);
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.is_prescribed != b.is_prescribed ? a.is_prescribed : a.edge < b.edge;
  });
  return all;
}

}  // namespace

GlobalUnknowns::GlobalUnknowns(const LocalMesh& mesh, const std::vector<int>& roles, std::int64_t count)
    : owned_(mesh.owned<Edge>()) {
  const std::vector<Candidate> all = candidates(mesh, roles, count);
  const bool has_prescribed = !all.empty() && all.front().is_prescribed;
  std::vector<Candidate> chosen;
  std::set<std::int64_t> nodes;
  for (const Candidate& candidate : all) {
    if (std::ssize(chosen) == count || candidate.is_prescribed != has_prescribed) break;
    if (!has_prescribed) {
      if (candidate.from == candidate.to || nodes.contains(candidate.from) || nodes.contains(candidate.to)) continue;
      nodes.insert({candidate.from, candidate.to});
    }
    chosen.push_back(candidate);
  }
  require_on_all_ranks(
      std::ssize(chosen) == count,
      [&] {
        return message(
            "the mesh has {} edges to keep {} loops of the flow at, too few, as where less than three cells lie "
            "between periodic patches: take a finer mesh, or method = \"classical\" in [flow]",
            chosen.size(), count);
      },
      ExitCode::bad_input);

  const std::vector<std::int64_t>& edge_id = mesh.numbering<Edge>().global_id;
  const std::vector<std::int64_t>& node_id = mesh.numbering<Node>().global_id;
  for (const Candidate& slot : chosen) {
    const auto found = std::find(edge_id.begin(), edge_id.end(), slot.edge);
    local_.push_back(found == edge_id.end() ? -1 : static_cast<int>(found - edge_id.begin()));
    if (has_prescribed) continue;
    std::vector<int> edge;
    std::vector<real> sign;
    for (int e = 0; e < owned_; ++e) {
      const std::span<const int> ends = mesh.part().edge_nodes_of(e);
      const int value = (node_id[ends[1]] == slot.to ? 1 : 0) - (node_id[ends[0]] == slot.to ? 1 : 0);
      if (value == 0) continue;
      edge.push_back(e);
      sign.push_back(value);
    }
    gradients_.push_back({DeviceArray<int>(edge), DeviceArray<real>(sign)});
  }
}

std::vector<int> GlobalUnknowns::marked(std::vector<int> roles, int role) const {
  for (const int e : local_) {
    if (e >= 0) roles[e] = role;
  }
  return roles;
}

std::vector<real> GlobalUnknowns::read(const Field<Edge>& x) const {
  if (count() == 0) return {};
  std::vector<PartialSum> result;
  const auto values = x.view();
  for (std::size_t k = 0; k < count(); ++k) {
    const int e = is_owned(k) ? local_[k] : -1;
    result.push_back(reduce_sum(
        e >= 0 ? 1 : 0, SOLENOID_KERNEL(int) { return values[Index<Edge>{e}]; }));
  }
  return totals(x.layout().comm(), result);
}

std::vector<real> GlobalUnknowns::extract(Field<Edge>& x) const {
  std::vector<real> result = read(x);
  put(std::vector<real>(count(), 0), x);
  return result;
}

void GlobalUnknowns::put(const std::vector<real>& values, Field<Edge>& x) const {
  const auto at = x.view();
  for (std::size_t k = 0; k < count(); ++k) {
    const int e = is_owned(k) ? local_[k] : -1;
    const real value = values[k];
    forall(
        e >= 0 ? 1 : 0, SOLENOID_KERNEL(int) { at[Index<Edge>{e}] = value; });
  }
}

void GlobalUnknowns::complete_rotation(Field<Edge>& r) const {
  if (!fix_gauge()) return;
  std::vector<PartialSum> sums;
  const auto at = r.view();
  for (const Gradient& gradient : gradients_) {
    const int* const edge = gradient.edge.data();
    const real* const sign = gradient.sign.data();
    sums.push_back(reduce_sum(
        static_cast<int>(gradient.edge.size()),
        SOLENOID_KERNEL(int k) { return -sign[k] * at[Index<Edge>{edge[k]}]; }));
  }
  put(totals(r.layout().comm(), sums), r);
}

void GlobalUnknowns::remove_gradients(Field<Edge>& s) const {
  if (!fix_gauge()) return;
  const std::vector<real> at_slots = read(s);
  const auto at = s.view();
  for (std::size_t k = 0; k < count(); ++k) {
    const int* const edge = gradients_[k].edge.data();
    const real* const sign = gradients_[k].sign.data();
    const real value = at_slots[k];
    forall(
        static_cast<int>(gradients_[k].edge.size()),
        SOLENOID_KERNEL(int i) { at[Index<Edge>{edge[i]}] -= sign[i] * value; });
  }
}

}  // namespace solenoid
