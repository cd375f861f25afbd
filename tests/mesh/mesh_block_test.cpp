/// Meshes connected in blocks, no rank with the whole: the parts of every rank are those of the whole mesh, in bits.
#include "mesh/mesh_block.hpp"

#include <gtest/gtest.h>

#include <array>

#include "mesh/block_halo.hpp"
#include "mesh/connected_parts.hpp"
#include "mesh/domain.hpp"
#include "mesh/mesh_rows.hpp"
#include "mesh/submesh.hpp"
#include "support/mesh_kinds.hpp"
#include "support/mesh_parts.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// Of the mesh in rows: the ranks' consecutive shares of the curve.
std::vector<int> owners_along_curve(int cells, int ranks) {
  std::vector<int> owner(cells);
  for (int rank = 0; rank < ranks; ++rank) {
    const auto begin = static_cast<std::int64_t>(cells) * rank / ranks,
               end = static_cast<std::int64_t>(cells) * (rank + 1) / ranks;
    std::fill(owner.begin() + begin, owner.begin() + end, rank);
  }
  return owner;
}

/// `source` on rank 0; other ranks get their rows of it.
std::optional<MeshSource> rows_of(const Comm& comm, const MeshSource& source) {
  return shared_by_rows(comm, comm.is_root() ? std::optional(source) : std::nullopt);
}

bool in_the_ball(const Vec3& x) { return norm(x - Vec3{.5, .5, .5}) < .4; }

TEST(MeshBlock, GivesThePartsOfTheWholeMesh) {
  const Comm comm;
  for (const MeshSource& source :
       {unit_cube(1), unit_cube(5, .3), five_in_a_cube(4), with_solid(unit_cube(4, .1), in_the_ball, "ball")}) {
    SCOPED_TRACE(source.cell_count());
    const MeshBlock block = connect_in_blocks(comm, *rows_of(comm, source));
    std::optional<GlobalMesh> whole;
    if (comm.is_root()) whole = build_topology(source);
    const std::vector<int> owner = owners_along_curve(source.cell_count(), comm.size());
    expect_the_same(part_with_fewer_layers(part_of_block(comm, block, 2), 0), part_of_block(comm, block, 0));
    for (const int layers : {0, 1, 2, 3}) {
      SCOPED_TRACE(layers);
      expect_the_same(part_of_block(comm, block, layers), distribute(comm, whole, owner, layers));
    }
  }
}

/// The message of connect_in_blocks(), on every rank; "" without one.
std::string fault_of(const Comm& comm, const MeshSource& source) {
  try {
    connect_in_blocks(comm, *rows_of(comm, source));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
    EXPECT_EQ(comm.broadcast(error.what()), error.what());
    return error.what();
  }
  return "";
}

TEST(MeshBlock, TellsOfFaultsOnEveryRank) {
  const Comm comm;
  const auto expect_fault = [&](const std::string& words, const auto& change) {
    MeshSource source = unit_cube(3);
    change(source);
    const std::string fault = fault_of(comm, source);
    EXPECT_NE(fault.find(words), std::string::npos) << words << "\n" << fault;
  };
  expect_fault("1 nodes belong to no cell", [](MeshSource& s) {
    s.points.push_back({2, 2, 2}), s.point_ids.push_back(99);
  });
  expect_fault("is flat", [](MeshSource& s) { s.points[21] = s.points[22]; });
  expect_fault("lie on the same side of a face at the node", [](MeshSource& s) { s.points[21] = {.9, .9, .9}; });
  expect_fault("3 cells share a face at the node", [](MeshSource& s) {
    for (int k = 0; k < 4; ++k) s.cells.push_back(s.cells[k]);
    s.cell_ids.push_back(1000), s.cell_region.push_back(0);
  });
  expect_fault("2 boundary faces belong to no boundary group", [](MeshSource& s) {
    s.boundary_faces.resize(s.boundary_faces.size() - 6), s.boundary_patch.resize(s.boundary_patch.size() - 2);
  });
  expect_fault("\"wall\" has a face inside the domain", [](MeshSource& s) {
    s.boundary_faces.insert(s.boundary_faces.end(), s.cells.end() - 3, s.cells.end());
    s.boundary_patch.push_back(1);
    s.boundary_faces.insert(s.boundary_faces.end(), s.cells.begin() + 101, s.cells.begin() + 104);
    s.boundary_patch.push_back(1);
  });
  expect_fault("is in the groups \"", [](MeshSource& s) {
    for (int k = 0; k < 3; ++k) s.boundary_faces.push_back(s.boundary_faces[k]);
    s.boundary_patch.push_back(1 - s.boundary_patch[0]);
  });
  expect_fault("which is of no cell", [](MeshSource& s) {
    s.boundary_faces.insert(s.boundary_faces.end(), {0, 20, 63});
    s.boundary_patch.push_back(1);
  });
}

TEST(MeshBlock, FallsIntoThePartsOfTheWholeMesh) {
  const Comm comm;
  const auto gap = [](const Vec3& x) { return x.x > .5 && x.x < .7; };
  for (const MeshSource& source : {unit_cube(1), unit_cube(4), without_cells(unit_cube(10), gap, "gap")}) {
    const MeshBlock block = connect_in_blocks(comm, *rows_of(comm, source));
    const std::vector<DomainPart> found = connected_parts(comm, part_of_block(comm, block, 1));
    if (!comm.is_root()) continue;
    const std::vector<DomainPart> wanted = examine_domain(build_topology(source)).parts;
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_EQ(found[k].cells, wanted[k].cells);
      EXPECT_EQ(norm(found[k].place - wanted[k].place), 0);
    }
  }
}

TEST(RowBlocks, AreSortedOverRanks) {
  const Comm comm;
  const int last = comm.size() - 1;
  const std::vector<std::array<int, 2>> counts{{0, 0}, {0, 1}, {7, 0}, {1000, 1000}, {0, 900}, {1, 5000}};
  for (const auto& [on_first, on_last] : counts) {  // values
    std::vector<int> own;
    const int count = comm.rank() == last ? on_last : comm.rank() == 0 ? on_first : 3 * comm.rank();
    for (int k = 0; k < count; ++k) own.push_back((k * 7919 + comm.rank()) % 501);
    const std::vector<int> sorted = sorted_over_ranks(comm, own);
    std::vector<int> wanted = from_all_ranks(comm, own);
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(from_all_ranks(comm, sorted), wanted);
    EXPECT_EQ(std::ssize(sorted),
              std::ssize(wanted) * (comm.rank() + 1) / comm.size() - std::ssize(wanted) * comm.rank() / comm.size());
  }
}

}  // namespace
}  // namespace solenoid::test
