/// Periodic pairs: what is the same on both patches, what is a place of its own, and pairs that cannot be joined.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "mesh/domain.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

MeshSource square_of_sides(int n, std::vector<std::pair<std::string, std::string>> pairs) {
  MeshSource source = with_patches(unit_square(n, 0.3), side_of_square);
  source.pairs = std::move(pairs);
  return source;
}

const std::pair<std::string, std::string> across{"left", "right"}, upward{"bottom", "top"};

class PeriodicOnPartitions : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<LocalMesh> share_out_of(const MeshSource& source) const {
    return make_mesh(Comm(), source, all_partitioners()[GetParam()].partition);
  }
};

TEST_P(PeriodicOnPartitions, ATorusHasNoBoundaryAndEulerCharacteristicZero) {
  const auto mesh = share_out_of(square_of_sides(6, {across, upward}));
  EXPECT_EQ(mesh->global_count<Node>(), 36);
  EXPECT_EQ(mesh->global_count<Cell>(), 72);
  EXPECT_EQ(mesh->global_count<Face>(), 108);
  EXPECT_EQ(mesh->boundary().size(), 0);
  EXPECT_TRUE(mesh->part().patches.empty());
  EXPECT_EQ(mesh->part().pairs.size(), 2u);
}

TEST_P(PeriodicOnPartitions, ACurlHasNoDivergenceInBits) {
  for (const auto& pairs : {std::vector{across}, std::vector{across, upward}}) {
    const auto mesh = share_out_of(square_of_sides(7, pairs));
    Field<Edge> potential = scattered_field<Edge>(*mesh);
    for (int i = 0; i < 2; ++i) potential = real(1024) * potential;
    std::vector<real> whole;
    for (const real value : potential.to_host()) whole.push_back(std::floor(value));
    potential.from_host(whole);
    Field<Face> flux(*mesh);
    flux = mesh->C * halo(potential);
    Field<Cell> divergence(*mesh);
    divergence = mesh->D * halo(flux);
    EXPECT_EQ(max_magnitude(divergence), 0);
    EXPECT_GT(max_magnitude(flux), 0);
  }
}

TEST_P(PeriodicOnPartitions, ConstantsAreInterpolatedWhereACellLies) {
  const auto mesh = share_out_of(square_of_sides(6, {across, upward}));
  const Vec3 u{0.7, -0.4, 0};
  Field<Face> flux = constant_flux(*mesh, u);
  Field<Cell, Vec3> velocity(*mesh);
  interpolate(halo(flux), velocity);
  for (const Vec3& there : velocity.to_host()) EXPECT_NEAR(norm(there - u), 0, 1e-13);
}

TEST_P(PeriodicOnPartitions, TheLaplacianOfAWaveThatFitsIsThatOfTheSquareBeside) {
  const auto mesh = share_out_of(square_of_sides(24, {across, upward}));
  const SparseMatrix<Node> stiffness(p1_stiffness(*mesh));
  const real k = 2 * std::numbers::pi_v<real>;
  const auto wave = [k](const Vec3& x) { return std::sin(k * (x.x + x.y) + 1); };
  Field<Node> values = sampled_field<Node>(*mesh, wave), product(*mesh);
  product = stiffness * halo(values);
  const real energy = dot(values, product);  // of the gradient: k^2
  EXPECT_NEAR(energy, k * k, 0.06 * k * k);
  Field<Node> constant = sampled_field<Node>(*mesh, [](const Vec3&) { return 1; });
  product = stiffness * halo(constant);
  EXPECT_LT(max_magnitude(product), 1e-13);
}

TEST_P(PeriodicOnPartitions, FacesOfAPairPointFromTheFirstPatchToTheSecond) {
  const auto mesh = share_out_of(square_of_sides(6, {across, upward}));
  const MeshPart& part = mesh->part();
  std::array<real, 2> through{0, 0};
  for (int f = 0; f < mesh->owned<Face>(); ++f) {
    const int pair = part.face_pair[f];
    if (pair == 0) continue;
    const Vec3 area = (pair > 0 ? 1 : -1) * mesh->geometry().face_area[f] * mesh->geometry().face_normal[f];
    through[std::abs(pair) - 1] += std::abs(pair) == 1 ? area.x : area.y;
    EXPECT_NEAR(std::abs(pair) == 1 ? mesh->geometry().face_centre[f].x : mesh->geometry().face_centre[f].y, 0, 1e-12);
  }
  Comm().sum(std::span<real>(through));
  EXPECT_NEAR(through[0], 1, 1e-12);
  EXPECT_NEAR(through[1], 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Partitions, PeriodicOnPartitions, testing::Range(0, 4), [](const auto& test) {
  std::string name = all_partitioners()[test.param].name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(PeriodicMesh, IsTheSameInBitsUnderACopyOfAnyPoint) {
  const GlobalMesh mesh = build_topology(square_of_sides(5, {across, upward}));
  EXPECT_EQ(mesh.nodes(), 25);
  EXPECT_EQ(mesh.copy_node.size(), 11u);
  for (std::size_t k = 0; k < mesh.copy_node.size(); ++k) {
    const Vec3 by = mesh.points[mesh.nodes() + k] - mesh.points[mesh.copy_node[k]];
    EXPECT_NEAR(by.x, mesh.copy_turns[2 * k], 1e-14);
    EXPECT_NEAR(by.y, mesh.copy_turns[2 * k + 1], 1e-14);
  }
  const Domain domain = examine_domain(mesh);
  EXPECT_EQ(domain.parts.size(), 1u);
}

std::string message_of(const MeshSource& source) {
  try {
    build_topology(source);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "";
}

TEST(PeriodicMesh, SaysWhatKeepsPatchesFromBeingJoined) {
  EXPECT_NE(message_of(square_of_sides(5, {{"left", "rigth"}})).find("did you mean \"right\"?"), std::string::npos);
  EXPECT_NE(message_of(square_of_sides(5, {across, {"left", "top"}})).find("is in a pair already"), std::string::npos);
  EXPECT_NE(message_of(square_of_sides(5, {{"left", "top"}})).find("is no node of"), std::string::npos);
  EXPECT_NE(message_of(square_of_sides(2, {across})).find("fewer than three cells"), std::string::npos);
  EXPECT_NE(message_of(square_of_sides(1, {across})).find("fewer than three cells"), std::string::npos);
  MeshSource longer = square_of_sides(5, {across});
  for (Vec3& x : longer.points) {
    if (x.x > 1 - 1e-9 && x.y > 0.3 && x.y < 0.5) x.y += 0.01;
  }
  EXPECT_NE(message_of(longer).find("is no node of"), std::string::npos);
}

}  // namespace
}  // namespace solenoid::test
