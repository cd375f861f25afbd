/// Integrals over patches: areas, linear functions and constant fluxes are integrated exactly, on any partition.
#include "model/patch_integral.hpp"

#include <gtest/gtest.h>

#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// The numbers of the patches "lid" (y = 1) and "wall" (the other sides) of the unit square and cube.
int number_of(const LocalMesh& mesh, const std::string& patch) {
  const std::vector<std::string>& all = mesh.part().patches;
  return static_cast<int>(std::find(all.begin(), all.end(), patch) - all.begin());
}

/// `work(mesh)` on the unit square and cube, with every partition.
template <class Work>
void on_meshes(const Work& work) {
  for (const MeshSource& source : {unit_square(7, 0.3), unit_cube(3, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) work(*make_mesh(Comm(), source, p.partition));
  }
}

TEST(PatchIntegral, HasTheAreaOfItsPatches) {
  on_meshes([](const LocalMesh& mesh) {
    const int lid = number_of(mesh, "lid"), wall = number_of(mesh, "wall"), sides = 2 * mesh.dimension();
    EXPECT_NEAR(PatchIntegral(mesh, {lid}).area(), 1, round_off);
    EXPECT_NEAR(PatchIntegral(mesh, {wall}).area(), sides - 1, round_off * sides);
    EXPECT_NEAR(PatchIntegral(mesh, {wall, lid}).area(), sides, round_off * sides);
    EXPECT_EQ(PatchIntegral(mesh, {}).area(), 0);
  });
}

TEST(PatchIntegral, IsExactForLinearValuesAtNodes) {
  on_meshes([](const LocalMesh& mesh) {
    auto values = sampled_field<Node>(mesh, [](const Vec3& x) { return 2 * x.x + 3 * x.y + x.z; });
    halo(values);
    const int lid = number_of(mesh, "lid"), wall = number_of(mesh, "wall");
    const bool planar = mesh.dimension() == 2;
    EXPECT_NEAR(PatchIntegral(mesh, {lid}).of(&values).at(0), planar ? 4 : 4.5, 5 * round_off);
    EXPECT_NEAR(PatchIntegral(mesh, {wall, lid}).of(&values).at(0), planar ? 10 : 18, 20 * round_off);
  });
}

TEST(PatchIntegral, OfAConstantFluxIsWhatThePatchLetsThrough) {
  on_meshes([](const LocalMesh& mesh) {
    const Vec3 flux{0.7, -1.1, mesh.dimension() == 2 ? real{0} : real{0.4}};
    Field<Cell, Vec3> in_cells(mesh, std::vector<Vec3>(mesh.owned<Cell>(), flux));
    BoundaryField<real> inward(mesh);
    flux_into(in_cells, inward);
    const int lid = number_of(mesh, "lid"), wall = number_of(mesh, "wall");
    EXPECT_NEAR(PatchIntegral(mesh, {lid}).of(&inward).at(0), -flux.y, round_off);
    EXPECT_NEAR(PatchIntegral(mesh, {wall}).of(&inward).at(0), flux.y, 5 * round_off);
    EXPECT_NEAR(PatchIntegral(mesh, {lid, wall}).of(&inward).at(0), 0, 5 * round_off);
  });
}

TEST(PatchIntegral, TakesVectorsByComponents) {
  on_meshes([](const LocalMesh& mesh) {
    const Vec3 constant{1.5, -2, 0.25};
    Field<Node, Vec3> values(mesh, std::vector<Vec3>(mesh.owned<Node>(), constant));
    halo(values);
    const std::vector<real> found = PatchIntegral(mesh, {number_of(mesh, "lid")}).of(&values);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[0], constant.x, 5 * round_off);
    EXPECT_NEAR(found[1], constant.y, 5 * round_off);
    EXPECT_NEAR(found[2], constant.z, 5 * round_off);
  });
}

TEST(PatchIntegral, RefusesValuesInCells) {
  const auto mesh = make_mesh(Comm(), unit_square(3));
  Field<Cell> values(*mesh);
  EXPECT_THROW(PatchIntegral(*mesh, {0}).of(&values), Error);
}

}  // namespace
}  // namespace solenoid::test
