#include "solve/multigrid/coarsening.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "mesh/csr.hpp"
#include "solve/multigrid/halo_numbering.hpp"
#include "solve/multigrid/row_sums.hpp"

namespace solenoid {

namespace {

/// The level's numbering, with the rows of other ranks added to its halo.
LocalNumbering wide_numbering(const LocalNumbering& narrow, const TransferRows& rows) {
  std::vector<HaloEntry> halo;
  for (int i = narrow.owned; i < narrow.total(); ++i) halo.push_back({narrow.owner[i], narrow.global_id[i]});
  for (std::size_t k = 0; k < rows.id_of_other.size(); ++k) {
    halo.push_back({rows.owner_of_other[k], rows.id_of_other[k]});
  }
  return with_halo(narrow, std::move(halo));
}

/// The entries of P by column, each column ascending in the rows' global ids.
struct EntriesOfColumns {
  struct Entry {
    int row, entry;  // of TransferRows
    float p;
  };
  Csr<Entry> of;

  EntriesOfColumns(const TransferRows& rows, const std::vector<std::int64_t>& ids_of_owned, int columns)
      : of(columns, [&](const auto& visit) { each(rows, in_order(rows, ids_of_owned), visit); }) {}

 private:
  static std::vector<int> in_order(const TransferRows& rows, const std::vector<std::int64_t>& ids) {
    std::vector<int> order(rows.rows());
    std::iota(order.begin(), order.end(), 0);
    const int owned = rows.rows() - static_cast<int>(rows.id_of_other.size());
    const auto id = [&](int row) { return row < owned ? ids[row] : rows.id_of_other[row - owned]; };
    const auto before = [&](int a, int b) { return id(a) < id(b); };
    std::sort(order.begin() + owned, order.end(), before);
    std::inplace_merge(order.begin(), order.begin() + owned, order.end(), before);
    return order;
  }
  template <class Visit>
  static void each(const TransferRows& rows, const std::vector<int>& order, const Visit& visit) {
    for (const int row : order) {
      for (int k = rows.offset[row]; k < rows.offset[row + 1]; ++k) visit(rows.column[k], Entry{row, k, rows.p[k]});
    }
  }
};

/// P^T A P of the owned columns during summation, in the numbers of CoarseNumbers, and the data for its scaling.
struct Product {
  SingleRows rows;                        // without the diagonal
  std::vector<double> diagonal, squares;  // of the product; of each column of P with itself
};

/// The numbers of CoarseNumbers in the order of their global ids, for sorting rows.
class IdOrder {
 public:
  explicit IdOrder(const CoarseNumbers& numbers) : number_(numbers.total()), place_(numbers.total()) {
    std::iota(number_.begin(), number_.end(), 0);
    const auto before = [&](int a, int b) { return numbers.id(a) < numbers.id(b); };
    std::sort(number_.begin() + numbers.owned(), number_.end(), before);
    std::inplace_merge(number_.begin(), number_.begin() + numbers.owned(), number_.end(), before);
    for (int k = 0; k < numbers.total(); ++k) place_[number_[k]] = k;
  }
  const std::vector<int>& numbers() const { return number_; }

  /// Adds an entry to the current row.
  void add(int column, float value) {
    row_.push_back(std::uint64_t{static_cast<std::uint32_t>(place_[column])} << 32 |
                   std::bit_cast<std::uint32_t>(value));
  }
  /// Appends the current row to `rows`.
  void end_row(SingleRows& rows) {
    std::sort(row_.begin(), row_.end());
    for (const std::uint64_t entry : row_) {
      rows.column.push_back(number_[entry >> 32]);
      rows.value.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(entry)));
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
    row_.clear();
  }

