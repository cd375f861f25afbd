#include "solve/gauss_seidel/colours.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace solenoid
