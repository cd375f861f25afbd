#include "model/patch_integral.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

std::vector<real> areas_on(const LocalMesh& mesh, const std::vector<int>& patches) {
  std::vector<real> areas;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    const bool is_one = std::find(patches.begin(), patches.end(), b.patch) != patches.end();
    areas.push_back(is_one ? mesh.geometry().face_area[b.face] : 0);
  }
  return areas;
}

std::vector<Vec3> centres_of(const LocalMesh& mesh) {
  std::vector<Vec3> centres;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned) centres.push_back(mesh.geometry().face_centre[b.face]);
  }
  return centres;
}

// sum_f A_f `place_of`(q_f), this rank's share.

template <class T, class PlaceOf>
PartialSum sum_here(const real* area, const BoundaryField<T>& field, PlaceOf place_of) {
  const BoundaryView faces = field.mesh().boundary().owned();
  const T* const values = field.data();
  return reduce_sum(
      faces.count, SOLENOID_KERNEL(int i) { return area[i] * place_of(values[faces.place[i]]); });
}

template <class T, class PlaceOf>
PartialSum sum_here(const real* area, const Field<Node, T>& field, PlaceOf place_of) {
  const BoundaryView faces = field.mesh().boundary().owned();
  const int corners = field.mesh().dimension();
  const auto values = field.view();
  return reduce_sum(
      faces.count, SOLENOID_KERNEL(int i) {
        real sum = 0;
        for (int k = 0; k < corners; ++k) sum += place_of(values[Index<Node>{faces.node[corners * i + k]}]);
        return area[i] / corners * sum;
      });
}

PartialSum sum_here(const DeviceArray<real>& areas) {
  const real* const area = areas.data();
  return reduce_sum(
      static_cast<int>(areas.size()), SOLENOID_KERNEL(int i) { return area[i]; });
}

struct Itself {
  SOLENOID_HD real operator()(real value) const { return value; }
};
struct X {
  SOLENOID_HD real operator()(const Vec3& value) const { return value.x; }
};
struct Y {
  SOLENOID_HD real operator()(const Vec3& value) const { return value.y; }
};
struct Z {
  SOLENOID_HD real operator()(const Vec3& value) const { return value.z; }
};

struct SumsHere {
  const real* area;
  template <class F>
  std::vector<PartialSum> operator()(const F* field) const {
    if constexpr (std::is_same_v<F, Field<Cell>> || std::is_same_v<F, Field<Cell, Vec3>>) {
      throw Error(ExitCode::failure, "an integral over patches takes values on the boundary or at nodes, not in cells",
                  true);
    } else if constexpr (std::is_same_v<typename F::value_type, real>) {
      return {sum_here(area, *field, Itself{})};
    } else {
      return {sum_here(area, *field, X{}), sum_here(area, *field, Y{}), sum_here(area, *field, Z{})};
    }
  }
};

}  // namespace

PatchIntegral::PatchIntegral(const LocalMesh& mesh, const std::vector<int>& patches)
    : mesh_(mesh),
      centre_(centres_of(mesh)),
      area_of_face_(areas_on(mesh, patches)),
      area_(total(mesh.comm(), sum_here(area_of_face_))) {}

Vec3 PatchIntegral::moment_of(const BoundaryField<Vec3>& values, const Vec3& about) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const Vec3 *const centre = centre_.data(), *const value = values.data();
  const real* const area = area_of_face_.data();
  return total(mesh_.comm(), reduce_sums<3>(
                                 faces.count, SOLENOID_KERNEL(int i) {
                                   const Vec3 m = area[i] * cross(centre[i] - about, value[faces.place[i]]);
                                   return Sums<3>{{m.x, m.y, m.z}};
                                 }));
}

real PatchIntegral::largest(const BoundaryField<real>& values) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const real *const value = values.data(), *const area = area_of_face_.data();
  return mesh_.comm().max(reduce_max(
      faces.count, real{0}, SOLENOID_KERNEL(int i) { return area[i] > 0 ? value[faces.place[i]] : real{0}; }));
}

std::vector<real> PatchIntegral::of(const Evaluated& values) const {
  return totals(mesh_.comm(), std::visit(SumsHere{area_of_face_.data()}, values));
}

}  // namespace solenoid
