#include "mesh/halo_exchange.hpp"

#include "base/error.hpp"
#include "parallel/aside.hpp"
#include "parallel/backend.hpp"
#include "parallel/copy.hpp"
#include "parallel/device.hpp"

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
    for (MPI_Request& request : channel.receives) MPI_Request_free(&request);
    for (MPI_Request& request : channel.sends) MPI_Request_free(&request);
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
                  n.receive_count * components, type, n.rank, tag, comm_.handle(), &channel.receives.emplace_back());
    MPI_Send_init(send + static_cast<std::size_t>(n.send_begin) * components, n.send_count * components, type, n.rank,
                  tag, comm_.handle(), &channel.sends.emplace_back());
  }
  return channel;
}

namespace {
void start_all(std::vector<MPI_Request>& requests) { MPI_Startall(static_cast<int>(requests.size()), requests.data()); }
void wait_for_all(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}
}  // namespace

void HaloExchange::start(real* values, int components) {
  comm_.require_outside_guard("HaloExchange::start");
  require(!in_flight_, [] { return "a halo exchange was started before the last one of the same kind was finished"; });
  in_flight_ = true;
  values_in_flight_ = values;
  components_in_flight_ = components;
  if (plan_.neighbours.empty()) return;

  Channel& c = channel(components);
  wait_for_aside();  // what was received last may still be on its way to the device
  start_all(c.receives);
  {
    const Aside aside(true);
    const int sends = static_cast<int>(plan_.send_index.size());
    real* const packed = c.device_send.data();
    const int* const index = send_index_.data();
    forall(
        sends, SOLENOID_KERNEL(int k) {
          for (int j = 0; j < components; ++j) packed[k * components + j] = values[index[k] * components + j];
        });
    if (!direct_) copy_to_host_later(c.host_send.data(), packed, c.host_send.size() * sizeof(real));
  }
  sending_ = aside_is_done();
  if (sending_) start_all(c.sends);
}

void HaloExchange::finish() {
  comm_.require_outside_guard("HaloExchange::finish");
  require(in_flight_, [] { return "a halo exchange was finished that nobody started"; });
  in_flight_ = false;
  if (plan_.neighbours.empty()) return;

  const int components = components_in_flight_;
  Channel& c = channel(components);
  if (!sending_) {
    wait_for_aside();
    start_all(c.sends);
  }
  wait_for_all(c.receives);
  real* const halo = values_in_flight_ + static_cast<std::size_t>(receive_begin_) * components;
  const std::size_t bytes = static_cast<std::size_t>(receive_total_) * components * sizeof(real);
  {
    const Aside aside(false);  // the kernels in between do not touch the halo
    if (direct_) {
      copy_on_device(halo, c.device_receive.data(), bytes);
    } else {
      copy_to_device_later(halo, c.host_receive.data(), bytes);
    }
  }
  join_aside();
  wait_for_all(c.sends);
}

}  // namespace solenoid
