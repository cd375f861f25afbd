#include "operators/dual_fluxes.hpp"

#include <cmath>

#include "field/assign.hpp"
#include "mesh/csr.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// The boundary faces around each owned node, coded as in IncidenceView, and the corner of mesh.boundary() at the node.
struct BoundaryRows {
  std::vector<int> offset{0}, code, corner;
  explicit BoundaryRows(const LocalMesh& mesh) {
    const int d = mesh.dimension();
    const auto for_each = [&](const auto& visit) {
      for (int i = 0; i < mesh.boundary().size(); ++i) {  // ascending in global ids
        const std::span<const int> nodes = mesh.part().face_nodes_of(mesh.boundary()[i].face);
        for (int k = 0; k < d; ++k) visit(nodes[k], d * i + k);
      }
    };
    const Csr<int> corners(mesh.owned<Node>(), for_each);
    for (int n = 0; n < corners.rows(); ++n) {
      for (const int place : corners[n]) {
        const BoundaryFace& b = mesh.boundary()[place / d];
        code.push_back(b.orientation > 0 ? b.face : ~b.face);
        corner.push_back(place);
      }
      offset.push_back(static_cast<int>(code.size()));
    }
  }
};

/// (N T)_a of one node.
struct Convection {
  PairValue form;
  int d;
  IncidenceView<Node, NodePair> pairs;
  const int* other;
  View<NodePair, const real> q;
  IncidenceView<Node, Face> faces;
  const int *corner, *node_of_corner;
  View<Face, const real> flux;
  InflowValues inflow;
  View<Node, const real> values;
  View<Node> result;

  SOLENOID_HD void operator()(int i) const {
    const Index<Node> a{i};
    const real here = values[a];
    real inside = 0, through = 0, along = 0;
    for (const auto [pair, sign, slot] : pairs[a]) {
      const real out = sign * q[pair], difference = values[Index<Node>{other[slot]}] - here;
      if (form == PairValue::central) {
        inside += out * (difference / 2);
      } else if (out < 0) {
        inside += out * difference;
      }
    }
    for (const auto [face, sign, slot] : faces[a]) {
      const real out = sign * flux[face];
      const int k = corner[slot];
      if (out < 0) through += out * (inflow.is_given[k] * (inflow.value[k] - here));
      if (form == PairValue::central) along += out * difference_on_face(k - k % d, here);
    }
    const real among_pairs = real{1} / static_cast<real>(d * (d + 1)), share = real{1} / static_cast<real>(d);
    result[a] = among_pairs * (inside + along / 2) + share * through;
  }

  /// Sum of T - here over the corners of a face.
  SOLENOID_HD real difference_on_face(int first, real here) const {
    real sum = 0;
    for (int k = first; k < first + d; ++k) sum += values[Index<Node>{node_of_corner[k]}] - here;
    return sum;
  }
};

/// The owned pairs on the boundary, each with its boundary faces, coded as in IncidenceView.
struct PairsOnBoundary {
  std::vector<int> pair, offset{0}, code;
  explicit PairsOnBoundary(const NodePairs& pairs) {
    const LocalMesh& mesh = pairs.mesh();
    const MeshPart& part = mesh.part();
    const auto for_each = [&](const auto& visit) {
      for (const BoundaryFace& b : mesh.boundary()) {  // ascending in global ids
        const int code_of_face = b.orientation > 0 ? b.face : ~b.face;
        if (part.dimension == 2) {
          visit(b.face, code_of_face);
        } else {
          for (const int edge : part.face_edges_of(b.face)) visit(edge, code_of_face);
        }
      }
    };
    const Csr<int> faces(pairs.layout().owned(), for_each);
    for (int k = 0; k < faces.rows(); ++k) {
      if (faces[k].empty()) continue;
      pair.push_back(k);
      code.insert(code.end(), faces[k].begin(), faces[k].end());
      offset.push_back(static_cast<int>(code.size()));
    }
  }
};

/// Outflow of the dual of one node through the pieces with outflow, over `mass` [1/s].
struct Leaving {
  real scale, share;
  IncidenceView<Node, NodePair> pairs;
  View<NodePair, const real> q;
  IncidenceView<Node, Face> faces;
  View<Face, const real> flux;
  View<Node, const real> mass;

  SOLENOID_HD real operator()(int i) const {
    const Index<Node> a{i};
    real inside = 0, through = 0;
    for (const auto [pair, sign, slot] : pairs[a]) inside += sign * q[pair] > 0 ? sign * q[pair] : 0;
    for (const auto [face, sign, slot] : faces[a]) through += sign * flux[face] > 0 ? sign * flux[face] : 0;
    return (scale * inside + share * through) / mass[a];
  }
};

/// See largest_growth(): the third power of the rate.
struct CubeOfGrowth {
  Leaving leaving;
  View<Node, const real> spread;

  SOLENOID_HD real operator()(int i) const {
    constexpr real of_mode = 7.2, without_spread = 5;
    const Index<Node> a{i};
    const real rate = leaving(i), spreads = spread[a] / leaving.mass[a], peclet = of_mode * rate / spreads;
    constexpr real largest = without_spread * without_spread * without_spread;
    return rate * rate * rate * (peclet < largest ? peclet : largest);
  }
};

}  // namespace

