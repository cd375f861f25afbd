#include "bench/matrix_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "mesh/layout.hpp"

namespace solenoid {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t mat_class_id = 1211216;  // MAT_FILE_CLASSID of PETSc

/// Appends the lowest `bytes` bytes of `value`, the highest first.
void put(std::string& to, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) to.push_back(static_cast<char>(value >> shift & 0xFF));
}

/// The rank-by-rank number of every local entity, received from its owner. Collective.
std::vector<std::int64_t> numbers_by_rank(const Comm& comm, const LocalNumbering& numbering, std::int64_t first) {
  std::vector<real> number(numbering.total(), 0);  // whole numbers below 2^31: exact
  std::iota(number.begin(), number.begin() + numbering.owned, static_cast<real>(first));
  DeviceArray<real> values(number);
  HaloExchange exchange(comm, plan_exchange(comm, numbering));
  exchange.start(values.data());
  exchange.finish();
  number = values.to_host();
  return {number.begin(), number.end()};
}

/// This rank's share of the three lists of the file, as bytes.
struct Share {
  std::string lengths, columns, values;
};

Share share_of(const MatrixRows& rows, const std::vector<std::int64_t>& number) {
  Share share;
  share.lengths.reserve(sizeof(std::int32_t) * rows.rows());
  share.columns.reserve(sizeof(std::int32_t) * rows.column.size());
  share.values.reserve(sizeof(double) * rows.value.size());
  std::vector<std::pair<std::int64_t, real>> row;
  for (int i = 0; i < rows.rows(); ++i) {
    row.clear();
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) row.emplace_back(number[rows.column[k]], rows.value[k]);
    std::sort(row.begin(), row.end());
    put(share.lengths, row.size(), sizeof(std::int32_t));
    for (const auto& [column, value] : row) {
      put(share.columns, static_cast<std::uint64_t>(column), sizeof(std::int32_t));
      put(share.values, std::bit_cast<std::uint64_t>(double{value}), sizeof(double));
    }
  }
  return share;
}

void write_at(const fs::path& file, const std::vector<std::pair<std::int64_t, const std::string*>>& pieces,
              std::ios::openmode mode) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | mode);
  for (const auto& [place, bytes] : pieces) {
    out.seekp(place);
    out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  }
  out.close();
  require(out.good(), [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(errno)); });
}

void check_rows(const MatrixRows& rows, const LocalNumbering& numbering) {
  require(rows.rows() == numbering.owned,
          [&] { return message("a matrix of {} rows was given for {} owned entities", rows.rows(), numbering.owned); });
  for (int column : rows.column) {
    require(column >= 0 && column < numbering.total(),
            [&] { return message("a matrix has column {} of {} local entities", column, numbering.total()); });
  }
}

std::int64_t total(const std::vector<std::int64_t>& of_ranks, int ranks) {
  return std::accumulate(of_ranks.begin(), of_ranks.begin() + ranks, std::int64_t{0});
}

}  // namespace

void write_petsc_matrix(const Comm& comm, const fs::path& file, const MatrixRows& rows,
                        const LocalNumbering& numbering) {
  comm.guard([&] { check_rows(rows, numbering); });
  const std::vector<std::int64_t> rows_of_ranks = comm.gather(rows.rows());
  const std::vector<std::int64_t> nonzeros_of_ranks = comm.gather(static_cast<std::int64_t>(rows.column.size()));
  const std::int64_t all_rows = total(rows_of_ranks, comm.size()), nonzeros = total(nonzeros_of_ranks, comm.size());
  require_on_all_ranks(std::max(all_rows, nonzeros) <= std::numeric_limits<std::int32_t>::max(), [&] {
    return message("{}: a matrix of {} rows with {} nonzeros does not fit PETSc's 32-bit format, which ends at {}",
                   file.string(), all_rows, nonzeros, std::numeric_limits<std::int32_t>::max());
  });
  const std::int64_t first_row = total(rows_of_ranks, comm.rank());
  const std::int64_t first_nonzero = total(nonzeros_of_ranks, comm.rank());
  const std::vector<std::int64_t> number = numbers_by_rank(comm, numbering, first_row);

  std::optional<FreshFile> making;  // rank 0
  comm.guard([&] {
    if (comm.is_root()) making.emplace(file);
  });
  const fs::path fresh = comm.broadcast(making ? making->path().string() : "");
  std::string header;
  for (const std::int64_t value : {std::int64_t{mat_class_id}, all_rows, all_rows, nonzeros})
    put(header, static_cast<std::uint64_t>(value), sizeof(std::int32_t));
  comm.guard([&] {
    if (comm.is_root()) write_at(fresh, {{0, &header}}, std::ios::trunc);
  });
  const std::int64_t index = sizeof(std::int32_t), lengths = static_cast<std::int64_t>(header.size());
  const std::int64_t columns = lengths + index * all_rows, values = columns + index * nonzeros;
  for (int turn = 0; turn < comm.size(); ++turn) {
    comm.guard([&] {
      if (comm.rank() != turn) return;
      const Share share = share_of(rows, number);
      write_at(fresh,
               {{lengths + index * first_row, &share.lengths},
                {columns + index * first_nonzero, &share.columns},
                {values + std::int64_t{sizeof(double)} * first_nonzero, &share.values}},
               std::ios::in | std::ios::out);
    });
  }
  comm.guard([&] {
    if (!comm.is_root()) return;
    making->replace_file();
    const nlohmann::ordered_json summary = {
        {"name", file.stem().string()}, {"rows", all_rows}, {"nonzeros", nonzeros}, {"rows_of_ranks", rows_of_ranks}};
    write_text_file(file.string() + ".json", summary.dump() + "\n");
  });
}

}  // namespace solenoid
