#include "mesh/local_mesh.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

Boundary::Boundary(const MeshPart& part, const Geometry& geometry) {
  const auto ascending = [&](int a, int b) {
    return part.node_numbering.global_id[a] < part.node_numbering.global_id[b];
  };
  for (int c = 0; c < part.cells(); ++c) {
    for (int k = 0; k < part.corners(); ++k) {
      const int f = part.cell_faces_of(c)[k];
      if (part.face_patch[f] < 0) continue;
      const int sign = part.face_sign(c, k, ascending);
      const Vec3 normal = real(sign) * geometry.face_normal[f];
      faces_.push_back(
          {f, c, part.face_patch[f], sign, f < part.face_numbering.owned, normal, geometry.face_area[f] * normal});
    }
  }
  const auto& id = part.face_numbering.global_id;
  std::sort(faces_.begin(), faces_.end(),
            [&](const BoundaryFace& a, const BoundaryFace& b) { return id[a.face] < id[b.face]; });

  const int d = part.dimension;
  std::vector<int> place, face, cell, node;
  std::vector<Vec3> outward_area, outward_normal;
  for (int i = 0; i < size(); ++i) {
    if (!faces_[i].is_owned) continue;
    place.push_back(i);
    face.push_back(faces_[i].face);
    cell.push_back(faces_[i].cell);
    const int* const corners = &part.face_nodes[faces_[i].face * d];
    node.insert(node.end(), corners, corners + d);
    outward_area.push_back(faces_[i].outward_area);
    outward_normal.push_back(faces_[i].outward_normal);
  }
  place_ = DeviceArray<int>(place);
  face_ = DeviceArray<int>(face);
  cell_ = DeviceArray<int>(cell);
  node_ = DeviceArray<int>(node);
  outward_area_ = DeviceArray<Vec3>(outward_area);
  outward_normal_ = DeviceArray<Vec3>(outward_normal);
}

std::vector<NodeAt> outward_corners(const Connectivity& mesh, const BoundaryFace& face) {
  std::vector<NodeAt> corners;
  for (int k = 0; k < mesh.dimension; ++k) {
    corners.push_back({mesh.face_nodes_of(face.face)[k], mesh.face_points_of(face.face)[k]});
  }
  if (mesh.dimension == 3 && face.orientation < 0) std::swap(corners[1], corners[2]);
  return corners;
}

namespace {

/// Faces of every local cell, + if the normal points outward.
IncidenceRows faces_of_cells(const MeshPart& part) {
  const auto ascending = [&](int a, int b) {
    return part.node_numbering.global_id[a] < part.node_numbering.global_id[b];
  };
  IncidenceRows rows;
  rows.reserve(part.cells(), part.cell_faces.size());
  std::vector<IncidenceRowEntry> row;
  for (int c = 0; c < part.cells(); ++c) {
    for (int k = 0; k < part.corners(); ++k) {
      const int f = part.cell_faces_of(c)[k];
      row.push_back({part.face_numbering.global_id[f], f, part.face_sign(c, k, ascending)});
    }
    rows.add_sorted(row);
    row.clear();
  }
  return rows;
}

/// Edges of every local face; in 2D s_b - s_a for the face a -> b, in 3D the circulation a -> b -> c -> a.
IncidenceRows edges_of_faces(const MeshPart& part) {
  IncidenceRows rows;
  rows.reserve(part.faces(), part.face_nodes.size());
  std::vector<IncidenceRowEntry> row;
  const auto add = [&](int e, int sign) { row.push_back({part.edge_numbering.global_id[e], e, sign}); };
  for (int f = 0; f < part.faces(); ++f) {
    if (part.dimension == 2) {
      add(part.face_nodes_of(f)[0], -1);
      add(part.face_nodes_of(f)[1], 1);
    } else {
      add(part.face_edges_of(f)[0], 1);
      add(part.face_edges_of(f)[1], 1);
      add(part.face_edges_of(f)[2], -1);
    }
    rows.add_sorted(row);
    row.clear();
  }
  return rows;
}

/// Keeps only the first `rows` rows, without a copy.
IncidenceRows shortened(IncidenceRows table, int rows) {
  table.offset.resize(static_cast<std::size_t>(rows) + 1);
  table.index.resize(static_cast<std::size_t>(table.offset.back()));
  table.sign.resize(table.index.size());
  return table;
}

/// The operators gather over all cells around each owned node: all of these must be in this part.
void require_full_halo(const MeshPart& part) {
  std::vector<int> found(part.nodes(), 0);
  for (int n : part.cell_nodes) ++found[n];
  for (int n = 0; n < part.node_numbering.owned; ++n) {
    require(found[n] == part.node_cell_count[n], [&] {
      return message("the halo is too thin: node {} has {} cells around it, {} of them here",
                     part.node_numbering.global_id[n], part.node_cell_count[n], found[n]);
    });
  }
}

}  // namespace

