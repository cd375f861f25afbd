#include "model/plane_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/submesh.hpp"

namespace solenoid {

namespace {

constexpr double same_layer = 1e-7;  // of the extent of the planes or the mesh: places of nodes in one layer
constexpr std::size_t most_layers = 1000;
constexpr std::int64_t least_of_layer = 4;  // nodes, on average
constexpr double least_pivot = 1e-3;        // of its diagonal

void require_normal(const LocalMesh& mesh, const Vec3& normal, const std::string& what) {
  require_on_all_ranks(
      mesh.dimension() == 3 || normal.z == 0,
      [&] { return message("{}: `direction`: points out of the mesh of triangles, expected one with z = 0", what); },
      ExitCode::bad_input);
  for (const PeriodicPair& pair : mesh.part().pairs) {
    constexpr real round_off = 1e-6;
    require_on_all_ranks(
        std::abs(dot(normal, pair.translation)) <= round_off * norm(pair.translation),
        [&] {
          return message("{}: `direction`: has a part along the period from `{}` to `{}`, expected one normal to it",
                         what, pair.first, pair.second);
        },
        ExitCode::bad_input);
  }
}

/// The volume of each owned node: an equal share of each cell around it, added in the order of the whole mesh.
std::vector<real> volumes_of_nodes(const LocalMesh& mesh, const std::vector<char>& is_left_out) {
  struct Share {
    int node;
    std::int64_t cell;
    real volume;
  };
  std::vector<Share> shares;
  const MeshPart& part = mesh.part();
  for (int c = 0; c < mesh.total<Cell>(); ++c) {
    if (is_left_out[c]) continue;
    const real volume = mesh.geometry().cell_volume[c] / static_cast<real>(part.corners());
    for (const int node : part.cell_nodes_of(c)) {
      if (node < mesh.owned<Node>()) shares.push_back({node, part.cell_numbering.global_id[c], volume});
    }
  }
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.node != b.node ? a.node < b.node : a.cell < b.cell; });
  std::vector<real> volumes(mesh.owned<Node>(), 0);
  for (const Share& share : shares) volumes[share.node] += share.volume;
  return volumes;
}

/// `places` in ascending order, of several within `apart` the first.
std::vector<double> different(std::vector<double> places, double apart) {
  std::sort(places.begin(), places.end());
  std::vector<double> result;
  for (const double place : places) {
    if (result.empty() || place - result.back() > apart) result.push_back(place);
  }
  return result;
}

/// The place and what lies outside it by round-off of the mesh's places. `own`: the nodes of this rank. Collective.
PlaceOfPoints wider(const Comm& comm, PlaceOfPoints place, const Box& own) {
  real extent = 0;
  for (const auto& [low, high] : {std::pair(own.low.x, own.high.x), {own.low.y, own.high.y}, {own.low.z, own.high.z}})
    extent = std::max(extent, comm.max(high) - comm.min(low));
  const auto slack = static_cast<real>(same_layer) * extent;
  if (auto* const ball = std::get_if<BallOfPoints>(&place)) {
    ball->radius += slack;
  } else {
    auto& [from, to] = std::get<BoxOfPoints>(place);
    from -= Vec3{slack, slack, slack}, to += Vec3{slack, slack, slack};
  }
  return place;
}

}  // namespace

