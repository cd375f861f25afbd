/// Ownership and numbering of entities on every rank, and the exchange that refreshes the copies: planned once, packed
/// on the device, sent by persistent MPI requests.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "mesh/local_numbering.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// Neighbouring ranks, and the entities to send to and receive from each. Received values are contiguous in the local
/// numbering.
struct ExchangePlan {
  struct Neighbour {
    int rank;
    int send_begin, send_count;        ///< range in send_index
    int receive_begin, receive_count;  ///< range of halo entities
  };
  std::vector<Neighbour> neighbours;
  std::vector<int> send_index;  ///< owned entities to send, in the receivers' order

  int receive_total() const;
};

/// Requests the halo entities of `numbering` from their owners. Collective.
ExchangePlan plan_exchange(const Comm& comm, const LocalNumbering& numbering);

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

/// The set of entities of a field: the entities of a mesh at one location, those of a wider halo, or the unknowns of a
/// coarse level. Fields refer to their layout, which must not move and must outlive them.
class Layout {
 public:
  /// Collective. Throws a collective Error if a rank requests an entity from a rank that does not own it.
  Layout(const Comm& comm, LocalNumbering numbering)
      : Layout(comm, std::make_shared<const LocalNumbering>(std::move(numbering))) {}
  /// The same with a shared numbering.
  Layout(const Comm& comm, std::shared_ptr<const LocalNumbering> numbering)
      : comm_(comm), numbering_(std::move(numbering)), exchange_(comm, plan_exchange(comm, *numbering_)) {}
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  const Comm& comm() const { return comm_; }
  const LocalNumbering& numbering() const { return *numbering_; }
  int owned() const { return numbering_->owned; }                         ///< entities of this rank
  int total() const { return numbering_->total(); }                       ///< owned entities and halo copies
  std::int64_t global_count() const { return numbering_->global_count; }  ///< entities of all ranks
  HaloExchange& exchange() const { return exchange_; }

 private:
  Comm comm_;
  std::shared_ptr<const LocalNumbering> numbering_;
  mutable HaloExchange exchange_;  // the state is its buffers; the exchanged values are the caller's
};

}  // namespace solenoid
