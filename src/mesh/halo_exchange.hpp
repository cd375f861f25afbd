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
/// between. One exchange at a time per object. Device pointers go to MPI where the library takes them, pinned host
/// buffers elsewhere. On a GPU packing and copies have a stream of their own, beside the kernels started in between;
/// finish() sends what start() packed, so that starting those kernels waits for nothing.
class HaloExchange {
 public:
  HaloExchange(const Comm& comm, ExchangePlan plan);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// Begins to send the owned values of `values` (device; one T per entity, made of numbers in single or in double
  /// precision), which stay as they are until finish().
  template <class T>
  void start(T* values) {
    static_assert(sizeof(T) % sizeof(float) == 0, "a value is made of numbers");
    start(static_cast<void*>(values), sizeof(T));
  }
  /// Waits for the neighbours' values and puts them into the halo of the array given to start().
  void finish();

 private:
  struct Channel {  // buffers and persistent requests for one size of values
    DeviceArray<std::byte> device_send, device_receive;
    PinnedArray<std::byte> host_send, host_receive;
    std::vector<MPI_Request> receives, sends;
  };
  Channel& channel(std::size_t bytes);
  void start(void* values, std::size_t bytes);  // of so many bytes each

  Comm comm_;
  ExchangePlan plan_;
  DeviceArray<int> send_index_;
  int receive_begin_ = 0, receive_total_ = 0;
  bool direct_;                              // MPI takes device pointers
  std::map<std::size_t, Channel> channels_;  // by the bytes of a value
  bool in_flight_ = false, sending_ = false;
  void* values_in_flight_ = nullptr;  // also null on a rank that holds nothing
  std::size_t bytes_in_flight_ = 0;
};

}  // namespace solenoid
