#include "mesh/layout.hpp"

#include <algorithm>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "parallel/backend.hpp"
#include "parallel/memory.hpp"
#include "parallel/placement.hpp"
#include "parallel/stream.hpp"

namespace solenoid {

int ExchangePlan::receive_total() const {
  int total = 0;
  for (const Neighbour& n : neighbours) total += n.receive_count;
  return total;
}

ExchangePlan plan_exchange(const Comm& comm, const LocalNumbering& numbering) {
  comm.require_outside_guard("plan_exchange");
  std::vector<int> wanted(comm.size(), 0), asked(comm.size(), 0);
  for (int i = numbering.owned; i < numbering.total(); ++i) ++wanted[numbering.owner[i]];
  MPI_Alltoall(wanted.data(), 1, MPI_INT, asked.data(), 1, MPI_INT, comm.handle());

  ExchangePlan plan;
  int receive_begin = numbering.owned, send_begin = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (wanted[rank] || asked[rank])
      plan.neighbours.push_back({rank, send_begin, asked[rank], receive_begin, wanted[rank]});
    receive_begin += wanted[rank];
    send_begin += asked[rank];
  }

  std::vector<std::int64_t> asked_ids(send_begin);
  std::vector<MPI_Request> requests;
  constexpr int tag = 18;
  for (const auto& n : plan.neighbours) {
    requests.emplace_back();
    MPI_Irecv(asked_ids.data() + n.send_begin, n.send_count, MPI_INT64_T, n.rank, tag, comm.handle(), &requests.back());
    requests.emplace_back();
    MPI_Isend(numbering.global_id.data() + n.receive_begin, n.receive_count, MPI_INT64_T, n.rank, tag, comm.handle(),
              &requests.back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);

  comm.guard([&] {
    const auto begin = numbering.global_id.begin(), end = begin + numbering.owned;  // owned ids ascend
    for (std::int64_t id : asked_ids) {
      const auto place = std::lower_bound(begin, end, id);
      require(place != end && *place == id,
              [&] { return message("a neighbour asks for entity {}, which is not owned here", id); });
      plan.send_index.push_back(static_cast<int>(place - begin));
    }
  });
  return plan;
}

HaloExchange::HaloExchange(const Comm& comm, ExchangePlan plan)
    : comm_(comm),
      plan_(std::move(plan)),
      send_index_(plan_.send_index),
      receive_total_(plan_.receive_total()),
      direct_(mpi_is_gpu_aware()) {
  if (!plan_.neighbours.empty()) receive_begin_ = plan_.neighbours.front().receive_begin;
}

HaloExchange::~HaloExchange() {
  for (auto& [bytes, channel] : channels_) {
    for (MPI_Request& request : channel.receives) MPI_Request_free(&request);
    for (MPI_Request& request : channel.sends) MPI_Request_free(&request);
  }
}

HaloExchange::Channel& HaloExchange::channel(std::size_t bytes) {
  const auto [it, is_new] = channels_.try_emplace(bytes);
  Channel& channel = it->second;
  if (!is_new) return channel;

  const std::size_t sends = plan_.send_index.size() * bytes;
  const std::size_t receives = static_cast<std::size_t>(receive_total_) * bytes;
  channel.device_send = DeviceArray<std::byte>(sends);
  std::byte* send = channel.device_send.data();
  std::byte* receive;
  if (direct_) {
    channel.device_receive = DeviceArray<std::byte>(receives);
    receive = channel.device_receive.data();
  } else {
    channel.host_send = PinnedArray<std::byte>(sends);
    channel.host_receive = PinnedArray<std::byte>(receives);
    send = channel.host_send.data();
    receive = channel.host_receive.data();
  }
  const bool in_words = bytes % sizeof(real) == 0;
  const MPI_Datatype type = in_words && sizeof(real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  const int each = static_cast<int>(bytes / (type == MPI_DOUBLE ? sizeof(double) : sizeof(float)));
  const int tag = 20 + static_cast<int>(bytes);
  const auto values = [&](int entities) {
    return count_on_rank(std::int64_t{entities} * each, "values of a message to another rank");
  };
  for (const ExchangePlan::Neighbour& n : plan_.neighbours) {
    MPI_Recv_init(receive + static_cast<std::size_t>(n.receive_begin - receive_begin_) * bytes, values(n.receive_count),
                  type, n.rank, tag, comm_.handle(), &channel.receives.emplace_back());
    MPI_Send_init(send + static_cast<std::size_t>(n.send_begin) * bytes, values(n.send_count), type, n.rank, tag,
                  comm_.handle(), &channel.sends.emplace_back());
  }
  return channel;
}

namespace {

/// Packs the values at `places` one after the other.
template <class Number>
void pack(const DeviceArray<int>& places, const void* values, std::size_t bytes, std::byte* packed) {
  const int words = static_cast<int>(bytes / sizeof(Number));
  const int* const index = places.data();
  const auto* const from = static_cast<const Number*>(values);
  auto* const to = reinterpret_cast<Number*>(packed);
  forall(
      static_cast<int>(places.size()), SOLENOID_KERNEL(int k) {
        for (int j = 0; j < words; ++j) to[k * words + j] = from[index[k] * words + j];
      });
}

void start_all(std::vector<MPI_Request>& requests) { MPI_Startall(static_cast<int>(requests.size()), requests.data()); }
void wait_for_all(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}
}  // namespace

void HaloExchange::start(void* values, std::size_t bytes) {
  comm_.require_outside_guard("HaloExchange::start");
  require(!in_flight_, [] { return "a halo exchange was started before the last one of the same kind was finished"; });
  in_flight_ = true;
  values_in_flight_ = values;
  bytes_in_flight_ = bytes;
  if (plan_.neighbours.empty()) return;

  Channel& c = channel(bytes);
  wait_for_aside();  // the last received values may still be in transfer to the device
  start_all(c.receives);
  {
    const Aside aside(true);
    std::byte* const packed = c.device_send.data();
    if (bytes % sizeof(real) == 0) {
      pack<real>(send_index_, values, bytes, packed);
    } else {
      pack<float>(send_index_, values, bytes, packed);
    }
    if (!direct_) copy_to_host_later(c.host_send.data(), packed, c.host_send.size());
  }
  sending_ = aside_is_done();
  if (sending_) start_all(c.sends);
}

void HaloExchange::finish() {
  comm_.require_outside_guard("HaloExchange::finish");
  require(in_flight_, [] { return "a halo exchange was finished that nobody started"; });
  in_flight_ = false;
  if (plan_.neighbours.empty()) return;

  Channel& c = channel(bytes_in_flight_);
  if (!sending_) {
    wait_for_aside();
    start_all(c.sends);
  }
  wait_for_all(c.receives);
  const std::size_t bytes = static_cast<std::size_t>(receive_total_) * bytes_in_flight_;
  std::byte* const halo =
      static_cast<std::byte*>(values_in_flight_) + static_cast<std::size_t>(receive_begin_) * bytes_in_flight_;
  {
    const Aside aside(false);  // the kernels in between do not access the halo
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
