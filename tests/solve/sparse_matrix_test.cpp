/// The product with a stored matrix against the same rows summed on the host: any row count, any row length, any
/// partition.
#include "solve/row_pass.hpp"

#include <gtest/gtest.h>

#include <set>

#include "field/assign.hpp"
#include "operators/p1.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// Rows that differ as much as rows can: without entries, with the diagonal, with a few neighbours, with all there is.
template <class L>
MatrixRows uneven_rows(const LocalMesh& mesh) {
  const auto& id = mesh.numbering<L>().global_id;
  MatrixRows rows;
  for (int i = 0; i < mesh.owned<L>(); ++i) {
    const int kind = static_cast<int>(id[i] % 7), total = mesh.total<L>();
    const auto add = [&](int column) {
      rows.column.push_back(column);
      rows.value.push_back(value_of(id[i] * mesh.global_count<L>() + id[column], 5));
    };
    if (kind == 1) add(i);
    if (kind == 2) add((i + 1) % total);
    if (kind == 3 || kind == 4) {
      for (int column = std::max(0, i - kind); column < std::min(total, i + kind); ++column) add(column);
    }
    if (kind == 5) {
      for (int column = 0; column < total; ++column) add(column);
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

/// (A x)_i of this rank's rows, and the sum of the magnitudes that went into it.
struct HostProduct {
  std::vector<real> value, magnitude;
};
template <class L>
HostProduct on_host(const MatrixRows& rows, Field<L>& x, real diagonal) {
  halo(x);
  const std::vector<real> values = x.all_to_host();
  HostProduct result;
  for (int i = 0; i < rows.rows(); ++i) {
    real sum = diagonal * values[i], magnitude = std::abs(sum);
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      sum += rows.value[k] * values[rows.column[k]];
      magnitude += std::abs(rows.value[k] * values[rows.column[k]]);
    }
    result.value.push_back(sum);
    result.magnitude.push_back(magnitude);
  }
  return result;
}

template <class L>
void expect_rows(const Field<L>& found, const HostProduct& expected, const std::string& what) {
  const std::vector<real> y = found.to_host();
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(y[i], expected.value[i], 1e-14 * expected.magnitude[i]) << what << ", row " << i;
}

/// Both ways to a product, with both kinds of diagonal.
template <class L>
void check_products(const LocalMesh& mesh, const MatrixRows& rows, const std::string& what) {
  Field<L> x = scattered_field<L>(mesh, 2), y(mesh);
  for (const auto diagonal : {SparseMatrix<L>::Diagonal::stored, SparseMatrix<L>::Diagonal::unit}) {
    const bool unit = diagonal == SparseMatrix<L>::Diagonal::unit;
    const std::string which = what + (unit ? ", unit diagonal" : ", stored diagonal");
    const SparseMatrix<L> matrix(rows, diagonal);
    const HostProduct expected = on_host(rows, x, unit ? 1 : 0);
    EXPECT_EQ(matrix.row_count(), mesh.owned<L>()) << which;
    EXPECT_GE(matrix.entries(), rows.value.size()) << which;
    y = matrix * halo(x);
    expect_rows(y, expected, which + ", formula");
    y.from_host(std::vector<real>(y.owned(), 1e300));
    x.from_host(x.to_host());  // halo copies may be out of date: multiply refreshes them
    multiply(matrix, x, y);
    expect_rows(y, expected, which + ", multiply");
  }
}

/// Every slice once, and the inner ones without a column of the halo.
template <class L>
void check_slices(const MatrixRows& rows, const std::string& what) {
  const SparseMatrix<L> matrix(rows);
  const std::vector<int> inner = matrix.inner_slices().to_host(), outer = matrix.outer_slices().to_host();
  std::multiset<int> all(inner.begin(), inner.end());
  all.insert(outer.begin(), outer.end());
  std::multiset<int> expected;
  for (int s = 0; s * pack_width < rows.rows(); ++s) expected.insert(s);
  EXPECT_EQ(all, expected) << what;
  const std::vector<int> at_places = matrix.rows_at_places().to_host();
  const auto reaches_out = [&](int slice) {
    const int last = std::min(rows.rows(), (slice + 1) * pack_width);
    for (int place = slice * pack_width; place < last; ++place) {
      const int i = at_places.empty() ? place : at_places[place];
      for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
        if (rows.column[k] >= rows.rows()) return true;
      }
    }
    return false;
  };
  for (int slice : inner) EXPECT_FALSE(reaches_out(slice)) << what << ", inner slice " << slice;
  for (int slice : outer) EXPECT_TRUE(reaches_out(slice)) << what << ", outer slice " << slice;
}

template <class L>
void check(const LocalMesh& mesh, const MatrixRows& rows, const std::string& what) {
  check_products<L>(mesh, rows, what + ", " + L::name);
  check_slices<L>(rows, what + ", " + L::name);
}

TEST(SparseMatrix, EqualsItsRowsOnAnyPartition) {
  for (const MeshSource& source : {unit_square(7, 0.3), unit_cube(3, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      check<Node>(*mesh, p1_stiffness(*mesh), p.name + ", stiffness");
      check<Node>(*mesh, uneven_rows<Node>(*mesh), p.name);
      check<Edge>(*mesh, uneven_rows<Edge>(*mesh), p.name);
      check<Face>(*mesh, uneven_rows<Face>(*mesh), p.name);
      check<Cell>(*mesh, uneven_rows<Cell>(*mesh), p.name);
    }
  }
}

TEST(SparseMatrix, TakesRowCountsAroundItsSlices) {
  for (int cells : {1, 7, 8, 9, 31, 32, 33, 63, 64, 65}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), strip(cells), p.partition);
      check<Cell>(*mesh, uneven_rows<Cell>(*mesh), p.name + ", " + std::to_string(cells) + " cells");
      check<Node>(*mesh, p1_stiffness(*mesh), p.name + ", " + std::to_string(cells) + " cells");
    }
  }
}

