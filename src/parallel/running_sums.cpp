#include "parallel/running_sums.hpp"

#include "parallel/stream.hpp"

#ifdef SOLENOID_CUDA
#include <cub/device/device_scan.cuh>

#include "parallel/cuda_stream.hpp"
#include "parallel/memory.hpp"
#else
#include <utility>
#endif

namespace solenoid {

#ifdef SOLENOID_CUDA

void make_running_sums(DeviceArray<std::uint64_t>& values) {
  constexpr const char* doing = "summing along an array";
  std::uint64_t* const sums = values.data();
  const int count = static_cast<int>(values.size());
  std::size_t bytes = 0;
  check_cuda(cub::DeviceScan::ExclusiveSum(nullptr, bytes, sums, sums, count, cuda::kernel_stream()), doing);
  void* const scratch = reduction_scratch(bytes, 0).device;
  check_cuda(cub::DeviceScan::ExclusiveSum(scratch, bytes, sums, sums, count, cuda::kernel_stream()), doing);
  count_launch(2);
}

#else

void make_running_sums(DeviceArray<std::uint64_t>& values) {
  std::uint64_t* const sums = values.data();
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += std::exchange(sums[k], sum);
  count_launch();
}

#endif

}  // namespace solenoid
