#include "mesh/halo_exchange.hpp"

#include "base/error.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

HaloExchange::HaloExchange(const Comm& comm, ExchangePlan plan)
    : comm_(comm),
      plan_(std::move(plan)),
      send_index_(plan_.send_index),
      receive_total_(plan_.receive_total()),
      direct_(mpi_is_gpu_aware()) {
  if (!plan_.neighbours.empty()) receive_begin_ = plan_.neighbours.front().receive_begin;
}

HaloExchange::~HaloExchange() {
  for (auto& [components, channel] : channels_) {
    for (MPI_Request& request : channel.requests) MPI_Request_free(&request);
  }
}

HaloExchange::Channel& HaloExchange::channel(int components) {
  const auto [it, is_new] = channels_.try_emplace(components);
  Channel& channel = it->second;
  if (!is_new) return channel;

  const std::size_t sends = plan_.send_index.size() * components;
  const std::size_t receives = static_cast<std::size_t>(receive_total_) * components;
  channel.device_send = DeviceArray<real>(sends);
  real* send = channel.device_send.data();
  real* receive;
  if (direct_) {
    channel.device_receive = DeviceArray<real>(receives);
    receive = channel.device_receive.data();
  } else {
    channel.host_send = PinnedArray<real>(sends);
    channel.host_receive = PinnedArray<real>(receives);
    send = channel.host_send.data();
    receive = channel.host_receive.data();
  }
  const MPI_Datatype type = sizeof(real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  const int tag = 20 + components;
  for (const ExchangePlan::Neighbour& n : plan_.neighbours) {
    MPI_Recv_init(receive + static_cast<std::size_t>(n.receive_begin - receive_begin_) * components,
                  n.receive_count * components, type, n.rank, tag, comm_.handle(), &channel.requests.emplace_back());
    MPI_Send_init(send + static_cast<std::size_t>(n.send_begin) * components, n.send_count * components, type, n.rank,
                  tag, comm_.handle(), &channel.requests.emplace_back());
  }
  return channel;
}

void HaloExchange::start(real* values, int components) {
  require(!in_flight_, [] { return "a halo exchange was started before the last one of the same kind was finished"; });
  in_flight_ = true;
  values_in_flight_ = values;
  components_in_flight_ = components;
  if (plan_.neighbours.empty()) return;

  Channel& c = channel(components);
  const int sends = static_cast<int>(plan_.send_index.size());
  real* const packed = c.device_send.data();
  const int* const index = send_index_.data();
  forall(
      sends, SOLENOID_KERNEL(int k) {
        for (int j = 0; j < components; ++j) packed[k * components + j] = values[index[k] * components + j];
      });
  if (direct_) {
    device_synchronize();
  } else {
    copy_to_host(c.host_send.data(), packed, c.host_send.size() * sizeof(real));
  }
  MPI_Startall(static_cast<int>(c.requests.size()), c.requests.data());
}

void HaloExchange::finish() {
  require(in_flight_, [] { return "a halo exchange was finished that nobody started"; });
  in_flight_ = false;
  if (plan_.neighbours.empty()) return;

  const int components = components_in_flight_;
  Channel& c = channel(components);
  MPI_Waitall(static_cast<int>(c.requests.size()), c.requests.data(), MPI_STATUSES_IGNORE);
  real* const halo = values_in_flight_ + static_cast<std::size_t>(receive_begin_) * components;
  const std::size_t bytes = static_cast<std::size_t>(receive_total_) * components * sizeof(real);
  if (direct_) {
    copy_on_device(halo, c.device_receive.data(), bytes);
  } else {
    copy_to_device(halo, c.host_receive.data(), bytes);
  }
}

}  // namespace solenoid