TEST(SparseMatrix, WithoutEntriesIsZeroOrTheIdentity) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(4), p.partition);
    MatrixRows empty;
    empty.offset.assign(mesh->owned<Cell>() + 1, 0);
    check<Cell>(*mesh, empty, p.name);
    EXPECT_EQ(SparseMatrix<Cell>(empty).entries(), 0u);
  }
}

/// Rows of very different lengths are stored with few zeros between them.
TEST(SparseMatrix, SortsRowsOfDifferentLengths) {
  const auto mesh = make_mesh(Comm(), unit_square(12));
  const auto& id = mesh->numbering<Cell>().global_id;
  MatrixRows rows;
  for (int i = 0; i < mesh->owned<Cell>(); ++i) {
    for (int k = 0; k < (id[i] % 2 == 0 ? 1 : 9); ++k) {
      rows.column.push_back(k % mesh->total<Cell>());
      rows.value.push_back(value_of(id[i] * 16 + k));
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
  }
  check<Cell>(*mesh, rows, "short and long rows");
  const SparseMatrix<Cell> matrix(rows);
  const std::size_t unsorted = static_cast<std::size_t>((rows.rows() + pack_width - 1) / pack_width) * pack_width * 9;
  if (rows.rows() >= 4 * pack_width) {
    EXPECT_LE(matrix.entries(), unsorted * 3 / 4);
  }
}

/// Entries beside the last row of an incomplete slice must not bring in what is not there.
TEST(SparseMatrix, PaddingBringsNothingIn) {
  const auto mesh = make_mesh(Comm(), strip(9));
  MatrixRows rows;  // the diagonal alone, but for the first row
  for (int i = 0; i < mesh->owned<Cell>(); ++i) {
    for (int k = 0; k < (i == 0 ? mesh->owned<Cell>() : 1); ++k) {
      rows.column.push_back(i == 0 ? k : i);
      rows.value.push_back(1);
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
  }
  Field<Cell> x(*mesh), y(*mesh);
  std::vector<real> values(x.owned(), 1);
  if (!values.empty()) values.front() = std::nan("");
  x.from_host(values);
  y = SparseMatrix<Cell>(rows) * halo(x);
  const std::vector<real> found = y.to_host();
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_EQ(found[i], 1);
}

}  // namespace
}  // namespace solenoid::test
