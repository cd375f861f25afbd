/// The values that ranks send each other to refresh the halo of one layout.
#pragma once

#include <vector>

#include "base/comm.hpp"
#include "mesh/local_numbering.hpp"

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

}  // namespace solenoid
