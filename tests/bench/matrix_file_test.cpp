/// Matrices as files for PETSc: read back byte by byte and compared by global ids, on partitions with empty ranks too.
#include "bench/matrix_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <tuple>

#include "operators/p1.hpp"
#include "support/files.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

namespace fs = std::filesystem;

using Entry = std::tuple<std::int64_t, std::int64_t, real>;  // global ids of row and column, value

/// Takes big-endian numbers off a text, one after the other.
struct Bytes {
  std::string text;
  std::size_t at = 0;
  std::uint64_t next(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(text.at(at++));
    return value;
  }
  std::int64_t integer() { return static_cast<std::int32_t>(next(4)); }
  double number() { return std::bit_cast<double>(next(8)); }
};

/// The matrix of all ranks on rank 0, in ascending order; nothing elsewhere.
std::vector<Entry> entries_of(const Comm& comm, const MatrixRows& rows, const LocalNumbering& numbering) {
  std::vector<std::int64_t> row_id, column_id;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      row_id.push_back(numbering.global_id[i]);
      column_id.push_back(numbering.global_id[rows.column[k]]);
    }
  }
  row_id = comm.gather_on_root(row_id), column_id = comm.gather_on_root(column_id);
  const std::vector<real> value = comm.gather_on_root(rows.value);
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < value.size(); ++k) entries.emplace_back(row_id[k], column_id[k], value[k]);
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// What the file holds, `id` being the global id of each of its rows. Expects it to be well formed.
std::vector<Entry> entries_in(const fs::path& file, const std::vector<std::int64_t>& id) {
  Bytes in{content(file)};
  EXPECT_EQ(in.integer(), 1211216);
  const auto rows = static_cast<std::int64_t>(id.size());
  EXPECT_EQ(in.integer(), rows);
  EXPECT_EQ(in.integer(), rows);
  const std::int64_t nonzeros = in.integer();
  std::vector<std::int64_t> row, column;
  for (std::int64_t i = 0; i < rows; ++i) row.insert(row.end(), in.integer(), i);
  EXPECT_EQ(row.size(), nonzeros);
  for (std::int64_t k = 0; k < nonzeros; ++k) column.push_back(in.integer());
  std::vector<Entry> entries;
  for (std::int64_t k = 0; k < nonzeros; ++k) {
    EXPECT_TRUE(k == 0 || row[k] > row[k - 1] || column[k] > column[k - 1]) << "entry " << k;
    entries.emplace_back(id.at(row[k]), id.at(column[k]), in.number());
  }
  EXPECT_EQ(in.at, in.text.size());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// One folder for all ranks.
class MatrixFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-matrix-XXXXXX").string();
    if (comm.is_root() && !mkdtemp(name.data())) comm.abort(ExitCode::failure);
    folder = comm.broadcast(name);
  }
  void TearDown() override {
    comm.barrier();
    if (comm.is_root()) fs::remove_all(folder);
  }
  template <class Work>
  void expect_failure(const Work& work, const std::string& part) const {
    try {
      work();
      ADD_FAILURE() << "no failure: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::failure);
      EXPECT_TRUE(error.collective());
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  const Comm comm;
  fs::path folder;
};

TEST_F(MatrixFile, HoldsTheMatrixRankByRank) {
  for (const MeshSource& source : {unit_square(5, 0.3), unit_cube(2, 0.3)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(comm, source, p.partition);
      const LocalNumbering& numbering = mesh->numbering<Node>();
      const MatrixRows rows = p1_stiffness(*mesh);
      const fs::path file = folder / "stiffness.petsc";
      write_petsc_matrix(comm, file, rows, numbering);

      const std::vector<Entry> expected = entries_of(comm, rows, numbering);
      const std::vector<std::int64_t> own(numbering.global_id.begin(), numbering.global_id.begin() + numbering.owned);
      const std::vector<std::int64_t> id = comm.gather_on_root(own), rows_of_ranks = comm.gather(numbering.owned);
      if (comm.is_root()) {
        EXPECT_EQ(entries_in(file, id), expected) << p.name;
        const auto summary = nlohmann::json::parse(content(file.string() + ".json"));
        EXPECT_EQ(summary, (nlohmann::json{{"name", "stiffness"},
                                           {"rows", numbering.global_count},
                                           {"nonzeros", expected.size()},
                                           {"rows_of_ranks", rows_of_ranks}}));
        EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
      }
      comm.barrier();
    }
  }
}

TEST_F(MatrixFile, AFailureReachesEveryRank) {
  const auto mesh = make_mesh(comm, unit_square(4));
  const MatrixRows rows = p1_stiffness(*mesh);
  const auto write = [&](const fs::path& file, const MatrixRows& matrix) {
    write_petsc_matrix(comm, file, matrix, mesh->numbering<Node>());
  };
  expect_failure([&] { write(folder / "no-folder" / "a.petsc", rows); }, "a.petsc: cannot be written: No such");
  MatrixRows wrong = rows;
  const bool last = comm.rank() == comm.size() - 1;
  if (last) wrong.offset.push_back(wrong.offset.back());
  expect_failure([&] { write(folder / "a.petsc", wrong); }, "owned entities");
  wrong = rows;
  if (last) wrong.column.front() = mesh->total<Node>();
  expect_failure([&] { write(folder / "a.petsc", wrong); }, "a matrix has column");
  EXPECT_FALSE(fs::exists(folder / "a.petsc"));
}

}  // namespace
}  // namespace solenoid::test
