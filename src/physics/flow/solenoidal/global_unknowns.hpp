/// The unknowns of harmonic fluxes, stored at edges that have no unknown of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "field/field.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Edges that carry no unknown of a step: prescribed ones or, if there are none, some whose potential a gauge sets to
/// 0. No two of the latter share a node, so that each can subtract its own multiple of one node's gradient.
class GlobalUnknowns {
 public:
  /// The `count` lowest global ids. Collective; throws a collective Error if there are too few.
  GlobalUnknowns(const LocalMesh& mesh, const std::vector<int>& roles, std::int64_t count);

  /// `roles` with `role` at the slots, halo included.
  std::vector<int> marked(std::vector<int> roles, int role) const;

  std::size_t count() const { return local_.size(); }

  std::vector<real> read(const Field<Edge>& x) const;  ///< values at the slots, on every rank. Collective.
  std::vector<real> extract(Field<Edge>& x) const;     ///< the same, and sets them to 0. Collective.
  void put(const std::vector<real>& values, Field<Edge>& x) const;

  /// Whether a gauge sets potentials to 0 at the slots.
  bool fix_gauge() const { return !gradients_.empty(); }
  /// Sets r at the slots, 0 on entry, so that r is orthogonal to their gradients, as rotations are. Collective.
  void complete_rotation(Field<Edge>& r) const;
  /// Subtracts gradients from s so that it is 0 at the slots. Collective.
  void remove_gradients(Field<Edge>& s) const;

 private:
  /// Gradient of the node at one end of the slot: 1 along edges that lead there, -1 along edges that lead away.
  struct Gradient {
    DeviceArray<int> edge;  // owned
    DeviceArray<real> sign;
  };

  bool is_owned(std::size_t k) const { return local_[k] >= 0 && local_[k] < owned_; }

  int owned_;
  std::vector<int> local_;  // local edge of each slot, -1 if not on this rank
  std::vector<Gradient> gradients_;
};

}  // namespace solenoid
