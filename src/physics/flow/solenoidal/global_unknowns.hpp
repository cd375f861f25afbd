/// The unknowns of harmonic fluxes, stored at edges that have no unknown of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "field/field.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Edges whose potential is none of a step's unknowns: prescribed ones or, where there are none, some at which a
/// gauge makes it 0. No two of those share a node, so that each may take off its own multiple of one node's gradient.
class GlobalUnknowns {
 public:
  /// The `count` lowest ones in global ids. Collective; throws a collective Error where there are not as many.
  GlobalUnknowns(const LocalMesh& mesh, const std::vector<int>& roles, std::int64_t count);

  /// `roles` with another one at the slots, halo included.
  std::vector<int> marked(std::vector<int> roles, int role) const;

  std::size_t count() const { return local_.size(); }

  std::vector<real> read(const Field<Edge>& x) const;  ///< what x has at the slots, on every rank. Collective.
  std::vector<real> extract(Field<Edge>& x) const;     ///< the same, and leaves 0 in their place. Collective.
  void put(const std::vector<real>& values, Field<Edge>& x) const;

  /// Whether potentials are 0 at the slots by a gauge.
  bool fix_gauge() const { return !gradients_.empty(); }
  /// To r, which is 0 at the slots, what it has there if no gradient has a part in it. Collective.
  void complete_rotation(Field<Edge>& r) const;
  /// Takes the gradients off s that make it other than 0 at the slots. Collective.
  void remove_gradients(Field<Edge>& s) const;

 private:
  /// Of the node at one end of the slot: 1 along the edges that lead there, -1 along those that lead away.
  struct Gradient {
    DeviceArray<int> edge;  // owned
    DeviceArray<real> sign;
  };

  bool is_owned(std::size_t k) const { return local_[k] >= 0 && local_[k] < owned_; }

  int owned_;
  std::vector<int> local_;  // of each slot the local edge, -1 where it is not here
  std::vector<Gradient> gradients_;
};

}  // namespace solenoid
