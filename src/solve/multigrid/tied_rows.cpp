#include "solve/multigrid/tied_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/host_exchange.hpp"
#include "solve/multigrid/halo_numbering.hpp"

namespace solenoid {

namespace {

/// The representative of a group.
struct GroupPlace {
  std::int64_t id;  // of the member of the lowest global id
  int owner;
  real root;  // square root of the number of members
};

template <class L>
std::vector<GroupPlace> places_of_groups(const Space<L>& space) {
  const LocalNumbering& numbering = space.mesh().template numbering<L>();
  const Comm& comm = space.mesh().comm();
  const int groups = space.groups();
  std::vector<std::int64_t> lowest(groups, std::numeric_limits<std::int64_t>::max()), members(groups, 0);
  for (int i = 0; i < numbering.owned; ++i) {
    const int group = space.role()[i];
    if (group < 0) continue;
    lowest[group] = std::min(lowest[group], numbering.global_id[i]);
    ++members[group];
  }
  const std::vector<std::int64_t> own = lowest;
  comm.min(std::span<std::int64_t>(lowest));
  comm.sum(std::span<std::int64_t>(members));
  std::vector<std::int64_t> owner(groups);
  for (int g = 0; g < groups; ++g) owner[g] = own[g] == lowest[g] ? comm.rank() : 0;
  comm.sum(std::span<std::int64_t>(owner));
  std::vector<GroupPlace> places;
  for (int g = 0; g < groups; ++g) {
    places.push_back({lowest[g], static_cast<int>(owner[g]), std::sqrt(static_cast<real>(members[g]))});
  }
  return places;
}

/// An entry of a row, in global numbers.
struct GroupEntry {
  HaloEntry column;
  std::int64_t member;  // the source row within a group
  real value;
};
struct SentGroupEntry {
  int group;
  GroupEntry entry;
};

/// Sorts entries by column, and sums those of one column in the order of their source rows.
std::vector<GroupEntry> summed(std::vector<GroupEntry> entries) {
  std::sort(entries.begin(), entries.end(), [](const GroupEntry& a, const GroupEntry& b) {
    return a.column.id != b.column.id ? a.column.id < b.column.id : a.member < b.member;
  });
  std::vector<GroupEntry> sums;
  for (const GroupEntry& entry : entries) {
    if (!sums.empty() && sums.back().column.id == entry.column.id) {
      sums.back().value += entry.value;
    } else {
      sums.push_back(entry);
    }
  }
  return sums;
}

}  // namespace

template <class L>
TiedRows tied_rows(const Space<L>& space, const MatrixRows& rows) {
  const LocalNumbering& mesh_numbering = space.mesh().template numbering<L>();
  const Comm& comm = space.mesh().comm();
  const std::vector<int>& role = space.role();
  const std::vector<GroupPlace> places = places_of_groups(space);

  // The new rows: those of groups go to the owner of the representative.
  std::vector<std::vector<GroupEntry>> entries(rows.rows());
  std::vector<std::vector<SentGroupEntry>> to(comm.size());
  for (int i = 0; i < rows.rows(); ++i) {
    const std::int64_t id = mesh_numbering.global_id[i];
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      GroupEntry entry{{mesh_numbering.owner[j], mesh_numbering.global_id[j]}, id, rows.value[k]};
      if (role[j] >= 0) {
        entry.column = {places[role[j]].owner, places[role[j]].id};
        entry.value /= places[role[j]].root;
        entry.member =
            mesh_numbering.global_id[j];  // a row may have several entries in a group: in the order of its members
      }
      if (role[i] < 0) {
        entries[i].push_back(entry);
      } else if (role[j] != role[i]) {
        entry.value /= places[role[i]].root;
        entry.member = id;
        to[places[role[i]].owner].push_back({role[i], entry});
      }
    }
  }
  std::vector<std::vector<GroupEntry>> of_group(places.size());
  for (const auto& list : exchange_lists(comm, to)) {
    for (const SentGroupEntry& sent : list) of_group[sent.group].push_back(sent.entry);
  }

  TiedRows result;
  result.weight.assign(rows.rows(), 1);
  const auto begin = mesh_numbering.global_id.begin(), end = begin + mesh_numbering.owned;
  for (int i = 0; i < rows.rows(); ++i) {
    if (role[i] >= 0) result.weight[i] = 0;
  }
  for (std::size_t g = 0; g < places.size(); ++g) {
    if (places[g].owner != comm.rank()) continue;
    const auto i = std::lower_bound(begin, end, places[g].id) - begin;
    entries[i] = std::move(of_group[g]);
    result.weight[i] = places[g].root;
  }
  std::vector<HaloEntry> halo;
  for (auto& row : entries) {
    row = summed(std::move(row));
    for (const GroupEntry& entry : row) {
      if (entry.column.owner != comm.rank()) halo.push_back(entry.column);
    }
  }
  result.numbering = with_halo(mesh_numbering, std::move(halo));
  for (const auto& row : entries) {
    for (const GroupEntry& entry : row) {
      const bool is_owned = entry.column.owner == comm.rank();
      result.rows.column.push_back(is_owned ? static_cast<int>(std::lower_bound(begin, end, entry.column.id) - begin)
                                            : place_in_halo(result.numbering, entry.column));
      result.rows.value.push_back(entry.value);
    }
    result.rows.offset.push_back(static_cast<int>(result.rows.column.size()));
  }
  return result;
}

template TiedRows tied_rows(const Space<Node>&, const MatrixRows&);
template TiedRows tied_rows(const Space<Edge>&, const MatrixRows&);
template TiedRows tied_rows(const Space<Face>&, const MatrixRows&);
template TiedRows tied_rows(const Space<Cell>&, const MatrixRows&);

}  // namespace solenoid
