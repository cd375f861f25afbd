/// Values on the boundary faces of a rank's mesh, on the device.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// One T per face of mesh.boundary(): valid on faces that this rank owns, 0 elsewhere.
template <class T>
class BoundaryField {
 public:
  using value_type = T;

  explicit BoundaryField(const LocalMesh& mesh) : mesh_(&mesh), values_(std::vector<T>(mesh.boundary().size())) {}

  const LocalMesh& mesh() const { return *mesh_; }
  int size() const { return static_cast<int>(values_.size()); }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  std::vector<T> to_host() const { return values_.to_host(); }
  void from_host(const std::vector<T>& values) { values_.from_host(values); }

 private:
  const LocalMesh* mesh_;
  DeviceArray<T> values_;
};

/// The inward normal component of a cell vector at each owned face, with the value of the cell inside.
void flux_into(const Field<Cell, Vec3>& in_cells, BoundaryField<real>& inward);

}  // namespace solenoid
