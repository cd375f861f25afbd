#include "physics/flow/boundary/inlet_turbulence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "parallel/host_threads.hpp"

namespace solenoid {

namespace {

using EdgeNodes = std::pair<std::int64_t, std::int64_t>;  // global ids, ascending

EdgeNodes nodes_of_edge(const PatchFace& face, std::size_t k) {
  return std::minmax({face.node[k], face.node[(k + 1) % 3]});
}

/// The sides of faces that only one face has.
std::vector<std::array<Vec3, 2>> rim_of(const std::vector<PatchFace>& patch) {
  std::map<EdgeNodes, int> faces;
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < 3; ++k) ++faces[nodes_of_edge(face, k)];
  }
  std::vector<std::array<Vec3, 2>> rim;
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (faces[nodes_of_edge(face, k)] == 1) rim.push_back({face.corner[k], face.corner[(k + 1) % 3]});
    }
  }
  return rim;
}

Vec3 nearest_on(const std::array<Vec3, 2>& side, const Vec3& x) {
  const Vec3 along = side[1] - side[0];
  return side[0] + std::clamp(dot(x - side[0], along) / dot(along, along), real{0}, real{1}) * along;
}

Vec3 mean_normal(const std::vector<PatchFace>& patch) {
  Vec3 sum;
  for (const PatchFace& face : patch) sum += face.area * face.inward;
  return sum / norm(sum);
}

/// Translations of the pairs along the patch, each once.
std::vector<Vec3> periods_along(const Vec3& normal, const std::vector<Vec3>& periods, const std::string& subject) {
  constexpr real round_off = 1e-6;
  std::vector<Vec3> along;
  for (const Vec3& period : periods) {
    const real close = round_off * norm(period);
    const bool is_known = std::any_of(along.begin(), along.end(), [&](const Vec3& known) {
      return std::min(norm(known - period), norm(known + period)) <= close;
    });
    if (!is_known && std::abs(dot(period, normal)) <= close) along.push_back(period);
  }
  const bool is_possible = along.size() < 2 || (along.size() == 2 && std::abs(dot(along[0], along[1])) <=
                                                                         round_off * norm(along[0]) * norm(along[1]));
  require_input(is_possible, [&] { return message("{}: it takes periodic pairs at right angles", subject); });
  return along;
}

/// The axis of space that is most nearly across the normal; of equal ones the first.
Vec3 axis_across(const Vec3& normal) {
  constexpr real steps = 1e6;
  const std::array<real, 3> along{std::round(steps * std::abs(normal.x)), std::round(steps * std::abs(normal.y)),
                                  std::round(steps * std::abs(normal.z))};
  const auto least = std::min_element(along.begin(), along.end()) - along.begin();
  return least == 0 ? Vec3{1, 0, 0} : least == 1 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

/// They depend on the patch's direction and on pairs, not on the mesh.
EddyAxes axes_of(const std::vector<PatchFace>& patch, const std::vector<Vec3>& periods, const std::string& subject) {
  const Vec3 normal = mean_normal(patch);
  for (const PatchFace& face : patch) {
    require_input(dot(face.inward, normal) > real{0.5}, [&] {
      return message("{}: the patch turns by more than 60 degrees at {}; eddies drift through a flat one", subject,
                     text_of_place(face.corner[0]));
    });
  }
  Vec3 first = periods.empty() ? axis_across(normal) : periods[0];
  first -= dot(first, normal) * normal;
  first = first / norm(first);
  EddyAxes axes{{first, cross(normal, first), normal}};
  for (std::size_t k = 0; k < periods.size(); ++k) axes.period[k] = norm(periods[k]);
  return axes;
}

/// The patch as it was before the frame changed.
std::vector<PatchFace> before(std::vector<PatchFace> patch, const Frame& frame) {
  const real length = frame.factor("m");
  for (PatchFace& face : patch) {
    for (Vec3& corner : face.corner) corner = frame.place_before(corner);
    face.inward = frame.turned_back(face.inward);
    face.area /= length * length;
  }
  return patch;
}

}  // namespace

