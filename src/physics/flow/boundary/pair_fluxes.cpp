#include "physics/flow/boundary/pair_fluxes.hpp"

#include <cstdlib>

#include "parallel/backend.hpp"

namespace solenoid {

PairFaces::PairFaces(const LocalMesh& mesh) : mesh_(mesh) {
  const MeshPart& part = mesh.part();
  std::vector<std::vector<int>> face(part.pairs.size());
  std::vector<std::vector<real>> sign(part.pairs.size());
  for (int f = 0; f < mesh.owned<Face>() && !part.pairs.empty(); ++f) {
    if (part.face_pair[f] == 0) continue;
    const auto pair = static_cast<std::size_t>(std::abs(part.face_pair[f]) - 1);
    face[pair].push_back(f);
    sign[pair].push_back(part.face_pair[f] > 0 ? 1 : -1);
  }
  for (std::size_t k = 0; k < face.size(); ++k)
    faces_.push_back({DeviceArray<int>(face[k]), DeviceArray<real>(sign[k])});
}

std::vector<real> PairFaces::sum(const Field<Face>& x) const {
  if (faces_.empty()) return {};
  std::vector<PartialSum> sums;
  const auto values = x.view();
  for (const Faces& of_pair : faces_) {
    const int* const face = of_pair.face.data();
    const real* const sign = of_pair.sign.data();
    sums.push_back(reduce_sum(
        static_cast<int>(of_pair.face.size()),
        SOLENOID_KERNEL(int k) { return sign[k] * values[Index<Face>{face[k]}]; }));
  }
  return totals(mesh_.comm(), sums);
}

std::vector<Vec3> PairFaces::areas() const {
  const MeshPart& part = mesh_.part();
  std::vector<std::array<PartialSum, 3>> parts(faces_.size());
  for (int f = 0; f < mesh_.owned<Face>() && !faces_.empty(); ++f) {
    if (part.face_pair[f] == 0) continue;
    const real area = (part.face_pair[f] > 0 ? 1 : -1) * mesh_.geometry().face_area[f];
    add_to(parts[static_cast<std::size_t>(std::abs(part.face_pair[f]) - 1)], area * mesh_.geometry().face_normal[f]);
  }
  std::vector<Vec3> sums;
  for (const auto& of_pair : parts) sums.push_back(total(mesh_.comm(), of_pair));
  return sums;
}

void PairFaces::subtract(std::vector<real> values, Field<Face>& x) const {
  for (real& value : values) value = -value;
  add(values, x);
}

void PairFaces::add(const std::vector<real>& values, Field<Face>& x) const {
  for (std::size_t pair = 0; pair < faces_.size(); ++pair) {
    const real value = values[pair];
    if (value == 0) continue;
    const auto result = x.view();
    const int* const face = faces_[pair].face.data();
    const real* const sign = faces_[pair].sign.data();
    forall(
        static_cast<int>(faces_[pair].face.size()),
        SOLENOID_KERNEL(int k) { result[Index<Face>{face[k]}] += sign[k] * value; });
  }
}

PairDrives::PairDrives(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : boundaries_(boundaries), faces_(mesh), fluxes_(faces_.count(), 0), drops_(faces_.count(), 0) {
  for (std::size_t k = 0; k < faces_.count(); ++k) {
    if (boundaries_.drive(static_cast<int>(k)).flux) driven_.push_back(k);
  }
}

void PairDrives::sample(real time) {
  for (std::size_t k = 0; k < faces_.count(); ++k) {
    const PairDrive& drive = boundaries_.drive(static_cast<int>(k));
    if (drive.flux) fluxes_[k] = drive.flux->at(Vec3{}, time);
    if (drive.drop) drops_[k] = drive.drop->at(Vec3{}, time);
  }
}

}  // namespace solenoid
