#include "mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/partial_sum.hpp"

namespace solenoid {

namespace {

constexpr real degrees = 180 / std::numbers::pi_v<real>;

real angle_between(const Vec3& a, const Vec3& b) { return degrees * std::atan2(norm(cross(a, b)), dot(a, b)); }

/// The angles of a cell: at its corners in 2D, between its faces in 3D.
std::vector<real> angles(const Connectivity& mesh, const Geometry& geometry, int cell) {
  std::vector<Vec3> outward;  // face normals
  for (const int f : mesh.cell_faces_of(cell)) {
    const Vec3 n = geometry.face_normal[f];
    const bool leaves = dot(n, geometry.centre_seen(mesh, f, cell) - geometry.cell_centre[cell]) > 0;
    outward.push_back(leaves ? n : -1 * n);
  }
  std::vector<real> result;
  for (int i = 0; i < mesh.corners(); ++i) {
    for (int j = 0; j < i; ++j) result.push_back(180 - angle_between(outward[i], outward[j]));
  }
  return result;
}

/// Longest edge over the radius of the inscribed circle or sphere, relative to the equilateral cell.
real aspect_ratio(const Connectivity& mesh, const Geometry& geometry, int cell) {
  const int corners = mesh.corners(), d = mesh.dimension;
  const std::span<const int> v = mesh.cell_points_of(cell);
  real longest = 0, surface = 0;
  for (int i = 0; i < corners; ++i) {
    for (int j = 0; j < i; ++j) longest = std::max(longest, norm(mesh.points[v[i]] - mesh.points[v[j]]));
    surface += geometry.face_area[mesh.cell_faces_of(cell)[i]];
  }
  const real radius = d * geometry.cell_volume[cell] / surface;
  return longest / (radius * 2 * std::sqrt(real(d == 2 ? 3 : 6)));
}

/// `face_cells`: 2 per face, -1: outside.
std::vector<QualityMeasure> measure(const Connectivity& mesh, const Geometry& geometry,
                                    const std::vector<int>& face_cells) {
  const bool planar = mesh.dimension == 2;
  const real regular = planar ? 60 : degrees * std::acos(real(1) / 3);
  std::vector<QualityMeasure> measures{{"smallest_angle", "deg", regular, real(planar ? 15 : 8), real(0.1)},
                                       {"largest_angle", "deg", regular, real(planar ? 150 : 165), real(179.9)},
                                       {"aspect_ratio", "-", 1, real(planar ? 5 : 10), 1000},
                                       {"non_orthogonality", "deg", 0, 65, real(89.9)},
                                       {"volume_jump", "-", 1, real(planar ? 5 : 10), 10000}};
  QualityMeasure &smallest = measures[0], &largest = measures[1], &aspect = measures[2], &orthogonality = measures[3],
                 &jump = measures[4];
  for (int c = 0; c < mesh.cells(); ++c) {
    const std::vector<real> all = angles(mesh, geometry, c);
    smallest.value.push_back(*std::min_element(all.begin(), all.end()));
    largest.value.push_back(*std::max_element(all.begin(), all.end()));
    aspect.value.push_back(aspect_ratio(mesh, geometry, c));
  }
  orthogonality.value.assign(mesh.cells(), 0);
  jump.value.assign(mesh.cells(), 1);
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = face_cells[2 * f], second = face_cells[2 * f + 1];
    const auto centre = [&](int c) { return geometry.cell_centre[c] - mesh.shift_to_cell(f, c); };
    const Vec3 beyond = second < 0 ? geometry.face_centre[f] : centre(second);
    const real angle = angle_between(beyond - centre(first), geometry.face_normal[f]);
    const real tilt = std::min(angle, 180 - angle);
    const real a = geometry.cell_volume[first], b = second < 0 ? a : geometry.cell_volume[second];
    const real ratio = std::max(a, b) / std::min(a, b);
    for (int c : {first, second}) {
      if (c < 0) continue;
      orthogonality.value[c] = std::max(orthogonality.value[c], tilt);
      jump.value[c] = std::max(jump.value[c], ratio);
    }
  }
  return measures;
}

}  // namespace

std::vector<QualityMeasure> measure_quality(const GlobalMesh& mesh, const Geometry& geometry) {
  return measure(mesh, geometry, mesh.face_cells);
}

std::vector<QualityMeasure> measure_quality(const Connectivity& part, const Geometry& geometry) {
  std::vector<int> face_cells(2 * static_cast<std::size_t>(part.faces()), -1);
  for (int c = 0; c < part.cells(); ++c) {
    for (const int f : part.cell_faces_of(c)) face_cells[2 * f + (face_cells[2 * f] < 0 ? 0 : 1)] = c;
  }
  return measure(part, geometry, face_cells);
}

std::vector<QualityFigure> quality_of(const LocalMesh& mesh) {
  const Comm& comm = mesh.comm();
  std::vector<QualityFigure> figures;
  for (QualityMeasure& measure : measure_quality(mesh.part(), mesh.geometry())) {
    real worst = measure.ideal;
    PartialSum sum;
    std::int64_t beyond = 0;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      const real value = measure.value[c];
      if (measure.is_worse(value, worst)) worst = value;
      beyond += measure.is_beyond_limit(value);
      sum += value;
    }
    worst = measure.large_is_bad() ? comm.max(worst) : comm.min(worst);
    const real mean = total(comm, sum) / static_cast<real>(mesh.global_count<Cell>());
    measure.value.clear();
    figures.push_back({std::move(measure), worst, mean, comm.sum(beyond)});
  }
  return figures;
}

}  // namespace solenoid
