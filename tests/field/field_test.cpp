/// Fields: what must not compile, formulas, inner products, and the licence to gather.
#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

template <class A, class B>
concept Multiplies = requires(const A& a, const B& b) {
  a* b;
};

// Gathering from values that were not exchanged, or from another location, does not compile.
static_assert(Multiplies<Incidence<Cell, Face>, Exchanged<Face>>);
static_assert(!Multiplies<Incidence<Cell, Face>, Field<Face>>);
static_assert(!Multiplies<Incidence<Cell, Face>, Exchanged<Cell>>);
static_assert(!std::is_constructible_v<Exchanged<Face>, const Field<Face>&>);
static_assert(!std::is_assignable_v<Field<Cell>&,
                                    decltype(std::declval<Incidence<Face, Cell>>() * std::declval<Exchanged<Cell>>())>);

TEST(Field, EvaluatesAFormulaInPlace) {
  const auto mesh = make_mesh(Comm(), unit_square(5));
  Field<Cell> x = scattered_field<Cell>(*mesh, 1), y = scattered_field<Cell>(*mesh, 2), z(*mesh);
  z = 2 * x - y / x + x * (y + 3 * y) - -y;
  const auto a = x.to_host(), b = y.to_host(), c = z.to_host();
  for (int i = 0; i < z.owned(); ++i) EXPECT_DOUBLE_EQ(c[i], 2 * a[i] - b[i] / a[i] + a[i] * (b[i] + 3 * b[i]) + b[i]);
  x = x + y;
  EXPECT_DOUBLE_EQ(x.to_host().empty() ? 0 : x.to_host()[0], a.empty() ? 0 : a[0] + b[0]);
}

TEST(Field, FormulasTellWhatTheyMove) {
  const auto mesh = make_mesh(Comm(), unit_square(5));
  Field<Cell> x = scattered_field<Cell>(*mesh, 1), y = scattered_field<Cell>(*mesh, 2), z(*mesh);
  Field<Face> flux = scattered_field<Face>(*mesh, 3);
  auto moved = [before = traffic()]() mutable { return traffic() - std::exchange(before, traffic()); };
  constexpr std::int64_t word = sizeof(real);
  z = 2 * x - y / x + x;  // x is read once
  EXPECT_EQ(moved(), 3 * word * z.owned());
  z = mesh->D * halo(flux) - y;
  EXPECT_EQ(moved(), mesh->D.bytes() + word * (flux.total() + 2 * z.owned()));
  norm(x);
  EXPECT_EQ(moved(), word * x.owned());
}

TEST(Field, InnerProductsCountEachEntityOnce) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_cube(3), p.partition);
    const Field<Edge> x = scattered_field<Edge>(*mesh, 1), y = scattered_field<Edge>(*mesh, 2);
    real expected = 0, largest = 0;
    for (std::int64_t id = 0; id < mesh->global_count<Edge>(); ++id) {
      expected += value_of(id, 1) * value_of(id, 2);
      largest = std::max(largest, std::abs(value_of(id, 1)));
    }
    EXPECT_NEAR(dot(x, y), expected, 1e-13 * norm(x) * norm(y)) << p.name;
    EXPECT_EQ(max_magnitude(x), largest) << p.name;
  }
}

struct Block {  // entities of no mesh
  static constexpr const char* name = "block";
};

/// `count` blocks dealt out in turn; a rank copies those before and after its own.
LocalNumbering dealt_out(const Comm& comm, std::int64_t count) {
  LocalNumbering numbering;
  numbering.global_count = count;
  const auto owner_of = [&](std::int64_t id) { return static_cast<int>(id / 2 % comm.size()); };
  const auto add = [&](std::int64_t id) {
    numbering.global_id.push_back(id);
    numbering.owner.push_back(owner_of(id));
  };
  for (std::int64_t id = 0; id < count; ++id) {
    if (owner_of(id) == comm.rank()) add(id), ++numbering.owned;
  }
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (std::int64_t id = 0; id < count && rank != comm.rank(); ++id) {
      const bool is_near = (id > 0 && owner_of(id - 1) == comm.rank()) || owner_of(id + 1) == comm.rank();
      if (owner_of(id) == rank && is_near) add(id);
    }
  }
  return numbering;
}

TEST(Field, StandsOnALayoutOfNoMesh) {
  const Comm comm;
  constexpr std::int64_t count = 23;
  const Layout layout(comm, dealt_out(comm, count));
  EXPECT_EQ(comm.sum(std::int64_t{layout.owned()}), count);
  std::vector<real> values;
  for (int i = 0; i < layout.owned(); ++i) values.push_back(value_of(layout.numbering().global_id[i]));
  Field<Block> x(layout, values), twice(layout);
  twice = 2 * x;
  halo(twice);
  const std::vector<real> found = twice.all_to_host();
  ASSERT_EQ(static_cast<int>(found.size()), layout.total());
  real squares = 0;
  for (std::int64_t id = 0; id < count; ++id) squares += value_of(id) * value_of(id);
  for (int i = 0; i < layout.total(); ++i) EXPECT_EQ(found[i], 2 * value_of(layout.numbering().global_id[i]));
  EXPECT_NEAR(dot(x, twice), 2 * squares, 1e-13 * squares);
  EXPECT_THROW(x.mesh(), Error);
}

TEST(Field, WorkFitsBetweenTheHalvesOfAnExchange) {
  const auto mesh = make_mesh(Comm(), unit_square(6));
  Field<Face> flux = scattered_field<Face>(*mesh);
  Field<Cell> inner = scattered_field<Cell>(*mesh), divergence(*mesh), expected(*mesh);
  expected = mesh->D * halo(flux);
  Exchange<Face> exchange;
  exchange.start(flux);
  inner = 2 * inner;
  divergence = mesh->D * exchange.finish();
  EXPECT_EQ(divergence.to_host(), expected.to_host());
}

#ifdef SOLENOID_CHECKED
TEST(Field, GatheringFromChangedValuesThrows) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  Field<Face> flux = scattered_field<Face>(*mesh);
  Field<Cell> divergence(*mesh);
  const Exchanged<Face> exchanged = halo(flux);
  EXPECT_NO_THROW(divergence = mesh->D * exchanged);
  flux = 2 * flux;
  EXPECT_THROW(divergence = mesh->D * exchanged, Error);
  EXPECT_NO_THROW(divergence = mesh->D * halo(flux));
}

TEST(Field, ExchangingInsideAGuardThrows) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  Field<Face> flux = scattered_field<Face>(*mesh);
  EXPECT_THROW(Comm().guard([&] { halo(flux); }), Error);
  EXPECT_NO_THROW(halo(flux));
}

TEST(Field, NewArraysArePoisoned) {
  const std::vector<real> values = DeviceArray<real>(10).to_host();
  for (real v : values) EXPECT_TRUE(std::isnan(v));
}
#endif

}  // namespace
}  // namespace solenoid::test
