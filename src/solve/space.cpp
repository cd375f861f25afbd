#include "solve/space.hpp"

#include <algorithm>
#include <numeric>

#include "parallel/backend.hpp"

namespace solenoid {

template <class L>
Space<L>::Space(const LocalMesh& mesh, const std::vector<int>& role) : mesh_(&mesh), role_(role) {
  const LocalNumbering& numbering = mesh.numbering<L>();
  const Comm& comm = mesh.comm();
  const int highest = std::accumulate(role.begin(), role.end(), -1, [](int a, int b) { return std::max(a, b); });
  const int group_count = static_cast<int>(comm.max(std::int64_t{highest})) + 1;

  std::vector<int> prescribed_entities;
  std::vector<std::vector<int>> members(group_count);
  std::int64_t free_count = 0;
  for (int i = 0; i < numbering.owned; ++i) {
    if (role[i] == free) ++free_count;
    if (role[i] == prescribed) prescribed_entities.push_back(i);
    if (role[i] >= 0) members[role[i]].push_back(i);
  }
  for (const std::vector<int>& group : members) {
    group_size_.push_back(static_cast<std::int64_t>(group.size()));
    members_.emplace_back(group);
  }
  comm.sum(std::span<std::int64_t>(group_size_));
  for (int g = 0; g < group_count; ++g) {
    require_on_all_ranks(group_size_[g] > 0, [&] { return message("tied group {} has no member", g); });
  }
  unknowns_ = comm.sum(free_count) + group_count;
  prescribed_ = DeviceArray<int>(prescribed_entities);
}

template <class L>
void Space<L>::restrict_to_unknowns(Field<L>& values) const {
  set_prescribed(values, 0);
  tie(values);
}

template <class L>
template <class T>
void Space<L>::tie(Field<L, T>& values) const {
  if (members_.empty()) return;
  const auto v = std::as_const(values).view();
  std::vector<PartialSum> parts;
  for (const DeviceArray<int>& members : members_) {
    const int* const member = members.data();
    parts.push_back(reduce_sum(
        static_cast<int>(members.size()), SOLENOID_KERNEL(int k) { return v[Index<L>{member[k]}]; }));
  }
  const std::vector<real> sums = totals(mesh_->comm(), parts);
  for (int g = 0; g < groups(); ++g) {
    set_members(values, g, static_cast<T>(sums[g] / static_cast<real>(group_size_[g])));
  }
}

template <class L>
template <class T>
void Space<L>::set_members(Field<L, T>& values, int group, std::type_identity_t<T> value) const {
  const auto v = values.view();
  const int* const member = members_[group].data();
  forall(
      static_cast<int>(members_[group].size()), SOLENOID_KERNEL(int k) { v[Index<L>{member[k]}] = value; });
}

template <class L>
real Space<L>::group_value(const Field<L>& values, int group) const {
  const auto v = values.view();
  const int* const member = members_[group].data();
  if (members_[group].size() == 0) return 1;
  return reduce(
      1, real{0}, SOLENOID_KERNEL(int) { return v[Index<L>{member[0]}]; }, Plus{});
}

template <class L>
void Space<L>::set_prescribed(Field<L>& values, real value) const {
  const auto v = values.view();
  const int* const entity = prescribed_.data();
  forall(
      static_cast<int>(prescribed_.size()), SOLENOID_KERNEL(int k) { v[Index<L>{entity[k]}] = value; });
}

template class Space<Node>;
template class Space<Edge>;
template class Space<Face>;
template class Space<Cell>;
template void Space<Node>::tie(Field<Node>&) const;
template void Space<Node>::tie(Field<Node, float>&) const;
template void Space<Edge>::tie(Field<Edge>&) const;
template void Space<Edge>::tie(Field<Edge, float>&) const;
template void Space<Face>::tie(Field<Face>&) const;
template void Space<Face>::tie(Field<Face, float>&) const;
template void Space<Cell>::tie(Field<Cell>&) const;
template void Space<Node>::set_members(Field<Node>&, int, real) const;
template void Space<Edge>::set_members(Field<Edge>&, int, real) const;
template void Space<Face>::set_members(Field<Face>&, int, real) const;
template void Space<Cell>::set_members(Field<Cell>&, int, real) const;

}  // namespace solenoid
