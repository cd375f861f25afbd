#include "physics/flow/reconstruct/remote_face_values.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// The owned faces, and those of other ranks that are in `faces`.
LocalNumbering wanted_part(const LocalNumbering& numbering, const std::vector<int>& faces) {
  std::vector<char> wanted(numbering.total(), 0);
  for (int f : faces) wanted[f] = 1;
  LocalNumbering part;
  part.owned = numbering.owned;
  part.global_count = numbering.global_count;
  for (int f = 0; f < numbering.total(); ++f) {
    if (f >= numbering.owned && !wanted[f]) continue;
    part.global_id.push_back(numbering.global_id[f]);
    part.owner.push_back(numbering.owner[f]);
  }
  return part;
}

/// Places of `faces` in wanted_part().
std::vector<int> places(const LocalNumbering& numbering, const std::vector<int>& faces) {
  std::vector<int> place(numbering.total(), -1);
  for (int f : faces) place[f] = 0;
  int next = numbering.owned;
  for (int f = 0; f < numbering.total(); ++f) {
    if (f < numbering.owned) {
      place[f] = f;
    } else if (place[f] == 0) {
      place[f] = next++;
    }
  }
  std::vector<int> result;
  for (int f : faces) result.push_back(place[f]);
  return result;
}

}  // namespace

RemoteFaceValues::RemoteFaceValues(const Layout& layout, const std::vector<int>& faces)
    : wanted_(layout.comm(), wanted_part(layout.numbering(), faces)),
      values_(wanted_),
      place_(places(layout.numbering(), faces)),
      picked_(faces.size()) {}

std::vector<real> RemoteFaceValues::pick(const Field<Face>& values) {
  values_.copy_from(values);
  const auto from = halo(values_).view();
  const int* const place = place_.data();
  real* const to = picked_.data();
  forall(
      static_cast<int>(picked_.size()), SOLENOID_KERNEL(int i) { to[i] = from[Index<Face>{place[i]}]; });
  return picked_.to_host();
}

}  // namespace solenoid
