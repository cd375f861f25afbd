#include "solve/gauss_seidel/coloured_rows.hpp"

#include <algorithm>
#include <numeric>

#include "solve/multigrid/halo_numbering.hpp"
#include "solve/multigrid/scatter.hpp"

namespace solenoid {

std::vector<int> colours(const HostExchange& exchange, const LocalNumbering& numbering, const MatrixRows& rows) {
  constexpr int none = -1;
  std::vector<std::uint64_t> key;
  for (const std::int64_t id : numbering.global_id) key.push_back(scattered_number(id));
  std::vector<int> colour(numbering.total(), none), open(rows.rows()), found, row_with;
  std::iota(open.begin(), open.end(), 0);
  const auto waits = [&](int i) {
    const auto first = rows.column.begin() + rows.offset[i], last = rows.column.begin() + rows.offset[i + 1];
    return std::any_of(first, last, [&](int j) { return colour[j] == none && key[j] > key[i]; });
  };
  const auto lowest_free = [&](int i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int taken = colour[rows.column[k]];
      if (taken >= static_cast<int>(row_with.size())) row_with.resize(taken + 1, none);
      if (taken != none) row_with[taken] = i;
    }
    return static_cast<int>(std::find_if(row_with.begin(), row_with.end(), [&](int row) { return row != i; }) -
                            row_with.begin());
  };
  while (exchange.comm().sum(static_cast<std::int64_t>(open.size())) > 0) {
    found.clear();
    for (const int i : open) found.push_back(waits(i) ? none : lowest_free(i));
    for (std::size_t k = 0; k < open.size(); ++k) colour[open[k]] = found[k];
    std::erase_if(open, [&](int i) { return colour[i] != none; });
    exchange(colour);
  }
  return colour;
}

namespace {

/// The numbers of the unknowns sorted by colour.
struct SortedNumbers {
  LocalNumbering numbering;
  std::vector<int> first, from;
  std::vector<int> of;  // per local unknown in the rows: its new number
};

SortedNumbers sorted_by_colour(const Comm& comm, const LocalNumbering& numbering, const std::vector<int>& colour,
                               const MatrixRows& rows) {
  const auto id_of = [&](int i) { return colour[i] * numbering.global_count + numbering.global_id[i]; };
  SortedNumbers result;
  result.from.resize(numbering.owned);
  std::iota(result.from.begin(), result.from.end(), 0);
  std::stable_sort(result.from.begin(), result.from.end(), [&](int i, int j) { return colour[i] < colour[j]; });

  LocalNumbering owned{numbering.owned, numbering.global_count, {}, {}};
  std::vector<std::int64_t> counts(
      comm.max(std::int64_t{colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1}));
  result.of.resize(numbering.total());
  for (int i = 0; i < numbering.owned; ++i) {
    owned.global_id.push_back(id_of(result.from[i]));
    owned.owner.push_back(comm.rank());
    result.of[result.from[i]] = i;
    ++counts[colour[i]];
  }
  result.first.resize(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), result.first.begin() + 1);

  std::vector<HaloEntry> halo;
  for (const int j : rows.column) {
    if (j >= numbering.owned) halo.push_back({numbering.owner[j], id_of(j)});
  }
  result.numbering = with_halo(owned, std::move(halo));
  for (const int j : rows.column) {
    if (j >= numbering.owned) result.of[j] = place_in_halo(result.numbering, {numbering.owner[j], id_of(j)});
  }
  return result;
}

}  // namespace

ColouredRows coloured_rows(const Comm& comm, const LocalNumbering& numbering, const MatrixRows& rows) {
  const std::vector<int> colour = colours(HostExchange(comm, numbering), numbering, rows);
  SortedNumbers sorted = sorted_by_colour(comm, numbering, colour, rows);
  const std::size_t count = sorted.first.size() - 1;
  std::vector<MatrixRows> lower(count), upper(count);
  std::vector<int> entries;
  for (const int i : sorted.from) {
    entries.resize(rows.offset[i + 1] - rows.offset[i]);
    std::iota(entries.begin(), entries.end(), rows.offset[i]);
    std::stable_sort(entries.begin(), entries.end(),
                     [&](int k, int l) { return colour[rows.column[k]] < colour[rows.column[l]]; });
    MatrixRows &below = lower[colour[i]], &above = upper[colour[i]];
    for (const int k : entries) {
      MatrixRows& part = colour[rows.column[k]] < colour[i] ? below : above;
      part.column.push_back(sorted.of[rows.column[k]]);
      part.value.push_back(rows.value[k]);
    }
    for (MatrixRows* part : {&below, &above}) part->offset.push_back(static_cast<int>(part->column.size()));
  }
  return {std::move(sorted.numbering), std::move(sorted.first), std::move(sorted.from), std::move(lower),
          std::move(upper)};
}

}  // namespace solenoid
