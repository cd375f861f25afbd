/// Divergence passed along trees of cells: none is left, the numbers are those of a walk from cell to cell, and a GPU
/// keeps the fluxes.
#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "field/inner_product.hpp"
#include "operators/assemble.hpp"
#include "parallel/memory.hpp"
#include "parallel/stream.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"
#include "support/exact_sums.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Fluxes that balance nowhere, in a domain that is open, closed, or closed with given fluxes.
TEST(SpanningTreeProjection, BalancesWhateverIsLeft) {
  std::vector<real> of_first[2];  // on the first partition
  std::vector<NamedPartitioner> partitions{all_partitioners().front()};
  partitions.insert(partitions.end(), partitioners().begin(), partitioners().end());
  for (const NamedPartitioner& p : partitions) {
    const auto mesh = make_mesh(Comm(), with_patches(square_with_hole(9), side_of_branching), p.partition);
    for (const bool is_open : {true, false}) {
      const FlowBoundaries boundaries = is_open ? branching(*mesh, 0) : FlowBoundaries(Wall{});
      std::vector<char> is_given(mesh->total<Face>(), 0);
      for (const BoundaryFace& b : mesh->boundary()) is_given[b.face] = !boundaries.outlet(b.patch);
      std::vector<real> values;
      for (int f = 0; f < mesh->owned<Face>(); ++f) {
        values.push_back(is_given[f] ? 0 : std::sin(real(7 * mesh->numbering<Face>().global_id[f])));
      }
      Field<Face> flux(*mesh, values);
      round_to_grid(1, flux);
      EXPECT_GT(max_divergence(flux), 0);
      Field<Face> by_distance(*mesh);
      by_distance.copy_from(flux);
      SpanningTreeProjection(*mesh, boundaries).balance(grid_spacing(1), flux);
      EXPECT_EQ(max_divergence(flux), 0) << p.name << is_open;
      const std::vector<real> balanced = flux.to_host();
      const ExactSums exact;
      SpanningTreeProjection(*mesh, boundaries).balance(grid_spacing(1), by_distance);
      EXPECT_EQ(max_divergence(by_distance), 0) << p.name << is_open;
      const std::vector<real> whole = gather(by_distance);  // by global ids
      if (!of_first[is_open].empty()) {
        EXPECT_EQ(whole, of_first[is_open]) << p.name << is_open;
      }
      of_first[is_open] = whole;
      for (int f = 0; f < mesh->owned<Face>(); ++f) {
        if (is_given[f]) {
          EXPECT_EQ(balanced[f], 0);
        }
      }
    }
  }
}

struct Domain {
  std::string name;
  MeshSource source;
  bool is_open;  // through "right"
};

MeshSource periodic(MeshSource source, std::vector<std::pair<std::string, std::string>> pairs) {
  source.pairs = std::move(pairs);
  return source;
}

std::vector<Domain> domains() {
  const auto in_the_middle = [](const Vec3& x) { return x.x > 0.4 && x.x < 0.6; };
  const auto in_two = [&](const MeshSource& source, const auto& side) {
    return with_patches(without_cells(source, in_the_middle, "middle"), side);
  };
  const MeshSource square = with_patches(unit_square(8, 0.3), side_of_square);
  const MeshSource cube = with_patches(unit_cube(4, 0.2), side_of_cube);
  const MeshSource even_cube = with_patches(unit_cube(4), side_of_cube);
  return {{"square", square, true},
          {"closed square", square, false},
          {"periodic square", periodic(square, {{"left", "right"}}), false},
          {"torus", periodic(square, {{"left", "right"}, {"bottom", "top"}}), false},
          {"open and closed part", in_two(unit_square(10), side_of_square), true},
          {"two closed parts", in_two(unit_square(10), side_of_square), false},
          {"cube", cube, true},
          {"closed cube", cube, false},
          {"periodic cube", periodic(even_cube, {{"left", "right"}}), false},
          {"open and closed part of a cube", in_two(unit_cube(5), side_of_cube), true}};
}

FlowBoundaries boundaries_of(const LocalMesh& mesh, bool is_open) {
  return is_open ? conditions(mesh, {{"right", Outlet{}}}) : FlowBoundaries(Wall{});
}

/// Fluxes that balance nowhere, 0 where they are given.
Field<Face> unbalanced(const LocalMesh& mesh, const FlowBoundaries& boundaries, int salt) {
  std::vector<real> values;
  for (int f = 0; f < mesh.owned<Face>(); ++f) values.push_back(value_of(mesh.numbering<Face>().global_id[f], salt));
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned && !boundaries.outlet(b.patch)) values[b.face] = 0;
  }
  Field<Face> flux(mesh, values);
  round_to_grid(1, flux);
  return flux;
}

