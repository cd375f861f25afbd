#include "parallel/copy.hpp"

#include "parallel/copy_count.hpp"

#ifdef SOLENOID_CUDA
#include "parallel/cuda_stream.hpp"
#else
#include <cstring>
#endif

namespace solenoid {

namespace {
std::int64_t to_host = 0;
}  // namespace

std::int64_t bytes_copied_to_host() { return to_host; }

#ifdef SOLENOID_CUDA

void copy_to_device_later(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda::kernel_stream()),
             "copying to the device");
}
void copy_to_host_later(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  to_host += static_cast<std::int64_t>(bytes);
  check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda::kernel_stream()),
             "copying from the device");
}
void copy_to_device(void* device, const void* host, std::size_t bytes) {
  copy_to_device_later(device, host, bytes);
  if (bytes) wait_for(cuda::kernel_stream());
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  copy_to_host_later(host, device, bytes);
  if (bytes) wait_for(cuda::kernel_stream());
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda::kernel_stream()),
             "copying on the device");
}
void device_synchronize() { check_cuda(cudaDeviceSynchronize(), "waiting for the device"); }

#else

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes) std::memcpy(device, host, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  to_host += static_cast<std::int64_t>(bytes);
  if (bytes) std::memcpy(host, device, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
void device_synchronize() {}

void copy_to_device_later(void* device, const void* host, std::size_t bytes) { copy_to_device(device, host, bytes); }
void copy_to_host_later(void* host, const void* device, std::size_t bytes) { copy_to_host(host, device, bytes); }

#endif

}  // namespace solenoid
