#include "run/observe/field_sink.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "io/paraview/vtkhdf_series.hpp"

namespace solenoid {

namespace {

/// Those of `values` at these places, `components` each.
template <class T>
std::vector<T> chosen(const std::vector<T>& values, const std::vector<int>& places, int components) {
  std::vector<T> result;
  result.reserve(places.size() * static_cast<std::size_t>(components));
  for (const int place : places) {
    const auto first = values.begin() + std::ptrdiff_t{place} * components;
    result.insert(result.end(), first, first + components);
  }
  return result;
}

}  // namespace

MeshPiece::MeshPiece(const LocalMesh& mesh, const std::optional<std::vector<int>>& shown) {
  cells.resize(mesh.total<Cell>());
  std::iota(cells.begin(), cells.end(), 0);
  if (shown) cells = *shown;
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<int> place(part.points.size(), -1);
  piece.dimension = mesh.dimension();
  for (const int c : cells) {
    for (int k = 0; k < corners; ++k) {
      const int n = part.cell_nodes_of(c)[k], point = part.cell_points_of(c)[k];
      if (place[point] < 0) {
        place[point] = static_cast<int>(nodes.size());
        nodes.push_back(n);
        piece.points.push_back(part.points[point]);
        piece.point_ids.push_back(part.point_id(point));
        piece.point_ranks.push_back(part.node_numbering.owner[n]);
      }
      piece.cells.push_back(place[point]);
    }
  }
  piece.cell_ids = chosen(part.cell_numbering.global_id, cells, 1);
  piece.cell_ranks = chosen(part.cell_numbering.owner, cells, 1);
  piece.has_regions = part.regions.size() > 1;
  if (piece.has_regions) piece.cell_region = chosen(part.cell_region, cells, 1);
  if (shown) piece.cells_of_mesh = part.cell_numbering.global_count;
}

namespace {

/// Data of a boundary face sent to rank 0: integers patch, id, cell, rank, node ids; reals: coordinates and quantities
/// per node, then the quantities of the face.
struct FaceRecord {
  const std::int64_t* integers;
  const real* reals;
};

constexpr std::size_t before_nodes = 4;  // integers of a record before its node ids

std::size_t width_of(const std::vector<PatchArray>& arrays) {
  std::size_t width = 0;
  for (const PatchArray& array : arrays) width += array.components;
  return width;
}

/// Appends the values of all arrays at an entity.
void append(std::vector<real>& reals, const std::vector<PatchArray>& arrays, int place) {
  for (const PatchArray& array : arrays) {
    const auto first = array.values.begin() + std::ptrdiff_t{place} * array.components;
    reals.insert(reals.end(), first, first + array.components);
  }
}

/// Arrays of the same names, with the values from `reals_of(k)` for each of `count` entities.
template <class RealsOf>
std::vector<VtkArray> filled(const std::vector<PatchArray>& arrays, std::size_t count, const RealsOf& reals_of) {
  std::vector<VtkArray> result;
  std::size_t begin = 0;
  for (const PatchArray& array : arrays) {
    VtkArray& to = result.emplace_back(VtkArray{array.name, array.components, {}});
    for (std::size_t k = 0; k < count; ++k) {
      const real* const from = reals_of(k) + begin;
      to.values.insert(to.values.end(), from, from + array.components);
    }
    begin += array.components;
  }
  return result;
}

VtkSurface surface_of(const std::string& name, int dimension, const PatchQuantities& quantities,
                      std::vector<FaceRecord> faces) {
  const auto nodes = static_cast<std::size_t>(dimension);
  const std::size_t of_node = 3 + width_of(quantities.at_nodes);
  std::sort(faces.begin(), faces.end(),
            [](const FaceRecord& a, const FaceRecord& b) { return a.integers[1] < b.integers[1]; });
  VtkSurface surface;
  surface.name = name;
  surface.dimension = dimension;
  for (const FaceRecord& face : faces) {
    surface.point_ids.insert(surface.point_ids.end(), face.integers + before_nodes,
                             face.integers + before_nodes + nodes);
  }
  auto& ids = surface.point_ids;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<const real*> at_point(ids.size());
  for (const FaceRecord& face : faces) {
    surface.face_ids.push_back(face.integers[1]);
    surface.cell_ids.push_back(face.integers[2]);
    surface.ranks.push_back(static_cast<int>(face.integers[3]));
    for (std::size_t k = 0; k < nodes; ++k) {
      const auto place = std::lower_bound(ids.begin(), ids.end(), face.integers[before_nodes + k]) - ids.begin();
      surface.faces.push_back(static_cast<int>(place));
      at_point[place] = face.reals + of_node * k;
    }
  }
  for (const real* x : at_point) surface.points.push_back({x[0], x[1], x[2]});
  surface.point_data = filled(quantities.at_nodes, ids.size(), [&](std::size_t k) { return at_point[k] + 3; });
  surface.face_data =
      filled(quantities.at_faces, faces.size(), [&](std::size_t k) { return faces[k].reals + of_node * nodes; });
  return surface;
}

}  // namespace

std::vector<VtkSurface> gather_patches(const LocalMesh& mesh, const PatchQuantities& quantities) {
  const MeshPart& part = mesh.part();
  const auto d = static_cast<std::size_t>(part.dimension), width = before_nodes + d;
  const std::size_t reals_of_face = d * (3 + width_of(quantities.at_nodes)) + width_of(quantities.at_faces);
  std::vector<std::int64_t> integers;
  std::vector<real> reals;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!b.is_owned) continue;
    integers.insert(integers.end(), {b.patch, part.face_numbering.global_id[b.face],
                                     part.cell_numbering.global_id[b.cell], mesh.comm().rank()});
    for (const auto& [n, point] : outward_corners(part, b)) {
      integers.push_back(part.point_id(point));
      reals.insert(reals.end(), {part.points[point].x, part.points[point].y, part.points[point].z});
      append(reals, quantities.at_nodes, n);
    }
    append(reals, quantities.at_faces, i);
  }
  const std::vector<std::int64_t> all_integers = mesh.comm().gather_on_root(integers);
  const std::vector<real> all_reals = mesh.comm().gather_on_root(reals);
  std::vector<VtkSurface> surfaces;
  if (!mesh.comm().is_root()) return surfaces;
  std::vector<std::vector<FaceRecord>> faces(part.patches.size());
  for (std::size_t i = 0; i < all_integers.size() / width; ++i) {
    faces[all_integers[i * width]].push_back({&all_integers[i * width], &all_reals[i * reals_of_face]});
  }
  for (std::size_t p = 0; p < faces.size(); ++p) {
    surfaces.push_back(surface_of(part.patches[p], part.dimension, quantities, std::move(faces[p])));
    surfaces.back().patch = static_cast<int>(p);
  }
  return surfaces;
}

