/// Fluxes between the duals of nodes: without divergence in bits, and convection by them.
#include "operators/dual_fluxes.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Fluxes without divergence in bits that cross the boundary, the same on any partition.
Field<Face> solenoidal_flux(const LocalMesh& mesh) {
  constexpr int digits = 40;
  Field<Edge> potential(mesh);
  std::vector<real> values;
  for (int e = 0; e < potential.owned(); ++e) {
    const real value = value_of(mesh.numbering<Edge>().global_id[e]);
    values.push_back(std::ldexp(std::round(std::ldexp(value, digits)), -digits));
  }
  potential.from_host(values);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  return flux;
}

/// What comes in, the same value all over the boundary; none: is_given is 0.
struct Inflow {
  DeviceArray<real> value, is_given;
  Inflow(const LocalMesh& mesh, real its_value, bool given)
      : value(std::vector<real>(corners(mesh), its_value)), is_given(std::vector<real>(corners(mesh), given ? 1 : 0)) {}
  static std::size_t corners(const LocalMesh& mesh) {
    return static_cast<std::size_t>(mesh.boundary().size()) * static_cast<std::size_t>(mesh.dimension());
  }
  InflowValues view() const { return {value.data(), is_given.data()}; }
};

class DualFluxesOn : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  MeshSource source = std::get<0>(GetParam()) == 2 ? unit_square(7, 0.3) : unit_cube(3, 0.2);
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), source, all_partitioners()[std::get<1>(GetParam())].partition);
  NodePairs pairs{*mesh};
  DualFluxes duals{pairs};
  Field<Face> flux = solenoidal_flux(*mesh);
  void SetUp() override { duals.set(flux); }
};

TEST_P(DualFluxesOn, SumToZeroInBits) {
  const int d = mesh->dimension();
  const std::vector<real> scaled = duals.scaled().field().all_to_host(), of_faces = halo(flux).field().all_to_host();
  std::vector<real> leaving(mesh->total<Node>(), 0);
  for (const BoundaryFace& b : mesh->boundary()) {
    for (const int n : mesh->part().face_nodes_of(b.face)) leaving[n] += (d + 1) * b.orientation * of_faces[b.face];
  }
  real largest = 0, crossing = 0;
  const IncidenceRows& around = pairs.around().host();
  for (int n = 0; n < mesh->owned<Node>(); ++n) {
    real sum = leaving[n];
    for (int k = around.offset[n]; k < around.offset[n + 1]; ++k) {
      sum += around.sign[k] * scaled[around.index[k]];
      crossing = std::max(crossing, std::abs(scaled[around.index[k]]));
    }
    largest = std::max(largest, std::abs(sum));
  }
  EXPECT_EQ(mesh->comm().max(largest), 0);
  EXPECT_GT(mesh->comm().max(crossing), 0.1);
}

TEST_P(DualFluxesOn, LeaveAConstantAloneInBits) {
  const Field<Node> constant(*mesh, std::vector<real>(mesh->owned<Node>(), 0.1));
  Field<Node> values(*mesh), convection(*mesh);
  values.copy_from(constant);
  for (const PairValue form : {PairValue::central, PairValue::upwind}) {
    for (const Inflow& inflow : {Inflow(*mesh, 0.1, true), Inflow(*mesh, 0.7, false)}) {
      duals.convect(form, halo(values), inflow.view(), convection);
      EXPECT_EQ(max_magnitude(convection), 0);
    }
  }
}

