#include "physics/flow/boundary/face_means.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/boundary/recycled_inflow.hpp"

namespace solenoid {

namespace {

/// A part of a face.
struct Piece {
  std::size_t face;
  std::array<Vec3, 3> corner;  // two in 2D
  real share;                  // of its face
  Vec3 mean;                   // of the function
};

/// A point of a rule: barycentric coordinates and weight.
struct Sampled {
  real a, b, c, weight;
};
/// Simpson's rule.
constexpr std::array<Sampled, 3> along_sides{
    {{1, 0, 0, real{1} / 6}, {0.5, 0.5, 0, real{4} / 6}, {0, 1, 0, real{1} / 6}}};
/// Seven points, exact to degree five (Hammer, Marlowe & Stroud 1956).
constexpr std::array<Sampled, 7> on_triangles = [] {
  constexpr real root = 3.872983346207417;  // sqrt(15)
  std::array<Sampled, 7> points{{{real{1} / 3, real{1} / 3, real{1} / 3, real{9} / 40}}};
  std::size_t k = 1;
  for (const real sign : {-1, 1}) {
    const real two = (6 + sign * root) / 21, one = 1 - 2 * two, weight = (155 + sign * root) / 1200;
    for (const auto& [a, b, c] : {std::array{one, two, two}, {two, one, two}, {two, two, one}}) {
      points[k++] = {a, b, c, weight};
    }
  }
  return points;
}();

/// Sets the means of all pieces and updates the largest magnitude sampled on each face.
void compute_means(const OnFaces& function, std::span<const Sampled> rule, std::vector<Piece>& pieces,
                   std::vector<real>& largest) {
  std::vector<std::size_t> face;
  std::vector<Vec3> places;
  for (const Piece& piece : pieces) {
    const auto& [a, b, c] = piece.corner;
    for (const Sampled& at : rule) {
      face.push_back(piece.face);
      places.push_back(at.a * a + at.b * b + at.c * c);
    }
  }
  const std::vector<Vec3> u = function(face, places);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const std::span<const Vec3> there(&u[rule.size() * k], rule.size());
    Vec3 change;  // keeps a constant as it is
    for (std::size_t j = 1; j < rule.size(); ++j) change += rule[j].weight * (there[j] - there[0]);
    pieces[k].mean = there[0] + change;
    for (const Vec3& v : there) largest[pieces[k].face] = std::max(largest[pieces[k].face], norm(v));
  }
}

void divide(const Piece& piece, bool is_planar, std::vector<Piece>& parts) {
  const auto& [a, b, c] = piece.corner;
  const Vec3 ab = (a + b) / 2, bc = (b + c) / 2, ca = (c + a) / 2;
  const auto add = [&](const std::array<Vec3, 3>& corner) {
    parts.push_back({piece.face, corner, piece.share / (is_planar ? 2 : 4), {}});
  };
  if (is_planar) return add({a, ab, {}}), add({ab, b, {}});
  add({a, ab, ca}), add({ab, b, bc}), add({ca, bc, c}), add({ab, bc, ca});
}

}  // namespace

std::vector<Vec3> means_over(std::span<const std::array<Vec3, 3>> faces, int dimension, const OnFaces& function) {
  constexpr real nearly = 1e-4;
  const bool is_planar = dimension == 2;
  const std::span<const Sampled> rule =
      is_planar ? std::span<const Sampled>(along_sides) : std::span<const Sampled>(on_triangles);
  const std::size_t parts_of_piece = is_planar ? 2 : 4;
  const int divisions = is_planar ? 13 : 7;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < faces.size(); ++i) pieces.push_back({i, faces[i], 1, {}});
  std::vector<real> largest(faces.size(), 0);
  std::vector<Vec3> means(faces.size());
  if (!pieces.empty()) compute_means(function, rule, pieces, largest);
  for (int k = 0; k < divisions && !pieces.empty(); ++k) {
    std::vector<Piece> parts, open;
    for (const Piece& piece : pieces) divide(piece, is_planar, parts);
    compute_means(function, rule, parts, largest);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      const auto first = parts.begin() + static_cast<std::ptrdiff_t>(parts_of_piece * i),
                 end = first + static_cast<std::ptrdiff_t>(parts_of_piece);
      Vec3 mean;
      for (auto of = first; of != end; ++of) mean += of->mean / static_cast<real>(parts_of_piece);
      const bool agrees = piece.share * norm(mean - piece.mean) <= nearly * largest[piece.face];
      if (!agrees && k + 1 < divisions) {
        open.insert(open.end(), first, end);
      } else {
        means[piece.face] += piece.share * (k == 0 ? piece.mean : mean);
      }
    }
    pieces = std::move(open);
  }
  return means;
}

std::vector<Vec3> means_over_faces(const LocalMesh& mesh, const FlowBoundaries& boundaries, real time) {
  const MeshPart& part = mesh.part();
  const Boundary& boundary = mesh.boundary();
  const auto& id = mesh.numbering<Face>().global_id;
  std::vector<Vec3> means(static_cast<std::size_t>(boundary.size()));
  std::vector<std::size_t> uneven, even;  // faces over which the velocity changes, or not
  std::vector<std::array<Vec3, 3>> corners;
  std::vector<BoundaryPlace> of_even;
  const std::vector<real> rates = boundaries.rates_at(time, part.patches.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const BoundaryFace& b = boundary[i];
    if (!boundaries.may_have_flux(b.patch)) continue;
    const std::span<const int> p = part.face_points_of(b.face);
    if (const InletRate* const rate = boundaries.rate(b.patch)) {
      means[i] = rate_of_profile(*rate, rates[b.patch], time) * rate->profile->mean_on(id[b.face]);
      if (rate->recycled) means[i] += rate->recycled->mean_on(id[b.face], time);
    } else if (boundaries.velocity(b.patch)->depends_on_place()) {
      uneven.push_back(i);
      corners.push_back({part.points[p[0]], part.points[p[1]], part.points[p.back()]});
    } else {
      even.push_back(i);
      of_even.push_back({b.patch, part.points[p[0]], id[b.face]});
    }
  }
  const std::vector<Vec3> constant = sample_mean_velocity(boundaries, of_even, time);
  for (std::size_t k = 0; k < even.size(); ++k) means[even[k]] = constant[k];
  const std::vector<Vec3> found =
      means_over(corners, part.dimension, [&](std::span<const std::size_t> faces, std::span<const Vec3> at) {
        std::vector<BoundaryPlace> places;
        for (std::size_t k = 0; k < at.size(); ++k) {
          const BoundaryFace& b = boundary[uneven[faces[k]]];
          places.push_back({b.patch, at[k], id[b.face]});
        }
        return sample_mean_velocity(boundaries, places, time);
      });
  for (std::size_t k = 0; k < uneven.size(); ++k) means[uneven[k]] = found[k];
  return means;
}

}  // namespace solenoid