InletTurbulence::InletTurbulence(const std::vector<PatchFace>& seen, const std::vector<Vec3>& periods_seen,
                                 const TurbulentInflow& given, real speed, const std::string& subject)
    : frame_(given.frame), speed_(speed), length_(given.length) {
  require_input(speed > 0, [&] {
    return message(
        "{}: the mean velocity through the patch is {:.6g} m/s; eddies drift with one into the domain: set `speed`",
        subject, speed);
  });
  const std::vector<PatchFace> patch = before(seen, frame_);
  std::vector<Vec3> periods;
  for (const Vec3& period : periods_seen) periods.push_back(frame_.place_before(period));
  periods = periods_along(mean_normal(patch), periods, subject);
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < 3; ++k) {
      edge_length_ += norm(face.corner[(k + 1) % 3] - face.corner[k]) / static_cast<real>(3 * patch.size());
    }
  }
  const EddyAxes axes = axes_of(patch, periods, subject);
  const real longest = EddyField::longest(axes, edge_length_);
  require_input(length_ <= longest, [&] {
    return message(
        "{}: `length` is {:.6g} m; eddies that repeat themselves over the periodic pairs here have an integral length "
        "of at most {:.6g} m",
        subject, length_, longest);
  });
  eddies_.emplace(axes, length_, edge_length_, given.seed);
  find_edges(patch);
  is_asked_.assign(points_.size(), 0);

  std::vector<Vec3> places;
  for (const EddyField::Place& point : points_) places.push_back(point.at);
  strength_ = given.intensity.at(places, 0);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    require_input(std::isfinite(strength_[k]) && strength_[k] >= 0, [&] {
      return message("{}: `intensity` is {:.6g} at {}; expected a value of at least 0", subject, strength_[k],
                     text_of_place(places[k]));
    });
    strongest_ = std::max(strongest_, strength_[k]);
    strength_[k] *= speed;
  }
  std::vector<Vec3> images{Vec3{}};
  for (const Vec3& period : periods) {
    for (const Vec3& image : std::vector<Vec3>(images)) images.insert(images.end(), {image + period, image - period});
  }
  find_rim(rim_of(patch), images);
}

/// Sets faces_, edges_ and points_.
void InletTurbulence::find_edges(const std::vector<PatchFace>& patch) {
  std::map<std::int64_t, int> nodes;
  std::map<EdgeNodes, int> edges;
  for (const PatchFace& face : patch) {
    OnFace& on = faces_.emplace_back(OnFace{face.id, face.corner, {}, {}, {}, face.inward, face.area});
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [found, is_new] = nodes.try_emplace(face.node[k], static_cast<int>(points_.size()));
      if (is_new) points_.push_back({face.corner[k], 0, {}});
      on.node[k] = found->second;
    }
    const Vec3 turn = cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      const auto [found, is_new] = edges.try_emplace(nodes_of_edge(face, k), static_cast<int>(edges_.size()));
      if (is_new) edges_.push_back({on.node[k], on.node[next], -1, face.corner[next] - face.corner[k], face.corner[k]});
      on.edge[k] = found->second;
      on.sign[k] = (edges_[on.edge[k]].node == on.node[k] ? 1 : -1) * (dot(turn, face.inward) > 0 ? 1 : -1);
    }
  }
  for (Edge& edge : edges_) {
    edge.middle = static_cast<int>(points_.size());
    points_.push_back({edge.begin + edge.way / 2, 0, {}});
  }
}

/// Sets the distances of points_ from the rim, or from its images; without a rim they are infinite.
void InletTurbulence::find_rim(const std::vector<std::array<Vec3, 2>>& rim, const std::vector<Vec3>& images) {
  over_host_threads(static_cast<int>(points_.size()), 64, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      real square = std::numeric_limits<real>::infinity();
      Vec3 nearest;
      for (const Vec3& image : images) {
        for (const std::array<Vec3, 2>& side : rim) {
          const Vec3 from = points_[k].at + image - nearest_on(side, points_[k].at + image);
          if (dot(from, from) < square) square = dot(from, from), nearest = from;
        }
      }
      points_[k].from_rim = std::sqrt(square);
      points_[k].away = square > 0 && !std::isinf(square) ? nearest / std::sqrt(square) : Vec3{};
    }
  });
}

const InletTurbulence::OnFace& InletTurbulence::face(std::int64_t id) const {
  const auto found = std::lower_bound(faces_.begin(), faces_.end(), id,
                                      [](const OnFace& face, std::int64_t sought) { return face.id < sought; });
  require(found != faces_.end() && found->id == id,
          [&] { return message("the face {} is not among the {} of this inlet here", id, faces_.size()); });
  return *found;
}

const std::vector<EddyField::Value>& InletTurbulence::values(std::span<const int> points, real time) const {
  constexpr std::size_t most = 5;
  for (const int point : points) {
    if (!is_asked_[point]) asked_.push_back(point), is_asked_[point] = 1;
  }
  auto moment = std::find_if(moments_.begin(), moments_.end(), [&](const Moment& m) { return m.time == time; });
  if (moment == moments_.end()) {
    if (moments_.size() == most) moments_.erase(moments_.begin());
    moments_.push_back({time, std::vector<EddyField::Value>(points_.size())});
    moment = moments_.end() - 1;
  }
  const std::span<const int> lacking = std::span(asked_).subspan(moment->known);
  std::vector<EddyField::Place> places;
  for (const int point : lacking) places.push_back(points_[point]);
  const std::vector<EddyField::Value> found = eddies_->at(places, speed_ * time / frame_.factor("s"));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const int point = lacking[k];
    moment->values[point] = {strength_[point] * found[k].potential, strength_[point] * found[k].velocity};
  }
  moment->known = asked_.size();
  return moment->values;
}

