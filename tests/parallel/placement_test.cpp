/// Where ranks stand, and what is said of those that share a core or a device.
#include "parallel/placement.hpp"

#include <gtest/gtest.h>

namespace solenoid::test {
namespace {

const Device processor{"CPU, 1 thread a rank", 0, 0, 0, 1};
const Device gpu{"NVIDIA H200", 0, 2, 0, 1};

Processors processors(std::initializer_list<int> numbers) {
  Processors set;
  for (const int number : numbers) set.set(static_cast<std::size_t>(number));
  return set;
}

/// A rank on a machine of so many processors, each a core.
RankPlace on(std::initializer_list<int> numbers, int node_size = 4, int threads = 1, int node = 0,
             std::int64_t device = 0) {
  return {node, threads, node_size, device, processors(numbers), processors(numbers)};
}

std::string only_warning(const Placement& placement) {
  EXPECT_EQ(placement.warnings.size(), 1U) << joined(placement.warnings, "\n");
  return placement.warnings.empty() ? "" : placement.warnings[0];
}

TEST(Placement, SaysInOneLineWhatIsUsual) {
  const Placement free = placement_of({on({0, 1, 2, 3}), on({0, 1, 2, 3})}, processor);
  EXPECT_EQ(free.text, "2 ranks, CPU, 1 thread a rank");
  EXPECT_EQ(free.binding, "none");
  EXPECT_TRUE(free.warnings.empty());

  const Placement bound = placement_of({on({0}), on({1}), on({0}, 4, 1, 2), on({1}, 4, 1, 2)}, processor);
  EXPECT_EQ(bound.text, "4 ranks on 2 nodes, CPU, 1 thread a rank, bound to a core each");
  EXPECT_EQ(bound.binding, "core");
  EXPECT_EQ(bound.nodes, 2);
  EXPECT_TRUE(bound.warnings.empty());

  const Placement wide = placement_of({on({0, 1}, 4, 2), on({2, 3}, 4, 2)}, {"CPU, 2 threads a rank", 0, 0, 0, 2});
  EXPECT_EQ(wide.text, "2 ranks, CPU, 2 threads a rank, bound to cores each");
  EXPECT_EQ(wide.threads, 2);
  EXPECT_TRUE(wide.warnings.empty());
}

TEST(Placement, WarnsOfMoreRanksThanCores) {
  EXPECT_EQ(only_warning(placement_of({on({0, 1}, 2), on({0, 1}, 2), on({0, 1}, 2)}, processor)),
            "3 ranks share 2 cores and wait for each other: take at most 2 ranks there");
  // Two processors of one core are no place for two ranks, though for two threads of one.
  RankPlace half{0, 1, 2, 0, processors({0, 1}), processors({0})};
  EXPECT_EQ(only_warning(placement_of({half, half}, processor)),
            "2 ranks share 1 core and wait for each other: take at most 1 rank there");
  half.threads = 2;
  EXPECT_TRUE(placement_of({half}, processor).warnings.empty());
}

TEST(Placement, WarnsOfRanksThatAreBoundToOneCore) {
  EXPECT_EQ(only_warning(placement_of({on({0}), on({1}), on({1}), on({2, 3})}, processor)),
            "2 ranks are bound to 1 core and wait for each other: give each rank a core of its own (mpirun --bind-to "
            "core, srun --cpu-bind=cores)");
  EXPECT_EQ(only_warning(placement_of({on({0}), on({0}, 4, 1, 1), on({0}, 4, 1, 1)}, processor)),
            "2 ranks are bound to 1 core of the node of rank 1 and wait for each other: take at most 1 rank there, or "
            "give each rank a core of its own (mpirun --bind-to core, srun --cpu-bind=cores)");
}

TEST(Placement, WarnsOfMoreThreadsThanProcessors) {
  EXPECT_EQ(only_warning(placement_of({on({0, 1, 2, 3}, 4, 4), on({0, 1, 2, 3}, 4, 4)}, processor)),
            "2 ranks of 4 threads each share 4 cores and wait for each other: set OMP_NUM_THREADS=2");
  EXPECT_EQ(
      only_warning(placement_of({on({2}, 4, 4)}, processor)),
      "the 4 threads of rank 0 are bound to 1 core and wait for each other: set OMP_NUM_THREADS=1, or give each rank "
      "the cores of its threads (mpirun --map-by slot:PE=4, srun --cpus-per-task=4)");
}

TEST(Placement, WarnsOfRanksThatShareADevice) {
  const std::initializer_list<int> all{0, 1, 2, 3};
  const Placement two = placement_of({on(all, 4, 1, 0, 7), on(all, 4, 1, 0, 8)}, gpu);
  EXPECT_EQ(two.text, "2 ranks, NVIDIA H200, 2 devices");
  EXPECT_EQ(two.devices, 2);
  EXPECT_TRUE(two.warnings.empty());
  EXPECT_EQ(only_warning(placement_of({on(all, 4, 1, 0, 7), on(all, 4, 1, 0, 8), on(all, 4, 1, 0, 7)}, gpu)),
            "3 ranks of a node share 2 devices, which is right for tests and slow for work: take 2 ranks there (srun "
            "--ntasks-per-node=2), or show each rank a device of its own (srun --gpus-per-task=1)");
}

TEST(Placement, IsSilentWhereTheSystemDoesNotTell) {
  const Placement unknown = placement_of({on({}), on({})}, processor);
  EXPECT_EQ(unknown.binding, "none");
  EXPECT_TRUE(unknown.warnings.empty());
}

TEST(Placement, IsThatOfTheRanksThatRun) {
  const Comm comm;
  const Placement found = find_placement(comm, processor);
  if (comm.is_root()) {
    EXPECT_EQ(found.ranks, comm.size());
    EXPECT_EQ(found.nodes, 1);
    EXPECT_EQ(found.text.find(message("{} rank{}, CPU", comm.size(), comm.size() == 1 ? "" : "s")), 0U) << found.text;
  } else {
    EXPECT_EQ(found.text, "");
  }
}

}  // namespace
}  // namespace solenoid::test
