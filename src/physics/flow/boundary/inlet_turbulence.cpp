#include "physics/flow/boundary/inlet_turbulence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"

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

real distance_to_side(const Vec3& x, const std::array<Vec3, 2>& side) {
  const Vec3 along = side[1] - side[0], from = x - side[0];
  const real share = std::clamp(dot(from, along) / dot(along, along), real{0}, real{1});
  return norm(from - share * along);
}

Vec3 mean_normal(const std::vector<PatchFace>& patch) {
  Vec3 sum;
  for (const PatchFace& face : patch) sum += face.area * face.inward;
  return sum / norm(sum);
}

/// Translations of the pairs along the patch.
std::vector<Vec3> periods_along(const Vec3& normal, const std::vector<Vec3>& periods, const std::string& subject) {
  constexpr real round_off = 1e-6;
  std::vector<Vec3> along;
  for (const Vec3& period : periods) {
    if (std::abs(dot(period, normal)) <= round_off * norm(period)) along.push_back(period);
  }
  const bool is_possible = along.size() < 2 || (along.size() == 2 && std::abs(dot(along[0], along[1])) <=
                                                                         round_off * norm(along[0]) * norm(along[1]));
  require_input(is_possible, [&] { return message("{}: it takes periodic pairs at right angles", subject); });
  return along;
}

EddyAxes axes_of(const std::vector<PatchFace>& patch, const std::vector<Vec3>& periods, const std::string& subject) {
  const Vec3 normal = mean_normal(patch);
  for (const PatchFace& face : patch) {
    require_input(dot(face.inward, normal) > real{0.5}, [&] {
      return message("{}: the patch turns by more than 60 degrees at {}; eddies drift through a flat one", subject,
                     text_of_place(face.corner[0]));
    });
  }
  const std::vector<Vec3> along = periods_along(normal, periods, subject);
  EddyAxes axes{patch[0].corner[0], {}, {}};
  Vec3 first = along.empty() ? patch[0].corner[1] - patch[0].corner[0] : along[0];
  first -= dot(first, normal) * normal;
  first = first / norm(first);
  axes.axis = {first, cross(normal, first), normal};
  for (std::size_t k = 0; k < along.size(); ++k) axes.period[k] = norm(along[k]);
  return axes;
}

/// 0 on the rim, 1 at distances of `width` and more, with slopes of 0 at both.
real fading(real distance, real width) {
  const real share = std::min(distance / width, real{1});
  return share * share * (3 - 2 * share);
}

}  // namespace

InletTurbulence::InletTurbulence(const std::vector<PatchFace>& patch, const std::vector<Vec3>& periods,
                                 const TurbulentInflow& given, real speed, const std::string& subject)
    : speed_(speed), length_(given.length) {
  require_input(speed > 0, [&] {
    return message(
        "{}: the mean velocity through the patch is {:.6g} m/s; eddies drift with one into the domain: set "
        "`speed`",
        subject, speed);
  });
  const EddyAxes axes = axes_of(patch, periods, subject);
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < 3; ++k) {
      edge_length_ += norm(face.corner[(k + 1) % 3] - face.corner[k]) / static_cast<real>(3 * patch.size());
    }
  }
  eddies_.emplace(axes, given.length, edge_length_, given.seed);

  std::map<std::int64_t, int> nodes;
  std::map<EdgeNodes, int> edges;
  for (const PatchFace& face : patch) {
    OnFace& on = faces_.emplace_back(OnFace{face.id, face.corner, {}, {}, {}, face.inward, face.area});
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [found, is_new] = nodes.try_emplace(face.node[k], static_cast<int>(points_.size()));
      if (is_new) points_.push_back(face.corner[k]);
      on.node[k] = found->second;
    }
    const Vec3 turn = cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      const auto [found, is_new] = edges.try_emplace(nodes_of_edge(face, k), static_cast<int>(edges_.size()));
      if (is_new) {
        edges_.push_back({on.node[k], on.node[next], -1, face.corner[next] - face.corner[k]});
      }
      on.edge[k] = found->second;
      on.sign[k] = (edges_[on.edge[k]].node == on.node[k] ? 1 : -1) * (dot(turn, face.inward) > 0 ? 1 : -1);
    }
  }
  for (Edge& edge : edges_) {
    edge.middle = static_cast<int>(points_.size());
    points_.push_back(points_[edge.node] + edge.way / 2);
  }
  is_asked_.assign(points_.size(), 0);

  strength_ = given.intensity.at(points_, 0);
  const std::vector<std::array<Vec3, 2>> rim = rim_of(patch);
  const std::vector<Vec3> along = periods_along(axes.axis[2], periods, subject);
  std::vector<Vec3> images{Vec3{}};
  for (const Vec3& period : along) {
    for (const Vec3& image : std::vector<Vec3>(images)) images.insert(images.end(), {image + period, image - period});
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    require_input(std::isfinite(strength_[k]) && strength_[k] >= 0, [&] {
      return message("{}: `intensity` is {:.6g} at {}; expected a value of at least 0", subject, strength_[k],
                     text_of_place(points_[k]));
    });
    real nearest = given.length;
    for (const Vec3& image : images) {
      for (const std::array<Vec3, 2>& side : rim)
        nearest = std::min(nearest, distance_to_side(points_[k] + image, side));
    }
    strength_[k] *= speed * fading(nearest, given.length / 2);
  }
}

