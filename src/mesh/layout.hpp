/// Ownership and numbering of entities on every rank, and the exchange that refreshes the copies.
#pragma once

#include <memory>
#include <utility>

#include "mesh/exchange_plan.hpp"
#include "mesh/halo_exchange.hpp"
#include "mesh/local_numbering.hpp"

namespace solenoid {

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
