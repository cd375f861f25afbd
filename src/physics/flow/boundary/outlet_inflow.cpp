#include "physics/flow/boundary/outlet_inflow.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/patch_surface.hpp"

namespace solenoid {

bool has_directed_inflow(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    const Outlet* const outlet = boundaries.outlet(p);
    if (outlet && outlet->inflow == OutletInflow::directed) return true;
  }
  return false;
}

std::vector<Vec3> entering_momentum(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<Vec3> directions;
  mesh.comm().guard([&] { directions = sample_direction(boundaries, centres_of_faces(mesh)); });
  std::vector<Vec3> momentum;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    const Outlet* const outlet = boundaries.outlet(b.patch);
    const bool is_directed = outlet && outlet->inflow == OutletInflow::directed;
    const Vec3& normal = b.outward_normal;
    const Vec3& given = directions[momentum.size()];
    Vec3& here = momentum.emplace_back(is_directed ? normal / 2 : Vec3{});
    if (!is_directed || !outlet->direction) continue;
    const Vec3 direction = given / norm(given);
    const real along = dot(direction, normal);
    here = direction / along - normal / (2 * along * along);
  }
  return momentum;
}

std::vector<Vec3> entering_drift(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<Vec3> drifts;
  mesh.comm().guard([&] {
    for (const BoundaryPlace& place : centres_of_faces(mesh)) {
      const Outlet* const outlet = boundaries.outlet(place.patch);
      drifts.push_back(outlet && outlet->drift ? outlet->drift->at(place.at, 0) : Vec3{});
    }
  });
  std::size_t k = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    drifts[k] -= dot(drifts[k], b.outward_normal) * b.outward_normal;
    ++k;
  }
  return drifts;
}

namespace {

std::vector<Vec3> centres_of(const std::vector<PatchFace>& faces, int dimension) {
  std::vector<Vec3> centres;
  for (const PatchFace& face : faces) {
    const auto& [a, b, c] = face.corner;
    centres.push_back(dimension == 2 ? (a + b) / 2 : (a + b + c) / 3);
  }
  return centres;
}

std::string expected_at(const Vec3& inward) {
  return message(
      "one that leads into the domain on every face of the group, at most 84 degrees off the inward normal, which is "
      "({:.3g}, {:.3g}, {:.3g}) there: turn it, or leave it out: then fluid enters along the normals",
      inward.x, inward.y, inward.z);
}

}  // namespace

std::vector<std::string> faults_of_directions(const std::vector<FlowBoundary>& of_patch, const GlobalMesh& mesh,
                                              const Geometry& geometry, const std::string& file) {
  constexpr real least = 0.1;  // of the part along the inward normal
  std::vector<std::string> faults;
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    const auto* const outlet = std::get_if<Outlet>(&of_patch[p]);
    if (!outlet || !outlet->direction) continue;
    const std::vector<PatchFace> faces = patch_surface(mesh, geometry, std::vector<char>(of_patch.size(), 0), p);
    const std::vector<Vec3> centres = centres_of(faces, mesh.dimension);
    const std::vector<Vec3> directions = outlet->direction->at(centres, 0);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const Vec3 &given = directions[i], &inward = faces[i].inward;
      const bool is_in_plane = mesh.dimension == 3 || given.z == 0;
      if (is_in_plane && norm(given) > 0 && dot(given, inward) >= least * norm(given)) continue;
      faults.push_back(message("{}: `direction` in [boundary.{}]: found ({:.6g}, {:.6g}, {:.6g}) at {}, expected {}",
                               file, mesh.patches[p], given.x, given.y, given.z,
                               text_of_place(centres[i], mesh.dimension),
                               is_in_plane ? expected_at(inward) : "no z-component in a 2D flow"));
      break;
    }
  }
  return faults;
}

std::vector<std::string> faults_of_drifts(const std::vector<FlowBoundary>& of_patch, const GlobalMesh& mesh,
                                          const Geometry& geometry, const std::string& file) {
  constexpr real of_facets = 0.1;  // as of walls that turn
  std::vector<std::string> faults;
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    const auto* const outlet = std::get_if<Outlet>(&of_patch[p]);
    if (!outlet || !outlet->drift) continue;
    const std::vector<PatchFace> faces = patch_surface(mesh, geometry, std::vector<char>(of_patch.size(), 0), p);
    const std::vector<Vec3> centres = centres_of(faces, mesh.dimension), drifts = outlet->drift->at(centres, 0);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const real through = dot(drifts[i], faces[i].inward);
      if (std::abs(through) <= of_facets * norm(drifts[i])) continue;
      faults.push_back(
          message("{}: `seen_from` in [boundary.{}]: found \"rest\", and at {} the frame turns the opening "
                  "through itself, by {:.3g} m/s; expected a surface of revolution about its axis, or "
                  "\"frame\"",
                  file, mesh.patches[p], text_of_place(centres[i], mesh.dimension), std::abs(through)));
      break;
    }
  }
  return faults;
}

}  // namespace solenoid
