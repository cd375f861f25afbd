/// The product with a stored matrix against the same rows summed on the host: any row count, any row length, any
/// partition.
#include "solve/row_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "field/assign.hpp"
#include "operators/p1.hpp"
#include "reference/serial.hpp"
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
    SparseMatrix<L> matrix(rows, diagonal);
    const HostProduct expected = on_host(rows, x, unit ? 1 : 0);
    EXPECT_EQ(matrix.row_count(), mesh.owned<L>()) << which;
    EXPECT_GE(matrix.entries(), rows.value.size()) << which;
    y = matrix * halo(x);
    expect_rows(y, expected, which + ", formula");
    y.from_host(std::vector<real>(y.owned(), 1e300));
    x.from_host(x.to_host());  // halo copies may be out of date: multiply refreshes them
    multiply(matrix, x, y);
    expect_rows(y, expected, which + ", multiply");
    matrix.share_rows(mesh.comm(), rows);
    const std::int64_t count = mesh.comm().sum(std::int64_t{rows.rows()}),
                       entries = mesh.comm().sum(static_cast<std::int64_t>(rows.column.size()));
    EXPECT_EQ(matrix.shares() > 1, most_shares > 1 && entries >= 8 * count) << which;
    y.from_host(std::vector<real>(y.owned(), 1e300));
    multiply(matrix, x, y);
    expect_rows(y, expected, which + ", rows shared by threads");
  }
}

/// On the pattern of another matrix, in single precision: by a formula and by multiply.
template <class L>
void check_in_single(const LocalMesh& mesh, const MatrixRows& rows, const std::string& what) {
  const real single_round_off = 1e-6, factor = 0.3;
  const SparseMatrix<L> matrix(rows, SparseMatrix<L>::Diagonal::unit);
  const SparseMatrix<L, L, float> single(matrix, factor);
  EXPECT_EQ(single.entries(), matrix.entries()) << what;
  EXPECT_EQ(single.rows().column, matrix.rows().column) << what;
  Field<L> x = scattered_field<L>(mesh, 2);
  Field<L, float> of_single(mesh), y(mesh);
  of_single = operand(x);
  const HostProduct expected = on_host(rows, x, 1);
  const auto check_values = [&](const std::string& way) {
    const std::vector<float> found = y.to_host();
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], factor * expected.value[i], single_round_off * expected.magnitude[i]) << what << way;
    }
  };
  y = single * halo(of_single);
  check_values(", formula");
  y = 0 * y;
  multiply(single, of_single, y);
  check_values(", multiply");
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
  check_in_single<L>(mesh, rows, what + ", " + L::name);
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

template <class To, class From>
concept HasUnitDiagonal = std::is_constructible_v < SparseMatrix<To, From>,
        MatrixRows,
typename SparseMatrix<To, From>::Diagonal > ;
static_assert(HasUnitDiagonal<Cell, Cell>);
static_assert(!HasUnitDiagonal<Cell, Face>);

/// An incidence as a matrix.
MatrixRows rows_of(const IncidenceRows& table) {
  return {table.offset, table.index, std::vector<real>(table.sign.begin(), table.sign.end())};
}

/// matrix x for scattered x, as a formula and with its halo on the way, against the values of the whole mesh.
template <class To, class From>
void expect_product(const LocalMesh& mesh, const MatrixRows& rows, Field<From>& x, const std::vector<real>& expected,
                    const std::string& what) {
  const SparseMatrix<To, From> matrix(rows, x.layout());
  EXPECT_EQ(matrix.row_count(), mesh.owned<To>()) << what;
  Field<To> formula(mesh), product(mesh);
  formula = matrix * halo(x);
  x.from_host(x.to_host());  // halo copies may be out of date: multiply refreshes them
  multiply(matrix, x, product);
  const std::vector<real> found = gather(formula), again = gather(product);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-14) << what << ", row " << i;
    EXPECT_EQ(again[i], found[i]) << what << ", row " << i;
  }
}

TEST(SparseMatrix, BetweenTwoLocationsEqualsTheSerialLoop) {
  for (const MeshSource& source : {unit_square(7, 0.3), unit_cube(3, 0.2)}) {
    const SerialMesh serial(source);
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      Field<Face> flux = scattered_field<Face>(*mesh, 2);
      Field<Edge> potential = scattered_field<Edge>(*mesh, 3);
      expect_product<Cell>(*mesh, rows_of(mesh->D.host()), flux, serial.divergence(gather(flux)), p.name + ", D");
      expect_product<Edge>(*mesh, rows_of(mesh->R.host()), flux, serial.rotation(gather(flux)), p.name + ", R");
      expect_product<Face>(*mesh, rows_of(mesh->C.host()), potential, serial.curl(gather(potential)), p.name + ", C");
    }
  }
}

struct Pair {  // what two cells with neighbouring ids share: a coarse level
  static constexpr const char* name = "pair";
};

/// The pairs of all cells, dealt out to the ranks in turn; a rank copies those that its own cells belong to.
LocalNumbering pairs_of(const LocalMesh& mesh) {
  const int ranks = mesh.comm().size(), own = mesh.comm().rank();
  LocalNumbering numbering;
  numbering.global_count = (mesh.global_count<Cell>() + 1) / 2;
  std::vector<std::set<std::int64_t>> from(ranks);
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    const std::int64_t pair = mesh.numbering<Cell>().global_id[c] / 2;
    from[pair % ranks].insert(pair);
  }
  from[own].clear();
  for (std::int64_t pair = own; pair < numbering.global_count; pair += ranks) {
    numbering.global_id.push_back(pair);
    numbering.owner.push_back(own);
    ++numbering.owned;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    numbering.global_id.insert(numbering.global_id.end(), from[rank].begin(), from[rank].end());
    numbering.owner.resize(numbering.global_id.size(), rank);
  }
  return numbering;
}

TEST(SparseMatrix, InterpolatesFromALayoutOfItsOwn) {
  const MeshSource source = unit_square(6);
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), source, p.partition);
    const Layout pairs(mesh->comm(), pairs_of(*mesh));
    const auto& ids = pairs.numbering().global_id;
    const auto weight_of = [](std::int64_t cell) { return cell % 5 == 3 ? 0 : value_of(cell, 7); };
    MatrixRows rows;  // some of them without an entry
    for (int c = 0; c < mesh->owned<Cell>(); ++c) {
      const std::int64_t id = mesh->numbering<Cell>().global_id[c];
      if (weight_of(id) != 0) {
        rows.column.push_back(static_cast<int>(std::find(ids.begin(), ids.end(), id / 2) - ids.begin()));
        rows.value.push_back(weight_of(id));
      }
      rows.offset.push_back(static_cast<int>(rows.column.size()));
    }
    std::vector<real> values, expected;
    for (int i = 0; i < pairs.owned(); ++i) values.push_back(value_of(ids[i], 4));
    for (std::int64_t id = 0; id < mesh->global_count<Cell>(); ++id) {
      expected.push_back(weight_of(id) * value_of(id / 2, 4));
    }
    Field<Pair> coarse(pairs, values);
    expect_product<Cell>(*mesh, rows, coarse, expected, p.name);
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