PlaneProfile::PlaneProfile(const LocalMesh& mesh, const ProfilePlanes& planes, const std::vector<std::string>& solids,
                           const std::string& what)
    : mesh_(mesh), normal_(planes.normal), positions_(planes.positions), within_(planes.within) {
  require_normal(mesh, planes.normal, what);
  Box nodes_here;
  for (int n = 0; n < mesh.owned<Node>(); ++n) nodes_here.include(mesh.part().points[n]);
  const std::optional<PlaceOfPoints> there =
      planes.within ? wider(mesh.comm(), *planes.within, nodes_here) : planes.within;
  const auto is_there = [&](const Vec3& x) { return !there || is_within(*there, x); };
  const std::vector<char> is_solid = cells_in(mesh.part(), solids);
  const std::vector<real> volumes = volumes_of_nodes(mesh, is_solid);
  std::vector<Place> nodes, cells;
  std::vector<double> of_nodes;
  real low = Box::far, high = -Box::far;
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    if (volumes[n] == 0 || !is_there(mesh.part().points[n])) continue;
    nodes.push_back({n, dot(planes.normal, mesh.part().points[n]), volumes[n]});
    of_nodes.push_back(nodes.back().s);
    low = std::min(low, nodes.back().s), high = std::max(high, nodes.back().s);
  }
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    if (is_solid[c] || !is_there(mesh.geometry().cell_centre[c])) continue;
    cells.push_back({c, dot(planes.normal, mesh.geometry().cell_centre[c]), mesh.geometry().cell_volume[c]});
  }
  low = mesh.comm().min(low), high = mesh.comm().max(high);
  const std::string extent = text_of_extent(mesh.comm(), nodes_here, mesh.dimension());
  require_on_all_ranks(
      !there || low < high,
      [&] {
        return message("{}: `within`: fewer than two planes of nodes lie there; the mesh reaches {}", what, extent);
      },
      ExitCode::bad_input);
  for (int k = 0; k < planes.points; ++k) {
    const double share = static_cast<double>(k) / (planes.points - 1);
    positions_.push_back((1 - share) * low + share * high);
  }
  if (positions_.empty()) {
    const double apart = same_layer * static_cast<double>(high - low);
    std::vector<double> own = different(of_nodes, apart);
    own.resize(std::min(own.size(), most_layers + 1));
    positions_ = different(from_all_ranks(mesh.comm(), own), apart);
    const std::int64_t count = std::ssize(positions_), all = mesh.comm().sum(std::int64_t{std::ssize(nodes)});
    require_on_all_ranks(
        positions_.size() <= most_layers && least_of_layer * count <= all,
        [&] {
          return message(
              "{}: the nodes of the mesh are not in layers along `direction`: expected `points` or "
              "`positions`",
              what);
        },
        ExitCode::bad_input);
  }
  const std::string where = message("{}: `{}`", what, planes.positions.empty() ? "points" : "positions");
  nodes_ = samples_of(nodes, where, "nodes");
  cells_ = samples_of(cells, where, "cells");
}

std::vector<double> PlaneProfile::place() const {
  std::vector<double> numbers{normal_.x, normal_.y, normal_.z};
  if (!within_) return numbers;
  numbers.push_back(static_cast<double>(within_->index()));
  const auto add = [&](const Vec3& x) { numbers.insert(numbers.end(), {x.x, x.y, x.z}); };
  if (const auto* const ball = std::get_if<BallOfPoints>(&*within_)) {
    add(ball->centre);
    numbers.push_back(ball->radius);
  } else {
    add(std::get<BoxOfPoints>(*within_).from), add(std::get<BoxOfPoints>(*within_).to);
  }
  return numbers;
}

/// The samples between the first plane and the last, with the factors of the fit's matrix: the sums of products of
/// the hat functions of neighbouring planes.
PlaneProfile::Samples PlaneProfile::samples_of(const std::vector<Place>& places, const std::string& what,
                                               const char* entities) const {
  const std::size_t count = positions_.size();
  const double slack = same_layer * (positions_.back() - positions_.front());
  Samples at;
  std::vector<PartialSum> volume(count), diagonal(count), coupling(count);
  for (const Place& place : places) {
    if (place.s < positions_.front() - slack || place.s > positions_.back() + slack) continue;
    const auto above = std::upper_bound(positions_.begin() + 1, positions_.end() - 1, place.s);
    const auto k = static_cast<std::size_t>(above - positions_.begin()) - 1;
    const double share = std::clamp((place.s - positions_[k]) / (positions_[k + 1] - positions_[k]), 0.0, 1.0);
    const auto b = static_cast<real>(share), a = 1 - b;
    at.samples.push_back({place.entity, static_cast<int>(k), b, place.volume});
    volume[k] += place.volume * a, volume[k + 1] += place.volume * b;
    diagonal[k] += place.volume * a * a, diagonal[k + 1] += place.volume * b * b;
    coupling[k] += place.volume * a * b;
  }
  const std::vector<real> volumes = totals(mesh_.comm(), volume), diagonals = totals(mesh_.comm(), diagonal),
                          couplings = totals(mesh_.comm(), coupling);
  at.volume.assign(volumes.begin(), volumes.end());
  at.coupling.assign(couplings.begin(), couplings.end());
  for (std::size_t j = 0; j < count; ++j) {
    const double before = j > 0 ? at.coupling[j - 1] * at.coupling[j - 1] / at.pivot[j - 1] : 0;
    at.pivot.push_back(diagonals[j] - before);
    require_on_all_ranks(
        at.pivot[j] > least_pivot * diagonals[j],
        [&] {
          return message(
              "{}: the plane at {:.6g} m has too few {} of the mesh about it for a mean, expected planes in "
              "the mesh and further apart",
              what, positions_[j], entities);
        },
        ExitCode::bad_input);
  }
  return at;
}

