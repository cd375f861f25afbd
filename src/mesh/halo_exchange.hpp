/// Halo exchange: packed on the device, sent by persistent MPI requests.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "base/comm.hpp"
#include "mesh/exchange_plan.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// Refreshes the halo of arrays with one or more numbers per entity, in two halves: work that needs no halo fits in
/// between. One exchange at a time per object. MPI gets device pointers if the library accepts them, else pinned host
/// buffers. On a GPU, packing and copies use a separate stream, concurrent with kernels launched in between; finish()
/// sends the values that start() packed, so that those kernels start without a wait.
class HaloExchange {
 public:
  HaloExchange(const Comm& comm, ExchangePlan plan);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// Starts to send the owned values of `values` (device; one T per entity, made of single or double precision
  /// numbers), which must not change until finish().
  template <class T>
  void start(T* values) {
    static_assert(sizeof(T) % sizeof(float) == 0, "a value is made of numbers");
    start(static_cast<void*>(values), sizeof(T));
  }
  /// Waits for the neighbours' values and copies them into the halo of the array passed to start().
  void finish();

 private:
  struct Channel {  // buffers and persistent requests for one size of values
    DeviceArray<std::byte> device_send, device_receive;
    PinnedArray<std::byte> host_send, host_receive;
    std::vector<MPI_Request> receives, sends;
  };
  Channel& channel(std::size_t bytes);
  void start(void* values, std::size_t bytes);  // `bytes` per entity

  Comm comm_;
  ExchangePlan plan_;
  DeviceArray<int> send_index_;
  int receive_begin_ = 0, receive_total_ = 0;
  bool direct_;                              // MPI accepts device pointers
  std::map<std::size_t, Channel> channels_;  // by bytes per value
  bool in_flight_ = false, sending_ = false;
  void* values_in_flight_ = nullptr;  // also null on a rank without entities
  std::size_t bytes_in_flight_ = 0;
};

}  // namespace solenoid
