/// Halo exchange of host values while a mesh is set up.
#pragma once

#include <type_traits>
#include <vector>

#include "base/comm.hpp"
#include "base/counts.hpp"
#include "mesh/layout.hpp"

namespace solenoid {

/// Messages in flight between ranks; the destructor waits for them.
class Messages {
 public:
  Messages(const Comm& comm, int tag) : comm_(comm.handle()), tag_(tag) { comm.require_outside_guard("Messages"); }
  ~Messages() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  template <class T>
  void receive(T* values, int count, int from) {
    static_assert(std::is_trivially_copyable_v<T>);
    const Bytes<T> type;
    MPI_Irecv(values, count, type.type, from, tag_, comm_, &requests_.emplace_back());
  }
  template <class T>
  void send(const T* values, int count, int to) {
    const Bytes<T> type;
    MPI_Isend(values, count, type.type, to, tag_, comm_, &requests_.emplace_back());
  }

 private:
  template <class T>
  struct Bytes {  // a T as an MPI type, so that counts fit an int where byte counts would not
    MPI_Datatype type;
    Bytes() {
      MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type);
      MPI_Type_commit(&type);
    }
    ~Bytes() { MPI_Type_free(&type); }  // safe: MPI keeps the type until pending messages complete
  };

  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
};

/// Refreshes the halo of host arrays on one numbering.
class HostExchange {
 public:
  /// Collective.
  HostExchange(const Comm& comm, const LocalNumbering& numbering)
      : comm_(comm), plan_(plan_exchange(comm, numbering)) {}

  const Comm& comm() const { return comm_; }
  const ExchangePlan& plan() const { return plan_; }

  /// One T per local entity: receives the halo's values from their owners. Collective.
  template <class T>
  void operator()(std::vector<T>& values) const {
    if (plan_.neighbours.empty()) return;
    std::vector<T> sent;
    sent.reserve(plan_.send_index.size());
    for (const int i : plan_.send_index) sent.push_back(values[i]);
    Messages messages(comm_, 16);
    for (const ExchangePlan::Neighbour& n : plan_.neighbours) {
      messages.receive(values.data() + n.receive_begin, n.receive_count, n.rank);
      messages.send(sent.data() + n.send_begin, n.send_count, n.rank);
    }
  }

 private:
  Comm comm_;
  ExchangePlan plan_;
};

/// Exchanges lists of any length: sends `to[rank]` to each rank and returns the list received from each. Collective.
template <class T>
std::vector<std::vector<T>> exchange_lists(const Comm& comm, const std::vector<std::vector<T>>& to) {
  std::vector<int> sent, received(to.size());
  for (const auto& list : to) sent.push_back(count_on_rank(std::ssize(list), "values of a message"));
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.handle());
  std::vector<std::vector<T>> from(to.size());
  {
    Messages messages(comm, 17);
    for (int rank = 0; rank < comm.size(); ++rank) {
      from[rank].resize(received[rank]);
      if (received[rank] > 0) messages.receive(from[rank].data(), received[rank], rank);
      if (sent[rank] > 0) messages.send(to[rank].data(), sent[rank], rank);
    }
  }
  return from;
}

/// The values of all ranks, in rank order, on every rank. Collective.
template <class T>
std::vector<T> from_all_ranks(const Comm& comm, const std::vector<T>& own) {
  std::vector<T> all;
  for (const std::vector<T>& of_rank : exchange_lists(comm, std::vector<std::vector<T>>(comm.size(), own))) {
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  }
  return all;
}

}  // namespace solenoid
