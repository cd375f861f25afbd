/// The table of boundary faces: each once, its outward side, and what kernels see of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "parallel/backend.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

const std::vector<MeshSource>& sources() {
  static const std::vector<MeshSource> all{unit_square(6, 0.3), square_with_hole(9), unit_cube(3, 0.2), strip(1),
                                           single_tetrahedron()};
  return all;
}

class BoundaryOnPartitions : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<LocalMesh> share_out_of(const MeshSource& source) const {
    return make_mesh(Comm(), source, all_partitioners()[GetParam()].partition);
  }
};

TEST_P(BoundaryOnPartitions, ListsTheFacesOfPatchesOnceAscending) {
  for (const MeshSource& source : sources()) {
    const auto mesh = share_out_of(source);
    const MeshPart& part = mesh->part();
    std::vector<std::int64_t> owners(mesh->global_count<Face>(), 0), ids;
    for (const BoundaryFace& b : mesh->boundary()) {
      ids.push_back(part.face_numbering.global_id[b.face]);
      EXPECT_EQ(b.patch, part.face_patch[b.face]);
      const std::span<const int> sides = part.cell_faces_of(b.cell);
      EXPECT_NE(std::find(sides.begin(), sides.end(), b.face), sides.end());
      owners[ids.back()] += b.is_owned;
    }
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()), ids.end());
    const auto local = std::count_if(part.face_patch.begin(), part.face_patch.end(), [](int p) { return p >= 0; });
    EXPECT_EQ(mesh->boundary().size(), local);
    Comm().sum(std::span<std::int64_t>(owners));
    EXPECT_LE(*std::max_element(owners.begin(), owners.end()), 1);
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), source.boundary_face_count());
  }
}

TEST_P(BoundaryOnPartitions, PointsOutOfTheDomain) {
  for (const MeshSource& source : sources()) {
    const auto mesh = share_out_of(source);
    const Geometry& geometry = mesh->geometry();
    for (const BoundaryFace& b : mesh->boundary()) {
      const Vec3 arm = geometry.face_centre[b.face] - geometry.cell_centre[b.cell];
      EXPECT_GT(dot(b.outward_area, arm), 0);
      EXPECT_NEAR(dot(b.outward_normal, b.outward_area), geometry.face_area[b.face], 1e-15);
      EXPECT_NEAR(norm(b.outward_normal - b.orientation * geometry.face_normal[b.face]), 0, 1e-15);
      if (b.is_owned) {
        EXPECT_EQ(b.orientation, -mesh->G.host().sign[mesh->G.host().offset[b.face]]);
      }
    }
  }
}

/// Sum of the outward areas and of A n.x_f of the owned faces: what kernels see.
struct SurfaceSums {
  Vec3 area;
  real volume;  // times the dimension, by Gauss's theorem
};
SurfaceSums surface_sums(const LocalMesh& mesh) {
  const BoundaryView view = mesh.boundary().owned();
  const DeviceArray<Vec3> centres(mesh.geometry().face_centre);
  const Vec3* const centre = centres.data();
  std::vector<PartialSum> parts;
  for (int k = 0; k < 4; ++k) {
    parts.push_back(reduce_sum(
        view.count, SOLENOID_KERNEL(int i) {
          const Vec3 a = view.outward_area[i];
          return k == 0 ? a.x : k == 1 ? a.y : k == 2 ? a.z : dot(a, centre[view.face[i]]);
        }));
  }
  const std::vector<real> sums = totals(mesh.comm(), parts);
  return {{sums[0], sums[1], sums[2]}, sums[3]};
}

TEST_P(BoundaryOnPartitions, IsClosedForKernels) {
  for (const MeshSource& source : sources()) {
    const auto mesh = share_out_of(source);
    real volume = 0;
    for (int c = 0; c < mesh->owned<Cell>(); ++c) volume += mesh->geometry().cell_volume[c];
    volume = Comm().sum(volume);
    const SurfaceSums sums = surface_sums(*mesh);
    EXPECT_NEAR(norm(sums.area), 0, 1e-14);
    EXPECT_NEAR(sums.volume, mesh->dimension() * volume, 1e-13);
  }
}

TEST_P(BoundaryOnPartitions, ShowsKernelsTheOwnedFaces) {
  for (const MeshSource& source : sources()) {
    const auto mesh = share_out_of(source);
    const BoundaryView view = mesh->boundary().owned();
    const auto to_host = [&](const int* device) {
      std::vector<int> host(view.count);
      copy_to_host(host.data(), device, host.size() * sizeof(int));
      return host;
    };
    const std::vector<int> place = to_host(view.place), face = to_host(view.face), cell = to_host(view.cell);
    int count = 0;
    for (int i = 0; i < mesh->boundary().size(); ++i) {
      if (!mesh->boundary()[i].is_owned) continue;
      ASSERT_LT(count, view.count);
      EXPECT_EQ(place[count], i);
      EXPECT_EQ(face[count], mesh->boundary()[i].face);
      EXPECT_EQ(cell[count], mesh->boundary()[i].cell);
      ++count;
    }
    EXPECT_EQ(count, view.count);
  }
}

TEST_P(BoundaryOnPartitions, TurnsTheCornersOfTrianglesOutward) {
  const auto mesh = share_out_of(unit_cube(3, 0.2));
  const std::vector<Vec3>& x = mesh->part().points;
  for (const BoundaryFace& b : mesh->boundary()) {
    const std::vector<NodeAt> corners = outward_corners(mesh->part(), b);
    ASSERT_EQ(corners.size(), 3u);
    const Vec3 first = x[corners[0].point];
    const Vec3 area = cross(x[corners[1].point] - first, x[corners[2].point] - first) / 2;
    EXPECT_NEAR(norm(area - b.outward_area), 0, 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, BoundaryOnPartitions, testing::Range(0, 4), [](const auto& test) {
  std::string name = all_partitioners()[test.param].name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace solenoid::test