void write_patches(const OutputFolder& folder, const std::string& name, const LocalMesh& mesh,
                   const PatchQuantities& quantities, const std::optional<std::vector<int>>& patches) {
  std::vector<VtkSurface> surfaces = gather_patches(mesh, quantities);
  if (patches) {
    std::erase_if(surfaces, [&](const VtkSurface& surface) {
      return std::find(patches->begin(), patches->end(), surface.patch) == patches->end();
    });
  }
  mesh.comm().guard([&] {
    if (mesh.comm().is_root()) write_vtk_surfaces(folder, name, surfaces);
  });
}

void FieldSink::open(const OutputFolder& folder) {
  folder_ = folder;
  const OutputFolder inside = folder_.in(where_.folder);
  if (where_.format == FieldFormat::vtkhdf) {
    series_ = std::make_unique<VtkHdfSeries>(mesh_.comm(), inside, where_.name);
  } else {
    series_ = std::make_unique<VtkSeries>(mesh_.comm(), inside, where_.name);
  }
}

void FieldSink::write(int step, real time, const std::vector<Quantity>& quantities) {
  std::vector<VtkArray> at_points, in_cells;
  PatchQuantities on_patches;
  for (const auto& [info, takes_a_solve, evaluate, at_places] : quantities) {
    const std::vector<real> values = to_host(evaluate());
    if (info.at == ValuesAt::boundary_faces) {
      on_patches.at_faces.push_back({info.name, info.components, values});
    } else if (info.at == ValuesAt::cells) {
      in_cells.push_back({info.name, info.components, chosen(values, shown_.cells, info.components)});
    } else {
      at_points.push_back({info.name, info.components, chosen(values, shown_.nodes, info.components)});
      if (info.on_patches) on_patches.at_nodes.push_back({info.name, info.components, values});
    }
  }
  series_->write(step, time, shown_.piece, at_points, in_cells);
  if (where_.folder.empty()) write_patches(folder_, "patches", mesh_, on_patches);
}

std::vector<std::string> FieldSink::write_without_solves(int step, real time) {
  std::vector<Quantity> chosen = quantities_;
  std::vector<std::string> left_out = remove_solves(chosen);
  write(step, time, chosen);
  return left_out;
}

}  // namespace solenoid
