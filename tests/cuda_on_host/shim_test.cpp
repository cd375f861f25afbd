/// The stand-in for a GPU notices what it is there for.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cub/device/device_scan.cuh>
#include <vector>

namespace {

__global__ void fill(double* values, double value) { values[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void turn_round(int* values) {
  __shared__ int shared[8];
  shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void part() {
  if (threadIdx.x > 0) __syncthreads();
}
__global__ void part_two_ways() {
  if (threadIdx.x > 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

template <class T>
T* device_array(std::size_t size) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, size * sizeof(T)), cudaSuccess);
  return static_cast<T*>(memory);
}
template <class T>
T* pinned_array(std::size_t size) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMallocHost(&memory, size * sizeof(T)), cudaSuccess);
  return static_cast<T*>(memory);
}

class CudaOnHost : public testing::Test {
 protected:
  CudaOnHost() {
    GTEST_FLAG_SET(death_test_style, "fast");
    for (cudaStream_t* stream : {&a, &b}) {
      EXPECT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
    }
    EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  }
  template <class... Parameters, class... Arguments>
  static cudaError_t launch(cudaStream_t stream, unsigned threads, void (*kernel)(Parameters...),
                            Arguments... arguments) {
    const cudaLaunchConfig_t config{dim3(1), dim3(threads), 0, stream};
    return cudaLaunchKernelEx(&config, kernel, arguments...);
  }
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(CudaOnHost, DoesNothingBeforeSomebodyWaits) {
  double* const device = device_array<double>(4);
  double* const host = pinned_array<double>(4);
  EXPECT_EQ(launch(a, 4, fill, device, 3.0), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, device, 4 * sizeof(double), cudaMemcpyDeviceToHost, a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  EXPECT_TRUE(std::isnan(host[3]));
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaSuccess);
  EXPECT_EQ(host[3], 3);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(CudaOnHost, PollingComesToAnEnd) {
  double* const device = device_array<double>(1);
  EXPECT_EQ(launch(a, 1, fill, device, 3.0), cudaSuccess);
  while (cudaStreamQuery(a) == cudaErrorNotReady) continue;
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CudaOnHost, OrdersStreamsByEventsOnly) {
  double* const device = device_array<double>(1);
  double* const host = pinned_array<double>(2);
  EXPECT_EQ(launch(a, 1, fill, device, 3.0), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
  EXPECT_EQ(launch(a, 1, fill, device, 4.0), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, device, sizeof(double), cudaMemcpyDeviceToHost, b), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(b, event), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host + 1, device, sizeof(double), cudaMemcpyDeviceToHost, b), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_TRUE(std::isnan(host[0]));
  EXPECT_EQ(host[1], 3);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(CudaOnHost, WaitsForAnEventAndNoMore) {
  double* const device = device_array<double>(1);
  double* const host = pinned_array<double>(2);
  EXPECT_EQ(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);  // never recorded
  for (double* const place : {host, host + 1}) {
    EXPECT_EQ(launch(a, 1, fill, device, 3.0), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(place, device, sizeof(double), cudaMemcpyDeviceToHost, a), cudaSuccess);
    if (place == host) {
      EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
    }
  }
  const long before = cuda_on_host::calls().waits;
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(host[0], 3);
  EXPECT_TRUE(std::isnan(host[1]));
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cuda_on_host::calls().waits, before + 1);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(CudaOnHost, ChecksCopies) {
  double* const device = device_array<double>(4);
  double host[5] = {};
  EXPECT_EQ(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(host, device, 8, cudaMemcpyHostToDevice, a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device, host, 8, cudaMemcpyDeviceToDevice, a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device, host, 8, cudaMemcpyHostToDevice, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(device, host, 8, cudaMemcpyHostToDevice, a), cudaErrorInvalidValue);
}

TEST_F(CudaOnHost, ThreadsMeetAtBarriers) {
  int* const device = device_array<int>(8);
  int host[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, a), cudaSuccess);
  EXPECT_EQ(launch(a, 8, turn_round, device), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, a), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(host[i], 7 - i);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CudaOnHost, StopsWhereThreadsOfABlockPart) {
  EXPECT_DEATH((launch(a, 4, part), cudaStreamSynchronize(a)), "the others never reach");
  EXPECT_DEATH((launch(a, 4, part_two_ways), cudaStreamSynchronize(a)), "different barriers");
}

TEST_F(CudaOnHost, GuardsDeviceMemory) {
  double* const device = device_array<double>(2);
  EXPECT_DEATH(device[0] = 1, "the host used an address of device memory");
  EXPECT_DEATH((launch(a, 3, fill, device, 1.0), cudaFree(device)), "wrote behind the end");
}

TEST_F(CudaOnHost, ReplaysGraphs) {
  double* const device = device_array<double>(1);
  double* const host = pinned_array<double>(1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(launch(a, 1, fill, device, 5.0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (double before : {1.0, 2.0}) {
    EXPECT_EQ(launch(a, 1, fill, device, before), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, a), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(host, device, sizeof(double), cudaMemcpyDeviceToHost, a), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(*host, 5);
  }
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(CudaOnHost, RefusesToRecordAWait) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaErrorStreamCaptureUnsupported);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CudaOnHost, ScansLikeCub) {
  int* const device = device_array<int>(4);
  const int values[4] = {5, 6, 7, 8};
  int sums[4] = {};
  EXPECT_EQ(cudaMemcpyAsync(device, values, sizeof values, cudaMemcpyHostToDevice, a), cudaSuccess);
  std::size_t bytes = 0;
  EXPECT_EQ(cub::DeviceScan::ExclusiveSum(nullptr, bytes, device, device, 4, a), cudaSuccess);
  char* const scratch = device_array<char>(bytes);
  EXPECT_EQ(cub::DeviceScan::ExclusiveSum(scratch, bytes, device, sums, 4, a), cudaErrorInvalidValue);
  EXPECT_EQ(cub::DeviceScan::ExclusiveSum(sums, bytes, device, device, 4, a), cudaErrorInvalidValue);
  EXPECT_EQ(cub::DeviceScan::ExclusiveSum(scratch, bytes, device, device, 4, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cub::DeviceScan::ExclusiveSum(scratch, bytes, device, device, 4, a), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(sums, device, sizeof sums, cudaMemcpyDeviceToHost, a), cudaSuccess);
  EXPECT_EQ(sums[1], 0);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(std::vector<int>(sums, sums + 4), (std::vector<int>{0, 5, 11, 18}));
  EXPECT_EQ(cudaFree(scratch), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

}  // namespace