/// Sums over the samples of terms, `components` a sample, shared out to the planes by the hat functions.
std::vector<double> PlaneProfile::sums(const std::vector<real>& terms, const Samples& at, int components) const {
  const auto width = static_cast<std::size_t>(components);
  std::vector<PartialSum> parts(width * positions_.size());
  for (std::size_t i = 0; i < at.samples.size(); ++i) {
    const Sample& sample = at.samples[i];
    const std::size_t below = width * static_cast<std::size_t>(sample.interval);
    const real of_above = sample.volume * sample.share, of_below = sample.volume * (1 - sample.share);
    for (std::size_t c = 0; c < width; ++c) {
      parts[below + c] += of_below * terms[width * i + c];
      parts[below + width + c] += of_above * terms[width * i + c];
    }
  }
  const std::vector<real> all = totals(mesh_.comm(), parts);
  return {all.begin(), all.end()};
}

std::vector<double> PlaneProfile::means(const std::vector<real>& values, ValuesAt at, int components) const {
  const Samples& of = samples(at);
  const auto width = static_cast<std::size_t>(components);
  std::vector<real> terms;
  for (const Sample& sample : of.samples) {
    const auto begin = values.begin() + std::ptrdiff_t{components} * sample.entity;
    terms.insert(terms.end(), begin, begin + components);
  }
  std::vector<double> fit = sums(terms, of, components);
  const std::size_t count = positions_.size();
  for (std::size_t j = 1; j < count; ++j) {
    for (std::size_t c = 0; c < width; ++c)
      fit[width * j + c] -= of.coupling[j - 1] / of.pivot[j - 1] * fit[width * (j - 1) + c];
  }
  for (std::size_t j = count; j-- > 0;) {
    for (std::size_t c = 0; c < width; ++c) {
      const double after = j + 1 < count ? of.coupling[j] * fit[width * (j + 1) + c] : 0;
      fit[width * j + c] = (fit[width * j + c] - after) / of.pivot[j];
    }
  }
  return fit;
}

std::vector<double> PlaneProfile::spread(const std::vector<real>& values, ValuesAt at, int components,
                                         const std::vector<double>& means) const {
  const Samples& of = samples(at);
  const auto width = static_cast<std::size_t>(components);
  std::vector<real> terms, apart(width);
  for (const Sample& sample : of.samples) {
    const std::size_t below = width * static_cast<std::size_t>(sample.interval);
    for (std::size_t c = 0; c < width; ++c) {
      const double there = (1 - sample.share) * means[below + c] + sample.share * means[below + width + c];
      apart[c] = values[width * static_cast<std::size_t>(sample.entity) + c] - static_cast<real>(there);
    }
    for (std::size_t c = 0; c < width; ++c) terms.push_back(apart[c] * apart[c]);
    if (width == 3) terms.insert(terms.end(), {apart[0] * apart[1], apart[1] * apart[2], apart[2] * apart[0]});
  }
  const std::size_t squares = width == 3 ? 6 : width;
  std::vector<double> spread = sums(terms, of, static_cast<int>(squares));
  for (std::size_t k = 0; k < spread.size(); ++k) spread[k] /= of.volume[k / squares];
  return spread;
}

}  // namespace solenoid
