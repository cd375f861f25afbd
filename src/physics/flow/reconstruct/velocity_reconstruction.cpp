#include "physics/flow/reconstruct/velocity_reconstruction.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "parallel/host_threads.hpp"
#include "parallel/placement.hpp"
#include "physics/flow/reconstruct/plane_quadratics.hpp"
#include "physics/flow/reconstruct/quadratic_least_squares.hpp"
#include "physics/flow/reconstruct/reconstruction_weights.hpp"
#include "physics/flow/reconstruct/remote_face_values.hpp"
#include "physics/flow/reconstruct/space_quadratics.hpp"

namespace solenoid {

namespace {

using PlaneFit = QuadraticLeastSquares<PlaneQuadratics>;
using SpaceFit = QuadraticLeastSquares<SpaceQuadratics>;
using AnyFit = std::variant<PlaneFit, SpaceFit>;

AnyFit fit_for(const WideHaloMesh& wide, const FlowBoundaries& boundaries) {
  if (wide.part.dimension == 2) return PlaneFit(wide, boundaries);
  return SpaceFit(wide, boundaries);
}

std::vector<int> all_faces(const MeshPart& part) {
  std::vector<int> faces;
  for (int f = 0; f < part.faces(); ++f) faces.push_back(f);
  return faces;
}

/// The weight in the form that products store.
template <class Weight>
Weight stored(const NodeVelocity& weight) {
  if constexpr (std::is_same_v<Weight, PlaneShares>) {
    return weight.in_plane();
  } else {
    return weight;
  }
}

}  // namespace

struct VelocityReconstruction::Parts {
  /// The fits of consecutive owned nodes, solved.
  template <class Weight>
  struct Solved {
    ReconstructionWeights<Weight> products;
    std::vector<std::vector<WallCorner>> given;  // of nodes with a prescribed velocity
  };
  const LocalMesh& mesh;
  const FlowBoundaries& boundaries;
  const WideHaloMesh& wide;
  Field<Face> wide_flux;
  AnyFit fit;
  WallData walls;
  DeviceArray<real> along{};
  std::optional<int> first_not_kept{};  // node; the fits of those before it stay
  std::vector<std::variant<Solved<PlaneShares>, Solved<NodeVelocity>>> kept{};

  Parts(const LocalMesh& of, const WideHaloMesh& around, const FlowBoundaries& at)
      : mesh(of),
        boundaries(at),
        wide(around),
        wide_flux(around.faces),
        fit(fit_for(around, boundaries)),
        walls(around, boundaries, all_faces(around.part)) {}

  /// Of some owned nodes, ascending.
  template <class Weight>
  struct Piece {
    typename ReconstructionWeights<Weight>::Rows of_fluxes, along_walls;
    std::vector<int> given_nodes;
    std::vector<std::vector<WallCorner>> given;
  };

  template <class Weight, class Fit>
  void solve(const Fit& all, int node, typename Fit::Workspace& work, Piece<Weight>& piece) const {
    const typename Fit::System system = all.set_up(node, work);
    const typename Fit::Weights weights = all.weights(system);
    std::size_t next = 0;
    for (std::size_t i = 0; i < system.faces.size(); ++i) {
      const int f = system.faces[i].face, place = walls.place(f);
      piece.of_fluxes.add(f, stored<Weight>(weights.flux[i]));
      for (int t = 0; place >= 0 && t < Fit::tangents; ++t) {
        piece.along_walls.add(Fit::tangents * place + t, stored<Weight>(weights.along[next++]));
      }
    }
    piece.of_fluxes.end_row();
    piece.along_walls.end_row();
    std::vector<WallCorner> corners = all.corners_at_node(system, walls);
    if (corners.empty()) return;
    piece.given_nodes.push_back(node);
    piece.given.push_back(std::move(corners));
  }

  /// The fits of the nodes [first, first + count).
  template <class Weight, class Fit>
  Solved<Weight> solved(const Fit& all, Spares<typename Fit::Workspace>& workspaces, int first, int count) const {
    constexpr int pieces_of_part = 32;
    const int size = std::clamp(count / pieces_of_part, 16, 256);
    std::vector<Piece<Weight>> pieces((count + size - 1) / size);
    over_host_threads(count, size, [&](int begin, int end) {
      workspaces.use([&](typename Fit::Workspace& work) {
        for (int n = begin; n < end; ++n) solve(all, first + n, work, pieces[begin / size]);
      });
    });
    Piece<Weight> part;
    for (Piece<Weight>& piece : pieces) {
      part.of_fluxes.append(std::move(piece.of_fluxes));
      part.along_walls.append(std::move(piece.along_walls));
      part.given_nodes.insert(part.given_nodes.end(), piece.given_nodes.begin(), piece.given_nodes.end());
      std::move(piece.given.begin(), piece.given.end(), std::back_inserter(part.given));
    }
    return {{first, std::move(part.of_fluxes), std::move(part.along_walls), part.given_nodes}, std::move(part.given)};
  }

