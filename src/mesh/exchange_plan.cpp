#include "mesh/exchange_plan.hpp"

#include <algorithm>

#include "base/error.hpp"

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

}  // namespace solenoid
