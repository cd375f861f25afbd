#include "mesh/connected_parts.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "mesh/disjoint_sets.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/row_blocks.hpp"

namespace solenoid {

namespace {

/// Connected cells of one rank.
struct Piece {
  std::int64_t first, cells;
  Vec3 place;  // of the first cell
};

/// Of pieces on two ranks.
struct Contact {
  std::int64_t first, other;  // pieces by their first cells
  auto operator<=>(const Contact&) const = default;
};

/// The values of all ranks, on rank 0. Collective.
template <class T>
std::vector<T> on_root(const Comm& comm, std::vector<T> own) {
  std::vector<std::vector<T>> to(static_cast<std::size_t>(comm.size()));
  to.front() = std::move(own);
  return joined_lists(exchange_lists(comm, to));
}

}  // namespace

std::vector<DomainPart> connected_parts(const Comm& comm, const MeshPart& part) {
  const int owned = part.cell_numbering.owned;
  DisjointSets sets(part.cells());
  std::vector<std::pair<int, int>> cut;  // cells of this rank and of the halo
  std::vector<int> met(part.faces(), -1);
  for (int c = 0; c < part.cells(); ++c) {
    for (const int f : part.cell_faces_of(c)) {
      const int other = std::exchange(met[f], c);
      if (other >= 0 && c < owned) sets.join(other, c);
      if (other >= 0 && other < owned && c >= owned) cut.emplace_back(other, c);
    }
  }
  std::vector<std::int64_t> first(part.cells());
  std::map<std::int64_t, Piece> pieces;
  for (int c = 0; c < owned; ++c) {
    const int lowest = sets.lowest(c);
    first[c] = part.cell_numbering.global_id[lowest];
    Piece& piece = pieces.try_emplace(first[c], Piece{first[c], 0, {}}).first->second;
    if (piece.cells++ > 0) continue;
    for (const int p : part.cell_points_of(c)) piece.place += part.points[p] / static_cast<real>(part.corners());
  }
  HostExchange(comm, part.cell_numbering)(first);
  std::set<Contact> contacts;
  for (const auto& [own, other] : cut) contacts.insert({first[own], first[other]});

  std::vector<Piece> all;
  for (const auto& [number, piece] : pieces) all.push_back(piece);
  all = on_root(comm, std::move(all));
  std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  const auto place = [&](std::int64_t number) {
    return static_cast<int>(
        std::lower_bound(all.begin(), all.end(), number, [](const Piece& a, std::int64_t b) { return a.first < b; }) -
        all.begin());
  };
  DisjointSets joined(static_cast<int>(all.size()));
  for (const Contact& contact : on_root(comm, std::vector<Contact>(contacts.begin(), contacts.end())))
    joined.join(place(contact.first), place(contact.other));
  std::vector<DomainPart> parts;
  std::vector<int> part_of(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int lowest = joined.lowest(static_cast<int>(k));
    if (lowest == static_cast<int>(k)) {
      part_of[k] = static_cast<int>(parts.size());
      parts.push_back({0, all[k].place});
    }
    parts[part_of[lowest]].cells += all[k].cells;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const DomainPart& a, const DomainPart& b) { return a.cells > b.cells; });
  return parts;
}

}  // namespace solenoid