  /// Calls take(solved) for the fits of the nodes from `first` on, part by part, so that the host holds the rows of one
  /// at a time, until it returns false. Returns the first node whose fit was not taken.
  template <class Weight, class Fit, class Take>
  int solve_from(const Fit& all, int first, const Take& take) const {
    constexpr int parts = 16;
    using Workspace = typename Fit::Workspace;
    Spares<Workspace> workspaces(
        [&] { return std::make_unique<Workspace>(Workspace{ReconstructionStencil(wide, boundaries)}); });
    const int nodes = mesh.owned<Node>(), most = (nodes + parts - 1) / parts;
    for (; first < nodes; first += most) {
      if (!take(solved<Weight>(all, workspaces, first, std::min(most, nodes - first)))) break;
    }
    return first;
  }
  template <class Take>
  int solve_from(int first, const Take& take) const {
    if (const auto* const plane = std::get_if<PlaneFit>(&fit)) return solve_from<PlaneShares>(*plane, first, take);
    return solve_from<NodeVelocity>(std::get<SpaceFit>(fit), first, take);
  }
};

VelocityReconstruction::VelocityReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide,
                                               const FlowBoundaries& boundaries)
    : parts_(new Parts(mesh, wide, boundaries)) {}
VelocityReconstruction::~VelocityReconstruction() = default;

void VelocityReconstruction::prepare(double most_of_memory) {
  Parts& m = *parts_;
  if (m.first_not_kept) return;  // true on all ranks or none
  const MemoryOf scope("fit at nodes");
  double left = most_of_memory * device_bytes_left() / ranks_on_device(m.mesh.comm());
  m.mesh.comm().guard([&] {
    m.first_not_kept = m.solve_from(0, [&](auto part) {
      left -= static_cast<double>(part.products.bytes());
      if (left < 0) return false;
      m.kept.push_back(std::move(part));
      return true;
    });
  });
}

Exchanged<Node, NodeVelocity> VelocityReconstruction::fit(const Field<Face>& flux, real time,
                                                          Field<Node, NodeVelocity>& nodes) {
  Parts& m = *parts_;
  m.wide_flux.copy_from(flux);
  const auto known = halo(m.wide_flux);
  prepare();
  m.mesh.comm().guard([&] {
    m.walls.sample(time);
    const std::vector<real>& along = m.walls.along();
    if (m.along.size() != along.size()) m.along = DeviceArray<real>(along.size());
    m.along.from_host(along);
    count_gathered(known.field());
    count_owned(nodes);
    const auto apply = [&](auto&& solved) {
      std::vector<Vec3> given;
      for (const std::vector<WallCorner>& corners : solved.given) given.push_back(m.walls.mean_at(corners));
      solved.products.apply(known, m.along, given, nodes);
      return true;
    };
    for (auto& part : m.kept) std::visit(apply, part);
    m.solve_from(*m.first_not_kept, apply);
  });
  return halo(nodes);
}

struct NodeFit::Parts {
  /// Of one node.
  struct Row {
    std::vector<NodeVelocity> of_fluxes, along_walls;
    std::vector<std::size_t> along;   // places in WallData::along()
    std::vector<WallCorner> corners;  // prescribe its velocity, if any
  };
  VelocityReconstruction::Parts& all;
  std::vector<Row> rows;
  std::optional<WallData> walls;
  std::optional<RemoteFaceValues> picker;  // for the faces of all rows in turn

  /// At local nodes of the mesh's owned cells: layer k of `wide` holds all that ring k of each needs.
  template <class Fit>
  void set_up(const Fit& fit, const std::vector<int>& nodes) {
    const WideHaloMesh& wide = all.wide;
    const auto& id = wide.part.node_numbering.global_id;
    std::map<std::int64_t, int> place;  // in `wide`, of other ranks' nodes
    for (int n = wide.part.node_numbering.owned; n < wide.part.nodes(); ++n) place[id[n]] = n;
    std::vector<typename Fit::System> systems;
    std::vector<int> faces;
    typename Fit::Workspace work{ReconstructionStencil(wide, all.boundaries)};
    for (const int n : nodes) {
      const bool is_owned = n < all.mesh.owned<Node>();
      systems.push_back(fit.set_up(is_owned ? n : place.at(all.mesh.numbering<Node>().global_id[n]), work));
      for (const SeenFace& seen : systems.back().faces) faces.push_back(seen.face);
    }
    walls.emplace(wide, all.boundaries, faces);
    picker.emplace(wide.faces, faces);
    for (const typename Fit::System& system : systems) {
      typename Fit::Weights weights = fit.weights(system);
      Row& row = rows.emplace_back(Row{std::move(weights.flux), std::move(weights.along), {}, {}});
      for (const SeenFace& seen : system.faces) {
        const int at = walls->place(seen.face);
        for (int t = 0; at >= 0 && t < Fit::tangents; ++t) {
          row.along.push_back(static_cast<std::size_t>(at * Fit::tangents + t));
        }
      }
      row.corners = fit.corners_at_node(system, *walls);
    }
  }
};

NodeFit::NodeFit(VelocityReconstruction& fit, const std::vector<int>& nodes)
    : parts_(new Parts{*fit.parts_, {}, {}, {}}) {
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
    for (const Parts::Row& row : m.rows) {
      NodeVelocity& sum = result.emplace_back();
      for (const NodeVelocity& weight : row.of_fluxes) sum.add(*next++, weight);
      for (std::size_t k = 0; k < row.along.size(); ++k) sum.add(m.walls->along()[row.along[k]], row.along_walls[k]);
      if (!row.corners.empty()) sum.value = m.walls->mean_at(row.corners);
    }
  });
  return result;
}

}  // namespace solenoid