 private:
  std::vector<int> number_, place_;  // by place, and the inverse
  std::vector<std::uint64_t> row_;   // place and value in one word, which halves the time of the sort
};

Product galerkin_product(const TransferRows& rows, const EntriesOfColumns& columns, const CoarseNumbers& numbers,
                         IdOrder& order) {
  Product product;
  RowSums sums(numbers.total());
  for (int c = 0; c < numbers.owned(); ++c) {
    double squares = 0;
    for (const EntriesOfColumns::Entry& e : columns.of[c]) {
      const double p = e.p;
      if (p == 0) continue;
      squares += p * p;
      sums.add(rows.column, rows.ap, rows.offset[e.row], rows.offset[e.row + 1], p);
    }
    product.diagonal.push_back(sums[c]);
    product.squares.push_back(squares);
    sums.finish([&](int column, double sum) {
      if (column != c) order.add(column, static_cast<float>(sum));
    });
    order.end_row(product.rows);
  }
  return product;
}

/// (1 - step A) P of the owned rows: column by column, so that each row comes out sorted.
SingleRows smoothed_prolongation(const TransferRows& rows, const EntriesOfColumns& columns, int owned, float step,
                                 const IdOrder& order) {
  SingleRows result;
  result.offset.assign(rows.offset.begin(), rows.offset.begin() + owned + 1);
  result.column.resize(result.offset.back());
  result.value.resize(result.offset.back());
  std::vector<int> next(result.offset.begin(), result.offset.end() - 1);
  for (const int c : order.numbers()) {
    for (const EntriesOfColumns::Entry& e : columns.of[c]) {
      if (e.row >= owned) continue;
      const int k = next[e.row]++;
      result.column[k] = c;
      result.value[k] = e.p - step * rows.ap[e.entry];
    }
  }
  return result;
}

/// The transpose of that, for the owned columns.
SingleRows smoothed_restriction(const TransferRows& rows, const EntriesOfColumns& columns, int owned, float step,
                                const std::vector<int>& column_of_row) {
  SingleRows result;
  result.column.reserve(columns.of.entries().size());
  result.value.reserve(columns.of.entries().size());
  for (int c = 0; c < owned; ++c) {
    for (const EntriesOfColumns::Entry& e : columns.of[c]) {
      result.column.push_back(column_of_row[e.row]);
      result.value.push_back(e.p - step * rows.ap[e.entry]);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// The numbering of the coarse level: columns of `in_use` among those of CoarseNumbers; `local_of` is -1 for the
/// others.
LocalNumbering coarse_numbering(const Comm& comm, const CoarseNumbers& numbers,
                                std::initializer_list<const SingleRows*> in_use, std::vector<int>& local_of) {
  LocalNumbering owned;
  owned.owned = numbers.owned();
  owned.global_count = comm.sum(std::int64_t{numbers.owned()});
  for (int c = 0; c < numbers.owned(); ++c) {
    owned.global_id.push_back(numbers.id(c));
    owned.owner.push_back(comm.rank());
  }
  std::vector<char> used(numbers.total(), 0);
  for (const SingleRows* rows : in_use) {
    for (const int column : rows->column) used[column] = 1;
  }
  std::vector<HaloEntry> halo;
  for (int c = numbers.owned(); c < numbers.total(); ++c) {
    if (used[c]) halo.push_back({numbers.owner(c), numbers.id(c)});
  }
  const LocalNumbering result = with_halo(owned, std::move(halo));
  local_of.assign(numbers.total(), -1);
  for (int c = 0; c < numbers.total(); ++c) {
    if (c < numbers.owned()) {
      local_of[c] = c;
    } else if (used[c]) {
      local_of[c] = place_in_halo(result, {numbers.owner(c), numbers.id(c)});
    }
  }
  return result;
}

/// 1 / sqrt(diagonal) per local unknown; 0 if a column is itself in the null space, such as the last unknown of a part
/// with undetermined values.
std::vector<double> row_scales(const HostExchange& exchange, const LocalNumbering& numbering, const Product& product) {
  constexpr double round_off = 3e-7;
  std::vector<double> scale(numbering.total(), 0);
  for (int c = 0; c < numbering.owned; ++c) {
    if (product.diagonal[c] > round_off * product.squares[c]) scale[c] = 1 / std::sqrt(product.diagonal[c]);
  }
  exchange(scale);
  return scale;
}

}  // namespace

std::optional<Coarsening> coarsen(const HostExchange& exchange, const HostLevel& level, double highest, float smoothing,
                                  int depth) {
  const int owned = level.rows.rows();
  const Comm& comm = exchange.comm();
  const SingleRows strong = strong_couplings(exchange, level);
  const std::int64_t entries = comm.sum(static_cast<std::int64_t>(level.rows.column.size()));
  const int distance = entries < 5 * level.numbering.global_count ? 3 : 2;
  Aggregates aggregates = aggregate(exchange, level, strong, distance, depth);
  CoarseNumbers& numbers = aggregates.numbers;
  const std::int64_t coarse_count = comm.sum(std::int64_t{numbers.owned()});
  if (coarse_count == 0) return std::nullopt;

  std::vector<float> steps{static_cast<float>(4 / (3 * highest))};
  constexpr int wide = 16;  // entries per row: two steps would save no iteration, and fill up the next level
  if (depth > 0 && entries < wide * level.numbering.global_count) {
    const ChebyshevSteps two = chebyshev_steps(highest / 4, highest);
    steps = {two.large, two.small};
  }
  const TransferRows rows = transfer_rows(exchange, level, aggregates, steps);
  Coarsening result;
  result.numbering = wide_numbering(level.numbering, rows);
  for (int i = 0; i < level.numbering.total(); ++i) {
    result.column_of.push_back(
        i < owned ? i : place_in_halo(result.numbering, {level.numbering.owner[i], level.numbering.global_id[i]}));
  }
  std::vector<int> column_of_row;
  for (int row = 0; row < rows.rows(); ++row) {
    const int other = row - owned;
    column_of_row.push_back(
        other < 0 ? row : place_in_halo(result.numbering, {rows.owner_of_other[other], rows.id_of_other[other]}));
  }

  const EntriesOfColumns columns(rows, level.numbering.global_id, numbers.total());
  IdOrder order(numbers);
  Product product = galerkin_product(rows, columns, numbers, order);
  result.prolongation = smoothed_prolongation(rows, columns, owned, smoothing, order);
  result.restriction = smoothed_restriction(rows, columns, numbers.owned(), smoothing, column_of_row);

  HostLevel& coarse = result.coarse;
  std::vector<int> local_of;
  coarse.numbering = coarse_numbering(comm, numbers, {&product.rows, &result.prolongation}, local_of);
  for (int& column : product.rows.column) column = local_of[column];
  for (int& column : result.prolongation.column) column = local_of[column];
  const HostExchange coarse_exchange(comm, coarse.numbering);
  const std::vector<double> scale = row_scales(coarse_exchange, coarse.numbering, product);
  coarse.rows = std::move(product.rows);
  const auto scaled = [](float value, double by) { return static_cast<float>(static_cast<double>(value) * by); };
  for (int c = 0; c < coarse.numbering.owned; ++c) {
    for (int k = coarse.rows.offset[c]; k < coarse.rows.offset[c + 1]; ++k) {
      coarse.rows.value[k] = scaled(coarse.rows.value[k], scale[c] * scale[coarse.rows.column[k]]);
    }
    for (int k = result.restriction.offset[c]; k < result.restriction.offset[c + 1]; ++k) {
      result.restriction.value[k] = scaled(result.restriction.value[k], scale[c]);
    }
  }
  for (std::size_t k = 0; k < result.prolongation.value.size(); ++k) {
    result.prolongation.value[k] = scaled(result.prolongation.value[k], scale[result.prolongation.column[k]]);
  }
  for (const double s : scale) coarse.null.push_back(s > 0 ? static_cast<float>(1 / s) : 0);
  return result;
}

}  // namespace solenoid
