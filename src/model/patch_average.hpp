/// Time averages of quantities on boundary faces; of vectors, such as the wall shear, also of their magnitude.
#pragma once

#include <memory>
#include <vector>

#include "field/boundary_field.hpp"
#include "model/time_average.hpp"

namespace solenoid {

/// The faces of some patches, each on the rank that owns it.
class PatchFaces {
 public:
  /// `patches`: indices into mesh.part().patches, each once. Refers to `mesh`, which outlives it. Collective.
  PatchFaces(const LocalMesh& mesh, std::vector<int> patches);

  const LocalMesh& mesh() const { return mesh_; }
  const std::vector<int>& patches() const { return patches_; }
  /// Owned faces only. The ids count the faces of these patches, ascending in their global ids in the mesh.
  const Layout& layout() const { return layout_; }
  /// The index of each face in mesh.boundary(), on the device.
  const int* places() const { return places_.data(); }

 private:
  const LocalMesh& mesh_;
  std::vector<int> patches_;
  Layout layout_;
  DeviceArray<int> places_;
};

/// Samples a quantity on boundary faces. NAME_mean, with variance NAME_variance and of vectors NAME_covariance, are
/// values on boundary faces, 0 on other patches. Vectors also have NAME_magnitude_mean, the mean of |q|, and
/// NAME_oscillatory_index, (1 - |mean of q| / mean of |q|) / 2, 0 where q is 0: of the wall shear the oscillatory shear
/// index (He & Ku 1996, J. Biomech. Eng. 118, 74-82). `faces` outlive the result. Collective.
std::unique_ptr<AveragedQuantity> averaged_on_patches(const PatchFaces& faces, const Quantity& quantity,
                                                      bool with_variance);

}  // namespace solenoid
