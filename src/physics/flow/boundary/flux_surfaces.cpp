#include "physics/flow/boundary/flux_surfaces.hpp"

#include <cstdlib>

#include "parallel/backend.hpp"

namespace solenoid {

FluxSurfaces FluxSurfaces::of_pairs(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<std::vector<int>> faces(part.pairs.size());
  std::vector<std::vector<real>> signs(part.pairs.size());
  for (int f = 0; f < mesh.owned<Face>() && !part.pairs.empty(); ++f) {
    if (part.face_pair[f] == 0) continue;
    const auto pair = static_cast<std::size_t>(std::abs(part.face_pair[f]) - 1);
    faces[pair].push_back(f);
    signs[pair].push_back(part.face_pair[f] > 0 ? 1 : -1);
  }
  FluxSurfaces surfaces(mesh);
  for (std::size_t k = 0; k < faces.size(); ++k) surfaces.append(faces[k], signs[k]);
  return surfaces;
}

FluxSurfaces FluxSurfaces::of_patches(const LocalMesh& mesh, const std::vector<int>& patches) {
  FluxSurfaces surfaces(mesh);
  for (const int patch : patches) {
    std::vector<int> faces;
    std::vector<real> signs;
    for (const BoundaryFace& b : mesh.boundary()) {
      if (!b.is_owned || b.patch != patch) continue;
      faces.push_back(b.face);
      signs.push_back(static_cast<real>(b.orientation));
    }
    surfaces.append(faces, signs);
  }
  return surfaces;
}

void FluxSurfaces::append(const std::vector<int>& faces, const std::vector<real>& signs) {
  faces_.push_back({DeviceArray<int>(faces), DeviceArray<real>(signs)});
}

std::vector<real> FluxSurfaces::sum(const Field<Face>& x) const {
  if (faces_.empty()) return {};
  std::vector<PartialSum> sums;
  const auto values = x.view();
  for (const Faces& of_surface : faces_) {
    const int* const face = of_surface.face.data();
    const real* const sign = of_surface.sign.data();
    sums.push_back(reduce_sum(
        static_cast<int>(of_surface.face.size()),
        SOLENOID_KERNEL(int k) { return sign[k] * values[Index<Face>{face[k]}]; }));
  }
  return totals(mesh_.comm(), sums);
}

std::vector<Vec3> FluxSurfaces::areas() const {
  const Geometry& geometry = mesh_.geometry();
  std::vector<Vec3> sums;
  for (const Faces& of_surface : faces_) {
    const std::vector<int> faces = of_surface.face.to_host();
    const std::vector<real> signs = of_surface.sign.to_host();
    std::array<PartialSum, 3> sum;
    for (std::size_t k = 0; k < faces.size(); ++k) {
      add_to(sum, signs[k] * geometry.face_area[faces[k]] * geometry.face_normal[faces[k]]);
    }
    sums.push_back(total(mesh_.comm(), sum));
  }
  return sums;
}

void FluxSurfaces::subtract(std::vector<real> values, Field<Face>& x) const {
  for (real& value : values) value = -value;
  add(values, x);
}

void FluxSurfaces::add(const std::vector<real>& values, Field<Face>& x) const {
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const real value = values[k];
    if (value == 0) continue;
    const auto result = x.view();
    const int* const face = faces_[k].face.data();
    const real* const sign = faces_[k].sign.data();
    forall(
        static_cast<int>(faces_[k].face.size()),
        SOLENOID_KERNEL(int i) { result[Index<Face>{face[i]}] += sign[i] * value; });
  }
}

}  // namespace solenoid
