/// Shares of a mesh on ranks: numbering, incidences, halo, and partitions that are hard to get right.
#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// The entries of two tables multiplied, in integers: row -> column -> value, columns by local index.
std::map<int, int> row_of_product(const IncidenceRows& a, int row, const std::vector<std::map<int, int>>& b) {
  std::map<int, int> product;
  for (int k = a.offset[row]; k < a.offset[row + 1]; ++k) {
    for (const auto& [column, sign] : b[a.index[k]]) product[column] += a.sign[k] * sign;
  }
  return product;
}

/// Rows of C for every local face, from the part itself.
std::vector<std::map<int, int>> edges_of_all_faces(const MeshPart& part) {
  std::vector<std::map<int, int>> rows(part.faces());
  for (int f = 0; f < part.faces(); ++f) {
    if (part.dimension == 2) {
      rows[f] = {{part.face_nodes[2 * f], -1}, {part.face_nodes[2 * f + 1], 1}};
    } else {
      rows[f] = {{part.face_edges[3 * f], 1}, {part.face_edges[3 * f + 1], 1}, {part.face_edges[3 * f + 2], -1}};
    }
  }
  return rows;
}

void expect_identities(const LocalMesh& mesh) {
  const auto edges = edges_of_all_faces(mesh.part());
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {  // D C = 0
    for (const auto& [edge, value] : row_of_product(mesh.D.host(), c, edges)) EXPECT_EQ(value, 0);
  }
  std::vector<std::map<int, int>> cells(mesh.part().faces());  // G for every face a row of R can name
  const IncidenceRows& g = mesh.G.host();
  for (int f = 0; f < g.rows(); ++f) {
    for (int k = g.offset[f]; k < g.offset[f + 1]; ++k) cells[f][g.index[k]] = g.sign[k];
  }
  const IncidenceRows& r = mesh.R.host();
  for (int e = 0; e < r.rows(); ++e) {  // R G = 0 away from the boundary, where all faces of the row are owned
    bool complete = true;
    for (int k = r.offset[e]; k < r.offset[e + 1]; ++k)
      complete = complete && r.index[k] < g.rows() && cells[r.index[k]].size() == 2;
    if (!complete) continue;
    for (const auto& [cell, value] : row_of_product(r, e, cells)) EXPECT_EQ(value, 0);
  }
}

class OnPartitions : public testing::TestWithParam<int> {
 protected:
  const NamedPartitioner& partitioner() const { return all_partitioners()[GetParam()]; }
};

TEST_P(OnPartitions, IncidencesMultiplyToZeroInIntegers) {
  for (const MeshSource& source : {unit_square(6, 0.3), unit_cube(3, 0.2)}) {
    expect_identities(*make_mesh(Comm(), source, partitioner().partition));
  }
}

TEST_P(OnPartitions, EveryEntityHasOneOwner) {
  for (const MeshSource& source : {unit_square(6), unit_cube(3)}) {
    const auto mesh = make_mesh(Comm(), source, partitioner().partition);
    const auto expect_one_owner = [&](const LocalNumbering& numbering) {
      std::vector<std::int64_t> owners(numbering.global_count, 0);
      for (int i = 0; i < numbering.owned; ++i) ++owners[numbering.global_id[i]];
      Comm().sum(std::span<std::int64_t>(owners));
      for (std::int64_t count : owners) EXPECT_EQ(count, 1);
      EXPECT_TRUE(std::is_sorted(numbering.global_id.begin(), numbering.global_id.begin() + numbering.owned));
    };
    expect_one_owner(mesh->numbering<Node>());
    expect_one_owner(mesh->numbering<Edge>());
    expect_one_owner(mesh->numbering<Face>());
    expect_one_owner(mesh->numbering<Cell>());
  }
}

template <class L>
void expect_halo_of_owners(const LocalMesh& mesh) {
  Field<L> field = scattered_field<L>(mesh);
  halo(field);
  const std::vector<real> all = field.all_to_host();
  for (int i = 0; i < mesh.total<L>(); ++i) {
    EXPECT_EQ(all[i], value_of(mesh.numbering<L>().global_id[i])) << L::name << " " << i;
  }
}

TEST_P(OnPartitions, HaloHoldsTheOwnersValues) {
  for (const MeshSource& source : {unit_square(6), unit_cube(3)}) {
    const auto mesh = make_mesh(Comm(), source, partitioner().partition);
    expect_halo_of_owners<Node>(*mesh);
    expect_halo_of_owners<Edge>(*mesh);
    expect_halo_of_owners<Face>(*mesh);
    expect_halo_of_owners<Cell>(*mesh);
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, OnPartitions, testing::Range(0, 4), [](const auto& test) {
  std::string name = all_partitioners()[test.param].name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(LocalMesh, VectorsOfThreeTravelTogether) {
  const auto mesh = make_mesh(Comm(), unit_cube(3));
  Field<Cell, Vec3> field(*mesh);
  std::vector<Vec3> values;
  for (int c = 0; c < field.owned(); ++c) {
    const std::int64_t id = mesh->numbering<Cell>().global_id[c];
    values.push_back({value_of(id, 1), value_of(id, 2), value_of(id, 3)});
  }
  field.from_host(values);
  halo(field);
  const std::vector<Vec3> all = field.all_to_host();
  for (int c = 0; c < mesh->total<Cell>(); ++c) {
    const std::int64_t id = mesh->numbering<Cell>().global_id[c];
    EXPECT_EQ(all[c].x, value_of(id, 1));
    EXPECT_EQ(all[c].z, value_of(id, 3));
  }
}

TEST(LocalMesh, RefusesAHaloThatIsOneLayerTooThin) {
  const Comm comm;
  for (const MeshSource& source : {unit_square(6), unit_cube(3)}) {
    MeshPart thin = share_out(comm, source, 0);
    if (comm.size() == 1) continue;  // one rank needs no halo
    try {
      LocalMesh mesh(comm, std::move(thin));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_NE(std::string(error.what()).find("the halo is too thin"), std::string::npos) << error.what();
    }
  }
}

TEST(LocalMesh, ThreeLayersKeepTheOwnedNumbering) {
  const Comm comm;
  const MeshPart one = share_out(comm, unit_square(12), 1), three = share_out(comm, unit_square(12), 3);
  ASSERT_EQ(one.face_numbering.owned, three.face_numbering.owned);
  for (int f = 0; f < one.face_numbering.owned; ++f) {
    EXPECT_EQ(one.face_numbering.global_id[f], three.face_numbering.global_id[f]);
  }
  EXPECT_LE(one.cells(), three.cells());
}

}  // namespace
}  // namespace solenoid::test
