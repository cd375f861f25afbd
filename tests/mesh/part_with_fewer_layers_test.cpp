/// Parts with fewer layers of halo cells against those that are shared out so.
#include <gtest/gtest.h>

#include "mesh/submesh.hpp"
#include "support/mesh_parts.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

MeshSource periodic(MeshSource source, const std::function<std::string(const Vec3&)>& side_of) {
  source = with_patches(source, side_of);
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  return source;
}

std::string side(const Vec3& x) {
  if (x.z < 1e-9 || x.z > 1 - 1e-9) return "wall";
  return side_of_square(x);
}

class ThinnerPart : public testing::TestWithParam<int> {};

TEST_P(ThinnerPart, IsWhatFewerLayersGive) {
  const Partitioner& partition = all_partitioners()[GetParam()].partition;
  for (const MeshSource& source :
       {unit_square(9), unit_cube(5), periodic(unit_square(9), side_of_square), periodic(unit_cube(5), side)}) {
    for (const int layers : {1, 2}) {
      expect_the_same(part_with_fewer_layers(share_out(Comm(), source, 3, partition), layers),
                      share_out(Comm(), source, layers, partition));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, ThinnerPart, testing::Range(0, 4));

}  // namespace
}  // namespace solenoid::test
