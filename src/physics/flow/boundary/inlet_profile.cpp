#include "physics/flow/boundary/inlet_profile.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "physics/flow/boundary/developed_profile.hpp"
#include "physics/flow/boundary/face_means.hpp"

namespace solenoid {

InletProfile::InletProfile(const std::vector<PatchFace>& patch, int dimension, const InletRate& given,
                           const std::string& subject)
    : shape_(given.shape), formula_(given.formula) {
  const std::vector<real> of_face = set_shape(patch, dimension, subject);
  std::vector<real> sums{0};
  real area = 0;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    sums.push_back(sums.back() + of_face[i]);
    area += patch[i].area;
  }
  integral_ = sums.back();
  require_input(std::isfinite(integral_) && integral_ > 0, [&] {
    return message(
        "{}: its integral over the patch is {:.6g}, expected a number greater than 0{}", subject, integral_,
        shape_ == ProfileShape::developed ? ": all corners of its faces are on walls, take a finer mesh" : "");
  });
  for (std::size_t i = 0; i < patch.size(); ++i) {
    faces_[i].shares = {sums[i] / integral_, sums[i + 1] / integral_};
    faces_[i].mean = of_face[i] / integral_ / patch[i].area;
    mean_ += patch[i].area / area * faces_[i].mean * patch[i].inward;
  }
}

/// Sets phi on the faces and returns its integrals over them.
std::vector<real> InletProfile::set_shape(const std::vector<PatchFace>& patch, int dimension,
                                          const std::string& subject) {
  const bool is_planar = dimension == 2, is_developed = shape_ == ProfileShape::developed;
  std::vector<std::array<real, 3>> corners(patch.size(), {1, 1, 1});
  if (is_developed) corners = developed_profile(patch, dimension, subject);
  std::vector<real> integrals;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const auto& [x, y, z] = patch[i].corner;
    const auto& [of_x, of_y, of_z] = corners[i];
    OnFace& face = faces_.emplace_back(OnFace{patch[i].id, x, patch[i].inward, {of_y - of_x, of_z - of_x}, of_x});
    if (is_planar) {
      face.slope[0] = (y - x) / dot(y - x, y - x);
      if (is_developed) face.bulge = dot(y - x, y - x) / 2;
      integrals.push_back(patch[i].area * ((of_x + of_y) / 2 + face.bulge / 6));
    } else {
      const Vec3 twice_area = cross(y - x, z - x);
      face.slope[0] = cross(z - x, twice_area) / dot(twice_area, twice_area);
      face.slope[1] = cross(twice_area, y - x) / dot(twice_area, twice_area);
      integrals.push_back(patch[i].area * (of_x + of_y + of_z) / 3);
    }
  }
  return shape_ == ProfileShape::formula ? integrals_of_formula(patch, dimension) : integrals;
}

std::vector<real> InletProfile::integrals_of_formula(const std::vector<PatchFace>& patch, int dimension) const {
  std::vector<std::array<Vec3, 3>> corners;
  for (const PatchFace& face : patch) corners.push_back(face.corner);
  if (dimension == 2) {
    for (auto& of_face : corners) of_face[2] = of_face[1];
  }
  const std::vector<Vec3> means =
      means_over(corners, dimension, [&](std::span<const std::size_t>, std::span<const Vec3> at) {
        std::vector<Vec3> values;
        for (const real value : formula_.at(at, 0)) values.push_back({value, 0, 0});
        return values;
      });
  std::vector<real> integrals;
  for (std::size_t i = 0; i < patch.size(); ++i) integrals.push_back(patch[i].area * means[i].x);
  return integrals;
}

const InletProfile::OnFace& InletProfile::face(std::int64_t id) const {
  const auto found = std::lower_bound(faces_.begin(), faces_.end(), id,
                                      [](const OnFace& face, std::int64_t sought) { return face.id < sought; });
  require(found != faces_.end() && found->id == id,
          [&] { return message("the face {} is not on this inlet of {} faces", id, faces_.size()); });
  return *found;
}

std::vector<Vec3> InletProfile::at(std::span<const BoundaryPlace> places) const {
  std::vector<real> phi;
  if (shape_ == ProfileShape::formula) {
    std::vector<Vec3> points;
    for (const BoundaryPlace& place : places) points.push_back(place.at);
    phi = formula_.at(points, 0);
  }
  std::vector<Vec3> velocities;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const OnFace& on = face(places[k].face);
    const Vec3 x = places[k].at - on.origin;
    const real s = dot(on.slope[0], x), t = dot(on.slope[1], x);
    const real here = shape_ == ProfileShape::formula
                          ? phi[k]
                          : on.value + on.change[0] * s + on.change[1] * t + on.bulge * s * (1 - s);
    velocities.push_back(here / integral_ * on.inward);
  }
  return velocities;
}

Vec3 InletProfile::mean_on(std::int64_t id) const { return face(id).mean * face(id).inward; }

std::array<real, 2> InletProfile::shares_up_to(std::int64_t id) const { return face(id).shares; }

namespace {

/// Sets the profile of a flow rate on this patch, and the mean velocity.
void set_profile(Inlet& inlet, const std::vector<PatchFace>& patch, int dimension, const std::string& subject) {
  InletRate& given = *inlet.rate;
  given.profile = std::make_shared<const InletProfile>(patch, dimension, given, subject);
  inlet.velocity = {
      [rate = given.rate, mean = given.profile->mean()](std::span<const Vec3>, real time, std::span<Vec3> values) {
        const Vec3 now = rate.at(Vec3{}, time) * mean;
        std::fill(values.begin(), values.end(), now);
      },
      Dependence{.on_place = true, .on_time = given.rate.depends_on_time()}, given.rate.text()};
}

std::string subject_of(const std::string& file, const std::string& patch) {
  return file + ": [boundary." + patch + "] profile";
}

}  // namespace

std::vector<FlowBoundary> with_profiles(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                        const std::string& file) {
  const std::vector<char> is_wall = walls_among(of_patch);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    if (!given_rate(of_patch[p])) continue;
    const std::vector<PatchFace> patch = patch_surface(mesh, is_wall, p);
    mesh.comm().guard([&] {
      set_profile(std::get<Inlet>(of_patch[p]), patch, mesh.dimension(), subject_of(file, mesh.part().patches[p]));
    });
  }
  return of_patch;
}

std::vector<FlowBoundary> with_profiles(std::vector<FlowBoundary> of_patch, const GlobalMesh& mesh,
                                        const Geometry& geometry, const std::string& file) {
  const std::vector<char> is_wall = walls_among(of_patch);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    if (!given_rate(of_patch[p])) continue;
    set_profile(std::get<Inlet>(of_patch[p]), patch_surface(mesh, geometry, is_wall, p), mesh.dimension,
                subject_of(file, mesh.patches[p]));
  }
  return of_patch;
}

}  // namespace solenoid