LocalMesh::Tables LocalMesh::tables_of(const Comm& comm, const MeshPart& part) {
  Tables tables;
  comm.guard([&] {
    for (const std::vector<int>* const table : {&part.cell_faces, &part.face_nodes, &part.face_edges}) {
      count_on_rank(std::ssize(*table), "entries of an incidence table");
    }
    require_full_halo(part);
    IncidenceRows cell_faces = faces_of_cells(part);
    tables.G = Incidence<Face, Cell>(transpose(cell_faces, part.face_numbering.owned, part.cell_numbering, -1));
    tables.D = Incidence<Cell, Face>(shortened(std::move(cell_faces), part.cell_numbering.owned));
    IncidenceRows face_edges = edges_of_faces(part);
    tables.R = Incidence<Edge, Face>(transpose(face_edges, part.edge_numbering.owned, part.face_numbering, 1));
    tables.C = Incidence<Face, Edge>(shortened(std::move(face_edges), part.face_numbering.owned));
  });
  return tables;
}

LocalMesh::LocalMesh(const Comm& comm, MeshPart part, const MemoryOf& /*scope*/)
    : LocalMesh(comm, std::make_shared<const MeshPart>(std::move(part))) {}

LocalMesh::LocalMesh(const Comm& comm, const std::shared_ptr<const MeshPart>& part)
    : LocalMesh(comm, tables_of(comm, *part), part) {}

LocalMesh::LocalMesh(const Comm& comm, Tables tables, std::shared_ptr<const MeshPart> part)
    : D(std::move(tables.D)),
      G(std::move(tables.G)),
      C(std::move(tables.C)),
      R(std::move(tables.R)),
      comm_(comm),
      part_(std::move(part)),
      node_(comm_, {part_, &part_->node_numbering}),
      edge_(comm_, {part_, &part_->edge_numbering}),
      face_(comm_, {part_, &part_->face_numbering}),
      cell_(comm_, {part_, &part_->cell_numbering}),
      geometry_(*part_) {
  comm_.guard([&] {
    const IncidenceRows &cell_faces = D.host(), &face_cells = G.host();
    DeviceWriter<Vec3> face_arm(cell_faces.index.size()), cell_arm(face_cells.index.size());
    for (int c = 0; c < owned<Cell>(); ++c) {
      for (int k = cell_faces.offset[c]; k < cell_faces.offset[c + 1]; ++k) {
        face_arm.push_back(geometry_.centre_seen(*part_, cell_faces.index[k], c) - geometry_.cell_centre[c]);
      }
    }
    for (int f = 0; f < owned<Face>(); ++f) {
      for (int k = face_cells.offset[f]; k < face_cells.offset[f + 1]; ++k) {
        const int c = face_cells.index[k];
        cell_arm.push_back(geometry_.centre_seen(*part_, f, c) - geometry_.cell_centre[c]);
      }
    }
    face_arm_ = face_arm.take();
    cell_arm_ = cell_arm.take();
    cell_nodes_ = DeviceArray<int>(part_->cell_nodes);
    cell_points_ = DeviceArray<int>(part_->cell_points);
    cell_volume_ = DeviceArray<real>(geometry_.cell_volume);
    dual_length_ = dual_lengths(geometry_, *part_, face_cells);

    boundary_ = Boundary(*part_, geometry_);
  });
}

}  // namespace solenoid