/// (N T)_a = sum_c V_c/(d+1) u_c . grad T, at the boundary too where nothing is given of what enters.
TEST_P(DualFluxesOn, CentralConvectionIsThatOfLinearElements) {
  Field<Node> values = scattered_field<Node>(*mesh, 5), convection(*mesh);
  const Inflow nothing(*mesh, 0, false);
  duals.convect(PairValue::central, halo(values), nothing.view(), convection);
  Field<Cell, Vec3> velocity(*mesh), gradient(*mesh);
  interpolate(halo(flux), velocity);
  P1Gradient(*mesh).apply(halo(values), gradient);
  halo(velocity);
  halo(gradient);
  const std::vector<Vec3> u = velocity.all_to_host(), slope = gradient.all_to_host();
  std::vector<real> expected(mesh->total<Node>(), 0);
  for (int c = 0; c < mesh->total<Cell>(); ++c) {
    for (const int n : mesh->part().cell_nodes_of(c)) {
      expected[n] += mesh->geometry().cell_volume[c] * dot(u[c], slope[c]) / mesh->part().corners();
    }
  }
  const std::vector<real> found = convection.to_host();
  for (int n = 0; n < convection.owned(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-13);
  EXPECT_GT(max_magnitude(convection), 0.1);
}

TEST_P(DualFluxesOn, TakeNoEnergyInsideAndAreTheSameOnAnyPartition) {
  Field<Node> values = scattered_field<Node>(*mesh, 5), convection(*mesh);
  const Inflow nothing(*mesh, 0, false);
  duals.convect(PairValue::central, halo(values), nothing.view(), convection);
  const std::vector<real> T = halo(values).field().all_to_host(), U = flux.to_host();
  real through = 0;
  for (const BoundaryFace& b : mesh->boundary()) {
    if (!b.is_owned) continue;
    real whole = 0, squares = 0;
    for (const int n : mesh->part().face_nodes_of(b.face)) whole += T[n], squares += T[n] * T[n];
    through += b.orientation * U[b.face] / pairs.crossing_factor() * (whole * whole + squares) / 2;  // of linear T
  }
  EXPECT_NEAR(dot(values, convection), mesh->comm().sum(through), 1e-14 * norm(values) * norm(convection));

  for (const PairValue form : {PairValue::central, PairValue::upwind}) {
    const Inflow one(*mesh, 1, true);
    duals.convect(form, halo(values), one.view(), convection);
    const std::unique_ptr<LocalMesh> whole = make_mesh(alone(), source);
    const NodePairs all_pairs(*whole);
    DualFluxes all(all_pairs);
    Field<Face> all_flux = solenoidal_flux(*whole);
    all.set(all_flux);
    Field<Node> all_values = scattered_field<Node>(*whole, 5), expected(*whole);
    const Inflow everywhere(*whole, 1, true);
    all.convect(form, halo(all_values), everywhere.view(), expected);
    EXPECT_EQ(gather(convection), gather(expected));
  }
}

TEST_P(DualFluxesOn, CarryOutWhatConvectionSums) {
  Field<Node> values = scattered_field<Node>(*mesh), convection(*mesh);
  const Inflow half(*mesh, 0.5, true);
  duals.convect(PairValue::upwind, halo(values), half.view(), convection);
  real carried = 0;
  for (const real out : duals.carried_out(halo(values), half.view())) carried += out;
  EXPECT_NEAR(sum(*mesh, operand(convection)), carried, 1e-13 * norm(convection));
}

TEST_P(DualFluxesOn, PairsHaveTheEntriesOfTheMatrices) {
  const std::vector<real> one(mesh->total<Cell>(), 1);
  Field<NodePair> conductance(pairs.layout(), pairs.conductance(one)), mass(pairs.layout(), pairs.mass(one));
  halo(conductance);
  halo(mass);
  const std::vector<real> k = conductance.all_to_host(), m = mass.all_to_host();
  const MatrixRows stiffness = p1_stiffness(*mesh), consistent = p1_mass(*mesh);
  const IncidenceRows& around = pairs.around().host();
  int found = 0;
  for (int n = 0; n < mesh->owned<Node>(); ++n) {
    for (int slot = around.offset[n]; slot < around.offset[n + 1]; ++slot) {
      const int pair = around.index[slot];
      const auto ends = mesh->dimension() == 2 ? mesh->part().face_nodes_of(pair) : mesh->part().edge_nodes_of(pair);
      const int there = ends[0] == n ? ends[1] : ends[0];
      EXPECT_EQ(around.sign[slot], ends[0] == n ? 1 : -1);
      for (int i = stiffness.offset[n]; i < stiffness.offset[n + 1]; ++i) {
        if (stiffness.column[i] != there) continue;
        ++found;
        EXPECT_NEAR(k[pair], -stiffness.value[i], 1e-13);
        EXPECT_NEAR(m[pair], consistent.value[i], 1e-15);
      }
    }
  }
  EXPECT_EQ(found, around.offset.back());
}

INSTANTIATE_TEST_SUITE_P(Meshes, DualFluxesOn, testing::Combine(testing::Values(2, 3), testing::Range(0, 4)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "D_" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace solenoid::test
