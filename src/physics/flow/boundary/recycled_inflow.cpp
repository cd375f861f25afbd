#include "physics/flow/boundary/recycled_inflow.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"

namespace solenoid {

namespace {

constexpr real round_off = 1e-6;  // of places in a mesh's file

/// The mean normal. For use inside a guard; throws Error that begins with `subject` if the patch leaves a plane.
Vec3 normal_of_flat(const std::vector<PatchFace>& patch, std::size_t corners, const std::string& subject) {
  Vec3 normal;
  Box box;
  for (const PatchFace& face : patch) {
    normal += face.area * face.inward;
    for (std::size_t k = 0; k < corners; ++k) box.include(face.corner[k]);
  }
  normal = normal / norm(normal);
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < corners; ++k) {
      require_input(std::abs(dot(face.corner[k] - patch[0].corner[0], normal)) <= round_off * norm(box.size()), [&] {
        return message("{}: the patch is not flat at {}: what passes a plane enters through a plane", subject,
                       text_of_place(face.corner[k], static_cast<int>(corners)));
      });
    }
  }
  return normal;
}

Vec3 shift_of(const LocalMesh& mesh, const std::vector<PatchFace>& patch, real distance, const std::string& subject) {
  Vec3 normal;
  mesh.comm().guard([&] { normal = normal_of_flat(patch, static_cast<std::size_t>(mesh.dimension()), subject); });
  return distance * normal;
}

}  // namespace

RecycledInflow::RecycledInflow(const LocalMesh& mesh, const std::vector<PatchFace>& patch, real distance,
                               const std::string& subject)
    : corners_(static_cast<std::size_t>(mesh.dimension())),
      plane_(mesh, find_faces(patch, shift_of(mesh, patch, distance, subject))) {
  require_on_all_ranks(
      !taken_.empty(),
      [&] { return message("{}: walls touch every node of the patch, nothing enters anew: refine there", subject); },
      ExitCode::bad_input);
  plane_.require_inside(subject);
}

/// Sets faces_, taken_ and nodes_; returns the places of taken_ on the plane, off the mesh's boundary by round-off.
std::vector<Vec3> RecycledInflow::find_faces(const std::vector<PatchFace>& patch, const Vec3& shift) {
  std::map<std::int64_t, int> nodes;
  std::vector<Vec3> places;
  Box box;
  for (const PatchFace& face : patch) {
    for (std::size_t k = 0; k < corners_; ++k) box.include(face.corner[k]);
  }
  const Vec3 middle = (box.low + box.high) / 2;
  for (const PatchFace& face : patch) {
    OnFace& on = faces_.emplace_back(OnFace{face.id, {}, face.corner, face.inward, face.area});
    for (std::size_t k = 0; k < corners_; ++k) {
      const auto [found, is_new] = nodes.try_emplace(face.node[k], static_cast<int>(nodes.size()));
      on.node[k] = found->second;
      if (!is_new || face.on_wall[k]) continue;
      taken_.push_back(found->second);
      places.push_back(face.corner[k] + round_off * (middle - face.corner[k]) + shift);
    }
  }
  nodes_ = nodes.size();
  return places;
}

void RecycledInflow::take(const std::vector<NodeVelocity>& velocity, real now, real end) {
  const std::vector<Vec3> on_plane = plane_.velocity(velocity);
  std::vector<Vec3> at_nodes(nodes_);
  for (std::size_t k = 0; k < taken_.size(); ++k) at_nodes[taken_[k]] = on_plane[k];
  std::erase_if(moments_, [&](const Moment& moment) { return moment.time - now > (end - now) / 2; });
  if (moments_.empty()) add(now, std::vector<Vec3>(nodes_));
  add(end, std::move(at_nodes));
}

void RecycledInflow::add(real time, std::vector<Vec3> at_nodes) {
  constexpr std::size_t most = 7;  // a step asks for four times, between which three short ones may be left out
  if (moments_.size() == most) moments_.erase(moments_.begin());
  Moment& moment = moments_.emplace_back(Moment{time, std::move(at_nodes), {0}});
  for (const OnFace& on : faces_) {
    moment.rates.push_back(moment.rates.back() + on.area * dot(mean_of(on, moment), on.inward));
  }
}

