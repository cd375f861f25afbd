#include "physics/velocity_fit.hpp"

#include <map>
#include <optional>
#include <variant>

#include "physics/face_picker.hpp"
#include "physics/fit_products.hpp"
#include "physics/plane_quadratics.hpp"
#include "physics/quadratic_fit.hpp"
#include "physics/space_quadratics.hpp"

namespace solenoid {

namespace {

using PlaneFit = QuadraticFit<PlaneQuadratics>;
using SpaceFit = QuadraticFit<SpaceQuadratics>;
using AnyFit = std::variant<PlaneFit, SpaceFit>;

AnyFit fit_for(const WideMesh& wide, const FlowBoundaries& boundaries) {
  if (wide.part.dimension == 2) return PlaneFit(wide, boundaries);
  return SpaceFit(wide, boundaries);
}

std::vector<int> all_faces(const MeshPart& part) {
  std::vector<int> faces;
  for (int f = 0; f < part.faces(); ++f) faces.push_back(f);
  return faces;
}

}  // namespace

struct VelocityFit::Parts {
  /// The fits of all owned nodes, solved.
  struct Solved {
    FitProducts products;
    std::vector<std::vector<WallCorner>> given;  // what gives some nodes their velocity
  };
  const LocalMesh& mesh;
  const FlowBoundaries boundaries;
  const WideMesh& wide;
  Field<Face> wide_flux;
  AnyFit fit;
  FitWalls walls;
  std::optional<Solved> solved;

  Parts(const LocalMesh& of, const WideMesh& around, FlowBoundaries at)
      : mesh(of),
        boundaries(std::move(at)),
        wide(around),
        wide_flux(around.faces),
        fit(fit_for(around, boundaries)),
        walls(around, boundaries, all_faces(around.part)) {}

  Solved solve_all(const SpaceFit& space) {
    FitProducts::Rows of_fluxes, along_walls;
    std::vector<int> given_nodes;
    std::vector<std::vector<WallCorner>> given;
    FitSurroundings around(wide);
    for (int n = 0; n < mesh.owned<Node>(); ++n) {
      const SpaceFit::System system = space.set_up(n, around);
      const SpaceFit::Weights weights = space.weights(system);
      std::size_t next = 0;
      for (std::size_t i = 0; i < system.faces.size(); ++i) {
        const int f = system.faces[i].face, place = walls.place(f);
        of_fluxes.add(f, weights.flux[i]);
        for (int t = 0; place >= 0 && t < 2; ++t) along_walls.add(2 * place + t, weights.along[next++]);
      }
      of_fluxes.end_row();
      along_walls.end_row();
      std::vector<WallCorner> corners = space.corners_at_node(system, walls);
      if (corners.empty()) continue;
      given_nodes.push_back(n);
      given.push_back(std::move(corners));
    }
    return {FitProducts(std::move(of_fluxes), std::move(along_walls), given_nodes), std::move(given)};
  }

  void fit_anew(const PlaneFit& plane, const std::vector<real>& flux, Field<Node, NodeVelocity>& nodes) {
    std::vector<NodeVelocity> result;
    std::vector<real> known;
    FitSurroundings around(wide);
    for (int n = 0; n < mesh.owned<Node>(); ++n) {
      const PlaneFit::System system = plane.set_up(n, around);
      known.clear();
      for (const SeenFace& seen : system.faces) known.push_back(flux[seen.face]);
      result.push_back(plane.solve(system, known.data(), walls));
    }
    nodes.from_host(result);
  }
};

VelocityFit::VelocityFit(const LocalMesh& mesh, const WideMesh& wide, FlowBoundaries boundaries)
    : parts_(new Parts(mesh, wide, std::move(boundaries))) {
  Parts& m = *parts_;
  if (const auto* const space = std::get_if<SpaceFit>(&m.fit)) {
    mesh.comm().guard([&] { m.solved.emplace(m.solve_all(*space)); });
  }
}
VelocityFit::~VelocityFit() = default;

Exchanged<Node, NodeVelocity> VelocityFit::fit(const Field<Face>& flux, real time, Field<Node, NodeVelocity>& nodes) {
  Parts& m = *parts_;
  m.wide_flux.copy_from(flux);
  const auto known = halo(m.wide_flux);
  m.mesh.comm().guard([&] {
    m.walls.sample(time);
    if (m.solved) {
      std::vector<Vec3> given;
      for (const std::vector<WallCorner>& corners : m.solved->given) given.push_back(m.walls.mean_at(corners));
      m.solved->products.apply(known, m.walls.along(), given, nodes);
    } else {
      m.fit_anew(std::get<PlaneFit>(m.fit), m.wide_flux.all_to_host(), nodes);
    }
  });
  return halo(nodes);
}

struct NodeFit::Parts {
  VelocityFit::Parts& all;
  std::variant<std::vector<PlaneFit::System>, std::vector<SpaceFit::System>> systems;
  std::optional<FitWalls> walls;
  std::optional<FacePicker> picker;  // the faces of one system after the other

  /// At local nodes of the mesh's owned cells: layer k of `wide` holds what ring k of each needs.
  template <class Fit>
  void set_up(const Fit& fit, const std::vector<int>& nodes) {
    const WideMesh& wide = all.wide;
    const auto& id = wide.part.node_numbering.global_id;
    std::map<std::int64_t, int> place;  // in `wide`, of the nodes that other ranks own
    for (int n = wide.part.node_numbering.owned; n < wide.part.nodes(); ++n) place[id[n]] = n;
    std::vector<typename Fit::System> made;
    std::vector<int> faces;
    FitSurroundings around(wide);
    for (const int n : nodes) {
      const bool is_owned = n < all.mesh.owned<Node>();
      made.push_back(fit.set_up(is_owned ? n : place.at(all.mesh.numbering<Node>().global_id[n]), around));
      for (const SeenFace& seen : made.back().faces) faces.push_back(seen.face);
    }
    systems = std::move(made);
    walls.emplace(wide, all.boundaries, faces);
    picker.emplace(wide.faces, faces);
  }
};

NodeFit::NodeFit(VelocityFit& fit, const std::vector<int>& nodes) : parts_(new Parts{*fit.parts_, {}, {}, {}}) {
  std::visit([&](const auto& any) { parts_->set_up(any, nodes); }, fit.parts_->fit);
}
NodeFit::~NodeFit() = default;

std::vector<NodeVelocity> NodeFit::fit(const Field<Face>& flux, real time) {
  Parts& m = *parts_;
  const std::vector<real> values = m.picker->pick(flux);
  std::vector<NodeVelocity> result;
  m.all.mesh.comm().guard([&] {
    m.walls->sample(time);
    const real* next = values.data();
    const auto solve = [&](const auto& fit, const auto& systems) {
      for (const auto& system : systems) {
        result.push_back(fit.solve(system, next, *m.walls));
        next += system.faces.size();
      }
    };
    if (const auto* const plane = std::get_if<PlaneFit>(&m.all.fit)) {
      solve(*plane, std::get<0>(m.systems));
    } else {
      solve(std::get<SpaceFit>(m.all.fit), std::get<1>(m.systems));
    }
  });
  return result;
}

}  // namespace solenoid
