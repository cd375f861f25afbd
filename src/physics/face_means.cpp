#include "physics/face_means.hpp"

#include <algorithm>
#include <array>

namespace solenoid {

namespace {

/// A part of a face.
struct Piece {
  std::size_t face;
  std::array<Vec3, 3> corner;  // two in 2D
  real share;                  // of its face
  Vec3 mean;                   // of the velocity
};

using Places = std::array<Vec3, 3>;
Places places_of(const Piece& piece, bool is_planar) {
  const auto& [a, b, c] = piece.corner;
  if (is_planar) return {a, (a + b) / 2, b};
  return {(a + b) / 2, (b + c) / 2, (c + a) / 2};
}

/// Sets the means of all pieces, and the largest speed that they know of each face.
void find_means(const Given<Vec3>& velocity, bool is_planar, real time, std::vector<Piece>& pieces,
                std::vector<real>& speed) {
  std::vector<Vec3> places;
  for (const Piece& piece : pieces) {
    const Places of_piece = places_of(piece, is_planar);
    places.insert(places.end(), of_piece.begin(), of_piece.end());
  }
  const std::vector<Vec3> u = velocity.at(places, time);
  const real middle = is_planar ? 4 : 1;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    pieces[k].mean = (u[3 * k] + middle * u[3 * k + 1] + u[3 * k + 2]) / (2 + middle);
    for (std::size_t i = 3 * k; i < 3 * k + 3; ++i) speed[pieces[k].face] = std::max(speed[pieces[k].face], norm(u[i]));
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

std::vector<Vec3> means_over_faces(const Given<Vec3>& velocity, const MeshPart& part, std::span<const int> faces,
                                   real time) {
  constexpr real nearly = 1e-4;
  const bool is_planar = part.dimension == 2;
  const std::size_t parts_of_piece = is_planar ? 2 : 4;
  const int divisions = is_planar ? 13 : 7;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::span<const int> p = part.face_points_of(faces[i]);
    pieces.push_back({i, {part.points[p[0]], part.points[p[1]], part.points[p.back()]}, 1, {}});
  }
  std::vector<real> speed(faces.size(), 0);
  find_means(velocity, is_planar, time, pieces, speed);
  std::vector<Vec3> means(faces.size());
  if (!velocity.depends().on_place) {
    for (const Piece& piece : pieces) means[piece.face] = piece.mean;
    return means;
  }
  for (int k = 0; k < divisions && !pieces.empty(); ++k) {
    std::vector<Piece> parts, open;
    for (const Piece& piece : pieces) divide(piece, is_planar, parts);
    find_means(velocity, is_planar, time, parts, speed);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      const auto first = parts.begin() + static_cast<std::ptrdiff_t>(parts_of_piece * i),
                 end = first + static_cast<std::ptrdiff_t>(parts_of_piece);
      Vec3 mean;
      for (auto of = first; of != end; ++of) mean += of->mean / static_cast<real>(parts_of_piece);
      const bool agrees = piece.share * norm(mean - piece.mean) <= nearly * speed[piece.face];
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

}  // namespace solenoid