std::vector<Vec3> InletTurbulence::at(std::span<const BoundaryPlace> places, real time) const {
  std::vector<int> nodes;
  for (const BoundaryPlace& place : places) {
    for (const int node : face(place.face).node) nodes.push_back(node);
  }
  const std::vector<EddyField::Value>& there = values(nodes, time);
  std::vector<Vec3> velocities;
  for (const BoundaryPlace& place : places) {
    const OnFace& on = face(place.face);
    const std::array<real, 3> share = barycentric_coordinates(on.corner, 3, frame_.place_before(place.at));
    Vec3 velocity;
    for (std::size_t i = 0; i < 3; ++i) velocity += share[i] * there[on.node[i]].velocity;
    velocities.push_back(seen(velocity));
  }
  return velocities;
}

/// The integrals along the edges of a face [m^3/s], before the frame changed.
std::array<real, 3> InletTurbulence::integrals(const OnFace& on, real time) const {
  std::array<int, 6> points;
  for (std::size_t k = 0; k < 3; ++k) points[k] = on.node[k], points[3 + k] = edges_[on.edge[k]].middle;
  const std::vector<EddyField::Value>& there = values(points, time);
  std::array<real, 3> along;
  for (std::size_t k = 0; k < 3; ++k) {
    const Edge& edge = edges_[on.edge[k]];
    const Vec3 sum = there[edge.node].potential + 4 * there[edge.middle].potential + there[edge.next].potential;
    along[k] = on.sign[k] * dot(edge.way, sum) / 6;
  }
  return along;
}

std::array<real, 3> InletTurbulence::circulation(std::int64_t id, real time) const {
  std::array<real, 3> along = integrals(face(id), time);
  for (real& integral : along) integral *= frame_.factor("m^3/s");
  return along;
}

Vec3 InletTurbulence::mean_on(std::int64_t id, real time) const {
  const OnFace& on = face(id);
  const auto [first, second, third] = integrals(on, time);
  const std::vector<EddyField::Value>& there = values(on.node, time);
  Vec3 mean;
  for (const int node : on.node) mean += there[node].velocity / 3;
  return seen(mean + ((first + second + third) / on.area - dot(mean, on.inward)) * on.inward);
}

namespace {

/// The speed of the drift before the frame changed: as given, or the mean velocity through the patch.
real speed_of(const Inlet& inlet, const std::vector<PatchFace>& patch) {
  if (inlet.turbulence->speed) return *inlet.turbulence->speed;
  real area = 0, inflow = 0;
  for (const PatchFace& face : patch) {
    area += face.area;
    const Vec3 centre = (face.corner[0] + face.corner[1] + face.corner[2]) / 3;
    if (!inlet.rate) inflow += face.area * dot(inlet.velocity.at(centre, 0), face.inward);
  }
  return (inlet.rate ? inlet.rate->rate.at(Vec3{}, 0) : inflow) / area / inlet.turbulence->frame.factor("m/s");
}

void set_turbulence(Inlet& inlet, const std::vector<PatchFace>& patch, const std::vector<PeriodicPair>& pairs,
                    const std::string& subject) {
  std::vector<Vec3> periods;
  for (const PeriodicPair& pair : pairs) periods.push_back(pair.translation);
  inlet.turbulence->on_patch =
      std::make_shared<const InletTurbulence>(patch, periods, *inlet.turbulence, speed_of(inlet, patch), subject);
}

std::string subject_of_turbulence(const std::string& file, const std::string& patch) {
  return file + ": [boundary." + patch + "] turbulence";
}

/// Null also in the plane, whose turbulence FlowSetup::faults() refuses.
Inlet* turbulent_inlet(FlowBoundary& condition, int dimension) {
  auto* const inlet = std::get_if<Inlet>(&condition);
  return inlet && inlet->turbulence && dimension == 3 ? inlet : nullptr;
}

}  // namespace

std::vector<FlowBoundary> with_turbulence(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                          const std::string& file) {
  const std::vector<char> no_walls(of_patch.size(), 0);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    Inlet* const inlet = turbulent_inlet(of_patch[p], mesh.dimension());
    if (!inlet) continue;
    const std::vector<PatchFace> patch = patch_surface(mesh, no_walls, p);
    mesh.comm().guard(
        [&] { set_turbulence(*inlet, patch, mesh.part().pairs, subject_of_turbulence(file, mesh.part().patches[p])); });
  }
  return of_patch;
}

std::vector<FlowBoundary> with_turbulence(std::vector<FlowBoundary> of_patch, const GlobalMesh& mesh,
                                          const Geometry& geometry, const std::string& file) {
  const std::vector<char> no_walls(of_patch.size(), 0);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    Inlet* const inlet = turbulent_inlet(of_patch[p], mesh.dimension);
    if (!inlet) continue;
    set_turbulence(*inlet, patch_surface(mesh, geometry, no_walls, p), mesh.pairs,
                   subject_of_turbulence(file, mesh.patches[p]));
  }
  return of_patch;
}

}  // namespace solenoid
