#include "physics/scalar/fluid_part.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "field/assign.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/submesh.hpp"
#include "model/point_sampler.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

FluidPart::FluidPart(const LocalMesh& whole, MeshPart part, const std::vector<std::string>& solids)
    : whole_(whole), fluid_(whole.comm(), std::move(part)) {
  whole.comm().guard([&] { find_places(solids); });
  find_strangers();
  find_boundary();
  on_device_nodes_ = DeviceArray<int>(nodes_);
  on_device_faces_ = DeviceArray<int>(faces_);
  face_turn_ = DeviceArray<real>(turns_of_faces());
}

/// Owned cells and their corners have the same order in both meshes.
void FluidPart::find_places(const std::vector<std::string>& solids) {
  const MeshPart &all = whole_.part(), &part = fluid_.part();
  const std::vector<char> is_solid = cells_in(all, solids);
  for (int c = 0; c < whole_.owned<Cell>(); ++c) {
    if (!is_solid[c]) cells_.push_back(c);
  }
  require(static_cast<int>(cells_.size()) == fluid_.owned<Cell>(),
          [&] { return message("{} cells are fluid, {} are in its mesh", cells_.size(), fluid_.owned<Cell>()); });
  nodes_.resize(fluid_.owned<Node>());
  faces_.resize(fluid_.owned<Face>());
  const auto place = [](std::vector<int>& places, std::span<const int> here, std::span<const int> there) {
    for (std::size_t k = 0; k < here.size(); ++k) {
      if (here[k] < static_cast<int>(places.size())) places[here[k]] = there[k];
    }
  };
  for (int c = 0; c < fluid_.owned<Cell>(); ++c) {
    place(nodes_, part.cell_nodes_of(c), all.cell_nodes_of(cells_[c]));
    place(faces_, part.cell_faces_of(c), all.cell_faces_of(cells_[c]));
  }
}

/// The meshes number nodes in different orders if they are refined, and normals follow the order.
std::vector<real> FluidPart::turns_of_faces() const {
  const MeshPart &all = whole_.part(), &part = fluid_.part();
  const auto signs = [](const MeshPart& mesh, int cell, int corner) {
    return mesh.face_sign(cell, corner, [&](int a, int b) {
      return mesh.node_numbering.global_id[a] < mesh.node_numbering.global_id[b];
    });
  };
  std::vector<real> turns(faces_.size(), 1);
  for (int c = 0; c < fluid_.owned<Cell>(); ++c) {
    for (int k = 0; k < part.corners(); ++k) {
      const int f = part.cell_faces_of(c)[k];
      if (f < fluid_.owned<Face>() && signs(part, c, k) != signs(all, cells_[c], k)) turns[f] = -1;
    }
  }
  return turns;
}

/// Nodes between fluid and solids that another rank owns in the whole mesh. Collective.
void FluidPart::find_strangers() {
  const Comm& comm = whole_.comm();
  const LocalNumbering& numbering = whole_.numbering<Node>();
  std::vector<std::vector<std::int64_t>> ids(comm.size());
  sent_nodes_.resize(comm.size());
  got_nodes_.resize(comm.size());
  for (int n = 0; n < fluid_.owned<Node>(); ++n) {
    if (nodes_[n] < numbering.owned) continue;
    const int rank = numbering.owner[nodes_[n]];
    ids[rank].push_back(numbering.global_id[nodes_[n]]);
    sent_nodes_[rank].push_back(n);
  }
  ids = exchange_lists(comm, ids);
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto begin = numbering.global_id.begin(), end = begin + numbering.owned;
    for (const std::int64_t id : ids[rank]) {
      got_nodes_[rank].push_back(static_cast<int>(std::lower_bound(begin, end, id) - begin));
    }
  }
}

void FluidPart::find_boundary() {
  std::vector<int> of_face(whole_.total<Face>(), -1);
  for (int i = 0; i < whole_.boundary().size(); ++i) of_face[whole_.boundary()[i].face] = i;
  for (const BoundaryFace& b : fluid_.boundary()) boundary_.push_back(b.is_owned ? of_face[faces_[b.face]] : -1);
}

void FluidPart::restrict_to_fluid(Exchanged<Node> of_whole, Field<Node>& of_fluid) const {
  const int* const place = on_device_nodes_.data();
  const auto from = of_whole.view();
  const auto to = of_fluid.view();
  count_owned(of_fluid, of_fluid);
  forall(
      of_fluid.owned(), SOLENOID_KERNEL(int i) { to[Index<Node>{i}] = from[Index<Node>{place[i]}]; });
}

void FluidPart::spread(const Field<Face>& of_fluid, Field<Face>& of_whole) const {
  const int* const place = on_device_faces_.data();
  const real* const turn = face_turn_.data();
  const auto from = of_fluid.view();
  const auto to = of_whole.view();
  count_owned(of_fluid, of_fluid);
  forall(
      of_fluid.owned(), SOLENOID_KERNEL(int i) { to[Index<Face>{place[i]}] = turn[i] * from[Index<Face>{i}]; });
}

template <class L, class T>
void FluidPart::spread_values(const Field<L, T>& of_fluid, Field<L, T>& of_whole) const {
  constexpr bool at_nodes = std::is_same_v<L, Node>;
  const std::vector<int>& places = at_nodes ? nodes_ : cells_;
  const std::vector<T> values = of_fluid.to_host();
  std::vector<T> spread(of_whole.owned());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (places[i] < of_whole.owned()) spread[places[i]] = values[i];
  }
  if constexpr (at_nodes) {
    std::vector<std::vector<T>> lists(sent_nodes_.size());
    for (std::size_t rank = 0; rank < lists.size(); ++rank) {
      for (const int n : sent_nodes_[rank]) lists[rank].push_back(values[n]);
    }
    lists = exchange_lists(whole_.comm(), lists);
    for (std::size_t rank = 0; rank < lists.size(); ++rank) {
      for (std::size_t k = 0; k < lists[rank].size(); ++k) spread[got_nodes_[rank][k]] = lists[rank][k];
    }
  }
  of_whole.from_host(spread);
  halo(of_whole);
}

template <class T>
void FluidPart::spread_values(const BoundaryField<T>& of_fluid, BoundaryField<T>& of_whole) const {
  const std::vector<T> values = of_fluid.to_host();
  std::vector<T> spread(of_whole.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (boundary_[i] >= 0) spread[boundary_[i]] = values[i];
  }
  of_whole.from_host(spread);
}

std::vector<Quantity> FluidPart::spread(std::vector<Quantity> of_fluid) const {
  for (Quantity& quantity : of_fluid) {
    auto spread = std::make_shared<std::shared_ptr<void>>();  // the field on the whole mesh, created on first use
    quantity.evaluate = [this, in_fluid = std::move(quantity.evaluate), spread]() -> Evaluated {
      return std::visit(
          [&](auto* values) -> Evaluated {
            using Values = std::remove_pointer_t<decltype(values)>;
            if (!*spread) *spread = std::make_shared<Values>(whole_);
            Values* const on_whole = static_cast<Values*>(spread->get());
            spread_values(*values, *on_whole);
            return on_whole;
          },
          in_fluid());
    };
    if (!quantity.at_points) continue;
    quantity.at_points = [this, in_fluid = std::move(quantity.at_points)](const PointSampler& points) -> AtPoints {
      const auto there = std::make_shared<PointSampler>(points.in(fluid_));
      return [there, values = in_fluid(*there)] { return values(); };
    };
  }
  return of_fluid;
}

}  // namespace solenoid
