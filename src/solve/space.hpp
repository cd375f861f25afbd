/// The unknowns of a system among the values at a location: free ones, prescribed ones, and groups tied to one value.
#pragma once

#include <type_traits>
#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// The role of each local entity for the solver. A tied group (a hole's boundary, say) is one unknown, even if ranks
/// share it: its m entities all have the same value. Restricted to unknowns, values are 0 where prescribed and equal at
/// the members of a group; the plain inner product over entities is that of the unknowns in an orthonormal basis, in
/// which a group is one vector of m entries 1/sqrt(m).
template <class L>
class Space {
 public:
  static constexpr int free = -1, prescribed = -2;  ///< other roles: the number of the tied group, >= 0

  /// `role`: per local entity, halo included; the same on every rank that holds the entity. Collective.
  Space(const LocalMesh& mesh, const std::vector<int>& role);

  const LocalMesh& mesh() const { return *mesh_; }
  int groups() const { return static_cast<int>(members_.size()); }

  /// Unknowns over all ranks; each group counts once.
  std::int64_t unknowns() const { return unknowns_; }

  /// Per local entity, halo included.
  const std::vector<int>& role() const { return role_; }

  /// Converts a residual over entities to one over unknowns: 0 where prescribed, the group's mean at each member.
  /// Collective.
  void restrict_to_unknowns(Field<L>& values) const;
  /// The second half of that: sets the group's mean at each member. Collective.
  template <class T>
  void tie(Field<L, T>& values) const;

  /// Diagonal of the restricted operator: `diagonal` where free, 1 where prescribed, and for each group the mean over
  /// its members of their rows applied to the group. `apply(x, y)` sets y = A x. Collective.
  template <class Operator>
  void restrict_diagonal(const Operator& apply, Field<L>& diagonal) const;

  template <class T>
  void set_members(Field<L, T>& values, int group, std::type_identity_t<T> value) const;  ///< owned, of a tied group
  void set_prescribed(Field<L>& values, real value) const;                                ///< owned prescribed entities
  real group_value(const Field<L>& values, int group) const;  ///< at its first owned member; 1 without one

 private:
  const LocalMesh* mesh_;
  std::vector<int> role_;
  std::vector<std::int64_t> group_size_;
  DeviceArray<int> prescribed_;            // owned entities
  std::vector<DeviceArray<int>> members_;  // owned entities of each group
  std::int64_t unknowns_ = 0;
};

template <class L>
template <class Operator>
void Space<L>::restrict_diagonal(const Operator& apply, Field<L>& diagonal) const {
  std::vector<real> of_group;
  Field<L> indicator(*mesh_), row(*mesh_);
  for (int g = 0; g < groups(); ++g) {
    set_members(indicator, g, 1);
    apply(indicator, row);
    restrict_to_unknowns(row);
    of_group.push_back(group_value(row, g));
    set_members(indicator, g, 0);
  }
  for (int g = 0; g < groups(); ++g) set_members(diagonal, g, of_group[g]);
  set_prescribed(diagonal, 1);
}

}  // namespace solenoid