Vec3 RecycledInflow::mean_of(const OnFace& on, const Moment& moment) const {
  Vec3 sum;
  for (std::size_t k = 0; k < corners_; ++k) sum += moment.at_nodes[on.node[k]];
  return sum / static_cast<real>(corners_);
}

const RecycledInflow::Moment& RecycledInflow::nearest(real time) const {
  return *std::min_element(moments_.begin(), moments_.end(), [&](const Moment& a, const Moment& b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  });
}

std::size_t RecycledInflow::place_of(std::int64_t face) const {
  const auto found = std::lower_bound(faces_.begin(), faces_.end(), face,
                                      [](const OnFace& on, std::int64_t sought) { return on.id < sought; });
  require(found != faces_.end() && found->id == face,
          [&] { return message("the face {} is not among the {} that are recycled here", face, faces_.size()); });
  return static_cast<std::size_t>(found - faces_.begin());
}

std::vector<Vec3> RecycledInflow::at(std::span<const BoundaryPlace> places, real time) const {
  std::vector<Vec3> velocities(places.size());
  if (moments_.empty()) return velocities;
  const std::vector<Vec3>& there = nearest(time).at_nodes;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const OnFace& on = faces_[place_of(places[k].face)];
    const std::array<real, 3> share = barycentric_coordinates(on.corner, static_cast<int>(corners_), places[k].at);
    for (std::size_t i = 0; i < corners_; ++i) velocities[k] += share[i] * there[on.node[i]];
  }
  return velocities;
}

Vec3 RecycledInflow::mean_on(std::int64_t face, real time) const {
  return moments_.empty() ? Vec3{} : mean_of(faces_[place_of(face)], nearest(time));
}

real RecycledInflow::rate(real time) const { return moments_.empty() ? 0 : nearest(time).rates.back(); }

std::array<real, 2> RecycledInflow::rate_up_to(std::int64_t face, const std::array<real, 2>& shares, real rate,
                                               real time) const {
  const std::size_t place = place_of(face);
  const real of_profile = rate - this->rate(time);
  std::array<real, 2> sums;
  for (std::size_t k = 0; k < 2; ++k) {
    sums[k] = of_profile * shares[k] + (moments_.empty() ? 0 : nearest(time).rates[place + k]);
  }
  if (place + 1 == faces_.size()) sums[1] = rate;
  return sums;
}

/// One list: the time of each moment, and the velocities at its nodes.
void RecycledInflow::visit_state(const std::string& name, StateVisitor& visitor) {
  const std::size_t per_moment = 1 + 3 * nodes_;
  std::vector<double> values;
  for (const Moment& moment : moments_) {
    values.push_back(moment.time);
    for (const Vec3& u : moment.at_nodes) values.insert(values.end(), {u.x, u.y, u.z});
  }
  const std::vector<double> known = values;
  visitor.list(name, values);
  if (values == known || values.size() % per_moment != 0) return;
  moments_.clear();
  for (auto value = values.begin(); value != values.end();) {
    const auto time = static_cast<real>(*value++);
    std::vector<Vec3> at_nodes(nodes_);
    for (Vec3& u : at_nodes) {
      for (real* const component : {&u.x, &u.y, &u.z}) *component = static_cast<real>(*value++);
    }
    add(time, std::move(at_nodes));
  }
}

real rate_of_profile(const InletRate& given, real rate, real time) {
  return given.recycled ? rate - given.recycled->rate(time) : rate;
}

std::vector<FlowBoundary> with_recycling(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                         const std::string& file) {
  const std::vector<char> is_wall = walls_among(of_patch);
  for (int p = 0; p < static_cast<int>(of_patch.size()); ++p) {
    const InletRate* const rate = given_rate(of_patch[p]);
    if (!rate || !rate->recycled_from) continue;
    std::get<Inlet>(of_patch[p]).rate->recycled =
        std::make_shared<RecycledInflow>(mesh, patch_surface(mesh, is_wall, p), *rate->recycled_from,
                                         message("{}: [boundary.{}] recycle", file, mesh.part().patches[p]));
  }
  return of_patch;
}

}  // namespace solenoid