DualFluxes::DualFluxes(const NodePairs& pairs)
    : pairs_(pairs), patches_(pairs.mesh().part().patches.size()), scaled_(pairs.layout()), flux_(pairs.mesh()) {
  const LocalMesh& mesh = pairs.mesh();
  const BoundaryRows rows(mesh);
  offset_ = DeviceArray<int>(rows.offset);
  code_ = DeviceArray<int>(rows.code);
  corner_ = DeviceArray<int>(rows.corner);
  std::vector<int> node_of_corner;
  for (const BoundaryFace& b : mesh.boundary()) {
    for (const int n : mesh.part().face_nodes_of(b.face)) node_of_corner.push_back(n);
  }
  node_of_corner_ = DeviceArray<int>(node_of_corner);
  const PairsOnBoundary rim(pairs);
  rim_pair_ = DeviceArray<int>(rim.pair);
  rim_offset_ = DeviceArray<int>(rim.offset);
  rim_code_ = DeviceArray<int>(rim.code);
  struct OnHost {
    std::vector<int> face, corner, node;
    std::vector<real> outward;
  };
  std::vector<OnHost> faces(patches_.size());
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!b.is_owned) continue;
    OnHost& of_patch = faces[b.patch];
    of_patch.face.push_back(b.face);
    of_patch.corner.push_back(mesh.dimension() * i);
    of_patch.outward.push_back(static_cast<real>(b.orientation));
    for (const int n : mesh.part().face_nodes_of(b.face)) of_patch.node.push_back(n);
  }
  for (std::size_t p = 0; p < faces.size(); ++p) {
    patches_[p] = {DeviceArray<int>(faces[p].face), DeviceArray<int>(faces[p].corner), DeviceArray<int>(faces[p].node),
                   DeviceArray<real>(faces[p].outward)};
  }
  exchanged_ = halo(scaled_);
  faces_ = halo(flux_);
}

void DualFluxes::set(const Field<Face>& flux) {
  flux_.copy_from(flux);
  faces_ = halo(flux_);
  scaled_ = pairs_.crossing() * *faces_;
  exchanged_ = halo(scaled_);
}

void DualFluxes::convect(PairValue form, Exchanged<Node> values, const InflowValues& inflow,
                         Field<Node>& convection) const {
  count_traffic(pairs_.bytes_around() + static_cast<std::int64_t>(offset_.size() * sizeof(int)));
  count_gathered(values.field(), scaled_);
  count_owned(convection);
  forall(convection.owned(), Convection{form, pairs_.mesh().dimension(), pairs_.around().view(), pairs_.other(),
                                        exchanged_->view(), at_boundary(), corner_.data(), node_of_corner_.data(),
                                        faces_->view(), inflow, values.view(), convection.view()});
}

void DualFluxes::add_along_boundary(real factor, Exchanged<Node> values, Field<NodePair>& flow) const {
  const int* const pair = rim_pair_.data();
  const IncidenceView<NodePair, Face> faces{rim_offset_.data(), rim_code_.data()};
  const int* const ends = pairs_.ends();
  const auto flux = faces_->view();
  const auto T = values.view();
  const auto result = flow.view();
  const real scale = factor / static_cast<real>(2 * pairs_.crossing_factor());
  forall(
      static_cast<int>(rim_pair_.size()), SOLENOID_KERNEL(int i) {
        const int k = pair[i];
        real out = 0;
        for (const auto [face, sign, slot] : faces[Index<NodePair>{i}]) out += sign * flux[face];
        result[Index<NodePair>{k}] += scale * out * (T[Index<Node>{ends[2 * k + 1]}] - T[Index<Node>{ends[2 * k]}]);
      });
}

namespace {

Leaving leaving_of(const NodePairs& pairs, View<NodePair, const real> q, IncidenceView<Node, Face> faces,
                   View<Face, const real> flux, const Field<Node>& mass) {
  return {real{1} / static_cast<real>(pairs.crossing_factor()),
          real{1} / static_cast<real>(pairs.mesh().dimension()),
          pairs.around().view(),
          q,
          faces,
          flux,
          mass.view()};
}

}  // namespace

real DualFluxes::largest_rate(const Field<Node>& mass) const {
  return pairs_.mesh().comm().max(
      reduce_max(mass.owned(), 0, leaving_of(pairs_, exchanged_->view(), at_boundary(), faces_->view(), mass)));
}

real DualFluxes::largest_growth(const Field<Node>& mass, const Field<Node>& spread) const {
  const Leaving leaving = leaving_of(pairs_, exchanged_->view(), at_boundary(), faces_->view(), mass);
  return std::cbrt(pairs_.mesh().comm().max(reduce_max(mass.owned(), 0, CubeOfGrowth{leaving, spread.view()})));
}

std::vector<real> DualFluxes::carried_out(Exchanged<Node> values, const InflowValues& inflow) const {
  const int d = pairs_.mesh().dimension();
  const auto flux = faces_->view();
  const auto T = values.view();
  std::vector<PartialSum> carried;
  for (const PatchFaces& patch : patches_) {
    const int *const face = patch.face.data(), *const first = patch.corner.data(), *const node = patch.node.data();
    const real* const outward = patch.outward.data();
    carried.push_back(reduce_sum(
        static_cast<int>(patch.face.size()), SOLENOID_KERNEL(int i) {
          const real out = outward[i] * flux[Index<Face>{face[i]}] / static_cast<real>(d);
          real sum = 0;
          for (int k = 0; k < d; ++k) {
            const int corner = first[i] + k;
            const bool comes_in = out < 0 && inflow.is_given[corner] > 0;
            sum += out * (comes_in ? inflow.value[corner] : T[Index<Node>{node[d * i + k]}]);
          }
          return sum;
        }));
  }
  return totals(pairs_.mesh().comm(), carried);
}

}  // namespace solenoid