/// The walk along the faces `of_tree`, on one rank that has the whole mesh: a cell with one of them left passes through
/// it all that flows out of it. Expects that this ends everywhere.
std::vector<real> walked(const LocalMesh& mesh, std::vector<real> flux, std::vector<char> of_tree) {
  const IncidenceRows& faces = mesh.D.host();
  const CellsOfFaces cells(mesh.part());
  std::vector<real> left(mesh.owned<Cell>(), 0);
  std::vector<int> open;
  const auto slots_left = [&](int c) {
    std::vector<int> slots;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      if (of_tree[faces.index[k]]) slots.push_back(k);
    }
    return slots;
  };
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) left[c] += faces.sign[k] * flux[faces.index[k]];
    open.push_back(c);
  }
  while (!open.empty()) {
    const int c = open.back();
    open.pop_back();
    const std::vector<int> slots = slots_left(c);
    if (slots.size() != 1) continue;
    const int f = faces.index[slots[0]], other = cells.across(f, c);
    of_tree[f] = 0;
    flux[f] -= faces.sign[slots[0]] * left[c];
    if (other >= 0) left[other] += left[c], open.push_back(other);
    left[c] = 0;
  }
  EXPECT_EQ(left, std::vector<real>(left.size(), 0));
  EXPECT_EQ(std::count(of_tree.begin(), of_tree.end(), 1), 0);
  return flux;
}

/// Fluxes without a zero show the tree; it is the same for others.
void expect_walked(const Domain& domain, const NamedPartitioner& p) {
  const auto whole = make_mesh(alone(), domain.source);
  const auto mesh = make_mesh(Comm(), domain.source, p.partition);
  const FlowBoundaries boundaries = boundaries_of(*mesh, domain.is_open);
  SpanningTreeProjection tree(*mesh, boundaries);
  std::vector<char> of_tree;
  for (const int salt : {1, 2}) {
    Field<Face> flux = unbalanced(*mesh, boundaries, salt);
    const std::vector<real> before = gather(flux);
    tree.balance(grid_spacing(1), flux);
    const std::vector<real> after = gather(flux);
    EXPECT_EQ(max_divergence(flux), 0);
    if (salt == 1) {
      for (std::size_t f = 0; f < after.size(); ++f) of_tree.push_back(after[f] != before[f]);
    }
    EXPECT_EQ(after, walked(*whole, before, of_tree));
  }
}

TEST(SpanningTreeProjection, IsAWalkFromLeavesToRoots) {
  for (const Domain& domain : domains()) {
    for (const NamedPartitioner& p : partitioners()) {
      SCOPED_TRACE(domain.name + ", " + p.name);
      expect_walked(domain, p);
      const ExactSums exact;
      expect_walked(domain, p);
    }
  }
}

TEST(SpanningTreeProjection, PassesFluxOfAnySize) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(8, 0.3), side_of_square));
  const FlowBoundaries boundaries = boundaries_of(*mesh, true);
  SpanningTreeProjection tree(*mesh, boundaries);
  Field<Face> flux = unbalanced(*mesh, boundaries, 1);
  tree.balance(grid_spacing(1), flux);
  const std::vector<real> expected = gather(flux);
  const int lowest = std::numeric_limits<real>::min_exponent + 60 - std::numeric_limits<real>::digits;  // subnormal
  for (const int exponent : {lowest, -100, 100}) {
    const real factor = std::ldexp(real{1}, exponent);
    std::vector<real> scaled = unbalanced(*mesh, boundaries, 1).to_host();
    for (real& value : scaled) value = std::ldexp(value, exponent);
    Field<Face> other(*mesh, scaled);
    tree.balance(grid_spacing(factor), other);
    std::vector<real> found = gather(other);
    for (real& value : found) value = std::ldexp(value, -exponent);
    EXPECT_EQ(found, expected) << exponent;
  }
}

/// As from a solve that failed.
TEST(SpanningTreeProjection, LeavesWhatIsNotFinite) {
  const auto mesh = make_mesh(Comm(), unit_square(6));
  const FlowBoundaries boundaries{Wall{}};
  std::vector<real> values = unbalanced(*mesh, boundaries, 1).to_host();
  if (!values.empty()) values[0] = std::numeric_limits<real>::quiet_NaN();
  Field<Face> flux(*mesh, values);
  SpanningTreeProjection(*mesh, boundaries).balance(1, flux);
  EXPECT_TRUE(std::isnan(max_magnitude(flux)));
}

/// One number a tree goes to the host, none on a rank alone.
TEST(SpanningTreeProjection, KeepsFluxesOnTheDevice) {
  const auto mesh = make_mesh(Comm(), unit_square(16, 0.3));
  const FlowBoundaries boundaries{Wall{}};
  SpanningTreeProjection tree(*mesh, boundaries);
  Field<Face> flux = unbalanced(*mesh, boundaries, 1);
  const auto of = [&](const auto& work) {
    const std::int64_t copied = bytes_copied_to_host();
    const long launched = kernel_launches();
    work();
    return std::pair(bytes_copied_to_host() - copied, kernel_launches() - launched);
  };
  const auto exchange = of([&] { halo(flux); });
  const auto all = of([&] { tree.balance(grid_spacing(1), flux); });
  const bool is_alone = mesh->comm().size() == 1;
  constexpr int most_trees = 4;  // of a rank
  EXPECT_LE(all.first - exchange.first, is_alone ? 0 : (most_trees + 1) * static_cast<int>(sizeof(std::uint64_t)));
  EXPECT_LE(all.second - exchange.second, is_alone ? 4 : 7);
}

}  // namespace
}  // namespace solenoid::test
