#include "case/earlier_result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "case/quadratic_velocity.hpp"
#include "io/paraview/piece_locator.hpp"

namespace solenoid {

namespace fs = std::filesystem;

EarlierResult::EarlierResult(const fs::path& base, std::string given, std::string key)
    : folder_(base / given), given_(std::move(given)), key_(std::move(key)) {}

const ResultOutput& EarlierResult::output() const {
  if (output_) return *output_;
  const fs::path pvd = folder_ / "fields.pvd", one_file = folder_ / "fields.vtkhdf";
  std::error_code ignored;  // what cannot be looked at is not there
  require_input(fs::is_directory(folder_, ignored), [&] {
    return message("{}: {}: no such folder: expected the result folder of an earlier run", key_, folder_.string());
  });
  const bool has_pvd = fs::exists(pvd, ignored);
  require_input(has_pvd || fs::exists(one_file, ignored), [&] {
    return message(
        "{}: {}: has no results: expected the folder of an earlier run, with fields.pvd or fields.vtkhdf; "
        "a checkpoint alone is for --restart",
        key_, folder_.string());
  });
  auto read = has_pvd ? read_pvd_output(pvd) : read_vtkhdf_output(one_file);
  require_input(std::isfinite(read->time()) && read->time() >= 0, [&] {
    return message("{}: {}: its last output is at t = {} s, expected a time of 0 or more", key_, folder_.string(),
                   read->time());
  });
  output_ = std::move(read);
  return *output_;
}

double EarlierResult::time_if_there() const {
  try {
    return time();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    return 0;
  }
}

int EarlierResult::dimension() const {
  int dimension = 0;
  for (int k = 0; k < output().pieces() && dimension == 0; ++k) {
    const ResultPiece piece = output().piece(k, "", 0);
    if (!piece.cells.empty()) dimension = piece.dimension;
  }
  return dimension;
}

/// Calls take(piece, i, nearest) for each point i, with the nearest point of each piece that is nearer than those of
/// the pieces before.
template <class Take>
void EarlierResult::search(std::span<const Vec3> points, const std::string& name, int components,
                           const Take& take) const {
  constexpr real far = std::numeric_limits<real>::max();
  std::vector<real> nearest(points.size(), far);
  for (int k = 0; k < output().pieces(); ++k) {
    const ResultPiece piece = output().piece(k, name, components);
    const PieceLocator locator(piece);
    const auto in_piece = take(piece);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (nearest[i] == 0) continue;
      const PointInCell found = locator.nearest(points[i]);
      if (found.cell < 0 || !(found.distance < nearest[i])) continue;
      nearest[i] = found.distance;
      in_piece(i, found);
    }
  }
  const bool are_found = std::none_of(nearest.begin(), nearest.end(), [](real distance) { return distance == far; });
  require_input(are_found, [&] { return message("{}: {}: its last output has no cells", key_, folder_.string()); });
}

void EarlierResult::velocity(std::span<const Vec3> points, std::span<Vec3> values) const {
  require_input(output().has("velocity", 3), [&] {
    return message(
        "{}: {}: has no `velocity` at its points: expected the result of a flow with \"velocity\" among the "
        "`fields` of [output]",
        key_, folder_.string());
  });
  search(points, "velocity", 3, [&](const ResultPiece& piece) {
    return [&values, velocity = std::make_shared<QuadraticVelocity>(piece)](std::size_t i, const PointInCell& found) {
      values[i] = velocity->at(found);
    };
  });
}

void EarlierResult::scalar(const std::string& name, std::span<const Vec3> points, std::span<real> values) const {
  search(points, name, 1, [&](const ResultPiece& piece) {
    return [&](std::size_t i, const PointInCell& found) {
      values[i] = 0;
      for (int k = 0; k < piece.corners(); ++k) {
        values[i] += found.weight[k] * piece.values[piece.cells[found.cell * piece.corners() + k]];
      }
    };
  });
}

void EarlierResult::distance(std::span<const Vec3> points, std::span<real> values) const {
  search(points, "", 0, [&](const ResultPiece&) {
    return [&](std::size_t i, const PointInCell& found) { values[i] = found.distance; };
  });
}

Coefficient<real> EarlierResult::without(const std::string& name) const {
  const std::string text = message("{}: {}: has no `{}` at its points: give its initial values as `{}` in [initial]",
                                   key_, folder_.string(), name, name);
  return {[text](std::span<const Vec3>, real, std::span<real>) { throw Error(ExitCode::bad_input, text); },
          Dependence{.on_place = true}};
}

}  // namespace solenoid
