#include "case/quadratic_velocity.hpp"

#include <algorithm>

#include "base/vec3.hpp"

namespace solenoid {

QuadraticVelocity::QuadraticVelocity(const ResultPiece& piece)
    : piece_(piece),
      cells_(static_cast<int>(piece.points.size()),
             [&](const auto& visit) {
               const int corners = piece.corners();
               for (int c = 0; c < piece.cell_count(); ++c) {
                 for (int k = 0; k < corners && moves(c); ++k) visit(piece.cells[c * corners + k], c);
               }
             }),
      is_fitted_(piece.points.size()),
      gradient_(piece.points.size()) {}

Vec3 QuadraticVelocity::value(int point) const {
  const real* const u = &piece_.values[3 * static_cast<std::size_t>(point)];
  return {u[0], u[1], u[2]};
}

bool QuadraticVelocity::moves(int cell) const {
  const int* const corner = &piece_.cells[cell * piece_.corners()];
  return std::any_of(corner, corner + piece_.corners(), [&](int point) { return norm(value(point)) > 0; });
}

Vec3 QuadraticVelocity::at(const PointInCell& place) {
  const int* const corner = &piece_.cells[place.cell * piece_.corners()];
  Vec3 u;
  if (!moves(place.cell)) return u;
  std::optional<Gradient> in_cell;
  for (int k = 0; k < piece_.corners(); ++k) {
    const int point = corner[k];
    const std::optional<Gradient>& fitted = gradient(point);
    if (!fitted && !in_cell) in_cell = linear(place.cell);
    const Gradient& change = fitted ? *fitted : *in_cell;
    const Vec3 way = place.point - piece_.points[point];
    u += place.weight[k] * (value(point) + real{0.5} * (way.x * change[0] + way.y * change[1] + way.z * change[2]));
  }
  return u;
}

/// The points of the moving cells around `points`, ascending.
std::vector<int> QuadraticVelocity::neighbours(const std::vector<int>& points) const {
  std::vector<int> around;
  for (const int point : points) {
    for (const int c : cells_[point]) {
      const auto first = piece_.cells.begin() + std::ptrdiff_t{c} * piece_.corners();
      around.insert(around.end(), first, first + piece_.corners());
    }
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  return around;
}

const std::optional<QuadraticVelocity::Gradient>& QuadraticVelocity::gradient(int point) {
  if (!is_fitted_[point]) {
    const std::vector<int> near = neighbours({point});
    gradient_[point] = fit(point, near);
    if (!gradient_[point]) gradient_[point] = fit(point, neighbours(near));
  }
  is_fitted_[point] = 1;
  return gradient_[point];
}

/// At a point, from the values at the points `around`; nullopt if they do not determine a quadratic.
std::optional<QuadraticVelocity::Gradient> QuadraticVelocity::fit(int point, const std::vector<int>& around) {
  constexpr double worst = 1e-2;  // least relative pivot
  const bool is_plane = piece_.dimension == 2;
  const int unknowns = is_plane ? 5 : 9;
  if (static_cast<int>(around.size()) < unknowns + 2) return std::nullopt;  // the point itself is one of them
  double length = 0;
  for (const int p : around) length = std::max(length, double{norm(piece_.points[p] - piece_.points[point])});
  solver_.clear();
  for (const int p : around) {
    if (p == point) continue;
    const Vec3 way = piece_.points[p] - piece_.points[point];
    const double x = way.x / length, y = way.y / length, z = is_plane ? 0 : way.z / length;
    solver_.add({{x, y, x * x, x * y, y * y, z, x * z, y * z, z * z}}, 1 / (x * x + y * y + z * z));
  }
  decltype(solver_)::OfCoefficients derivatives{};
  derivatives[0][0] = derivatives[1][1] = derivatives[2][5] = 1 / length;
  if (!solver_.solve(derivatives, unknowns, worst)) return std::nullopt;
  Gradient gradient;
  std::size_t equation = 0;
  for (const int p : around) {
    if (p == point) continue;
    const auto& share = solver_.shares()[equation++].of;
    for (int k = 0; k < piece_.dimension; ++k) {
      gradient[k] += static_cast<real>(share[k]) * (value(p) - value(point));
    }
  }
  return gradient;
}

/// Of the linear velocity in a cell.
QuadraticVelocity::Gradient QuadraticVelocity::linear(int cell) const {
  const int* const corner = &piece_.cells[cell * piece_.corners()];
  const auto side = [&](int k) { return piece_.points[corner[k]] - piece_.points[corner[0]]; };
  const auto change = [&](int k) { return value(corner[k]) - value(corner[0]); };
  const Vec3 a = side(1), b = side(2), c = piece_.dimension == 2 ? Vec3{0, 0, 1} : side(3);
  const Vec3 of_c = piece_.dimension == 2 ? Vec3{} : change(3);
  const real volume = dot(a, cross(b, c));
  const Vec3 along_a = cross(b, c) / volume, along_b = cross(c, a) / volume, along_c = cross(a, b) / volume;
  const auto derivative = [&](real Vec3::*k) {
    return along_a.*k * change(1) + along_b.*k * change(2) + along_c.*k * of_c;
  };
  return {derivative(&Vec3::x), derivative(&Vec3::y), derivative(&Vec3::z)};
}

}  // namespace solenoid