const InletTurbulence::OnFace& InletTurbulence::face(std::int64_t id) const {
  const auto found = std::lower_bound(faces_.begin(), faces_.end(), id,
                                      [](const OnFace& face, std::int64_t sought) { return face.id < sought; });
  require(found != faces_.end() && found->id == id,
          [&] { return message("the face {} is not among the {} of this inlet here", id, faces_.size()); });
  return *found;
}

const std::vector<EddyField::Value>& InletTurbulence::values(std::span<const int> points, real time) const {
  constexpr std::size_t most = 4;
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
  std::vector<Vec3> places;
  for (const int point : lacking) places.push_back(points_[point]);
  const std::vector<EddyField::Value> found = eddies_->at(places, speed_ * time);
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
    const auto& [a, b, c] = on.corner;
    const Vec3 twice_area = cross(b - a, c - a), x = place.at - a;
    const real square = dot(twice_area, twice_area);
    const real s = dot(cross(x, c - a), twice_area) / square, t = dot(cross(b - a, x), twice_area) / square;
    velocities.push_back((1 - s - t) * there[on.node[0]].velocity + s * there[on.node[1]].velocity +
                         t * there[on.node[2]].velocity);
  }
  return velocities;
}

std::array<real, 3> InletTurbulence::circulation(std::int64_t id, real time) const {
  const OnFace& on = face(id);
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

Vec3 InletTurbulence::mean_on(std::int64_t id, real time) const {
  const auto [first, second, third] = circulation(id, time);
  const OnFace& on = face(id);
  const std::vector<EddyField::Value>& there = values(on.node, time);
  Vec3 mean;
  for (const int node : on.node) mean += there[node].velocity / 3;
  return mean + ((first + second + third) / on.area - dot(mean, on.inward)) * on.inward;
}

namespace {

/// The speed of the drift: as given, or the mean velocity through the patch.
real speed_of(const Inlet& inlet, const std::vector<PatchFace>& patch) {
  if (inlet.turbulence->speed) return *inlet.turbulence->speed;
  real area = 0, inflow = 0;
  for (const PatchFace& face : patch) {
    area += face.area;
    const Vec3 centre = (face.corner[0] + face.corner[1] + face.corner[2]) / 3;
    if (!inlet.rate) inflow += face.area * dot(inlet.velocity.at(centre, 0), face.inward);
  }
  return (inlet.rate ? inlet.rate->rate.at(Vec3{}, 0) : inflow) / area;
}

void set_turbulence(Inlet& inlet, const std::vector<PatchFace>& patch, const std::vector<PeriodicPair>& pairs,
                    const std::string& subject) {
  std::vector<Vec3> periods;
  for (const PeriodicPair& pair : pairs) periods.push_back(pair.translation);
  inlet.turbulence->on_patch =
      std::make_shared<const InletTurbulence>(patch, periods, *inlet.turbulence, speed_of(inlet, patch), subject);
  Dependence depends = inlet.velocity.depends();
  depends.on_time = true;
  inlet.velocity = {[mean = inlet.velocity](std::span<const Vec3> points, real time, std::span<Vec3> values) {
                      mean.evaluate(points, time, values);
                    },
                    depends, inlet.velocity.text()};
}

std::string subject_of_turbulence(const std::string& file, const std::string& patch) {
  return file + ": [boundary." + patch + "] turbulence";
}

Inlet* turbulent_inlet(FlowBoundary& condition) {
  auto* const inlet = std::get_if<Inlet>(&condition);
  return inlet && inlet->turbulence ? inlet : nullptr;
}

}  // namespace

std::vector<FlowBoundary> with_turbulence(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                          const std::string& file) {
  const std::vector<char> no_walls(of_patch.size(), 0);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    Inlet* const inlet = turbulent_inlet(of_patch[p]);
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
    Inlet* const inlet = turbulent_inlet(of_patch[p]);
    if (!inlet) continue;
    set_turbulence(*inlet, patch_surface(mesh, geometry, no_walls, p), mesh.pairs,
                   subject_of_turbulence(file, mesh.patches[p]));
  }
  return of_patch;
}

}  // namespace solenoid
