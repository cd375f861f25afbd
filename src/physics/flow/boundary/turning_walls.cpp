#include "physics/flow/boundary/turning_walls.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

/// Faces of each patch: at cells of a zone, and all.
struct FacesAtZone {
  std::vector<std::int64_t> inside, all;
  explicit FacesAtZone(std::size_t patches) : inside(patches, 0), all(patches, 0) {}
  void add(int patch, bool is_inside) {
    inside[static_cast<std::size_t>(patch)] += is_inside;
    ++all[static_cast<std::size_t>(patch)];
  }
};

/// Of a wall that is in part in the zone.
std::string text_of_division(const FlowZone& zone) {
  return message(
      "is a wall in part in [zone.{}] and in part outside: make two groups of it, one of which turns, or tell its "
      "`velocity` with seen_from = \"rest\"",
      zone.name);
}

void turn_walls(const RotatingFrame& frame, const FacesAtZone& faces, std::vector<FlowBoundary>& of_patch) {
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    Wall* const wall = std::get_if<Wall>(&of_patch[p]);
    if (!wall || wall->is_told_from_rest || wall->turns || faces.inside[p] == 0 || faces.inside[p] < faces.all[p]) {
      continue;
    }
    wall->velocity = frame.carried(wall->velocity);
    wall->turns = true;
    wall->frame = frame;
  }
}

std::vector<char> marks_in(const FlowZone& zone, const GlobalMesh& mesh, const Geometry& geometry) {
  return cells_of(zone, {mesh.dimension, geometry.cell_centre, mesh.cell_region, mesh.regions});
}

FacesAtZone faces_at(const std::vector<char>& is_inside, const GlobalMesh& mesh) {
  FacesAtZone faces(mesh.patches.size());
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] >= 0) faces.add(mesh.face_patch[f], is_inside[mesh.face_cells[2 * f]] != 0);
  }
  return faces;
}

/// |Omega x r . n| over |Omega x r| at a face.
real share_through(const RotatingFrame& frame, const Geometry& geometry, int face) {
  const Vec3 velocity = frame.velocity(geometry.face_centre[face]);
  const real speed = norm(velocity);
  return speed > 0 ? std::abs(dot(velocity, geometry.face_normal[face])) / speed : 0;
}

/// |v . n| over |v| at a face, of the velocity that a wall is told to have.
real share_blown(const FlowBoundary& condition, const Geometry& geometry, int face) {
  const Wall* const wall = std::get_if<Wall>(&condition);
  if (!wall) return 0;
  const Vec3 velocity = wall->velocity.at(geometry.face_centre[face], 0);
  return norm(velocity) > 0 ? std::abs(dot(velocity, geometry.face_normal[face])) / norm(velocity) : 0;
}

constexpr real of_facets = 0.1;  // what flat faces of a surface of revolution may be off

/// Of a patch at the zone's cells; empty if there is none.
std::string fault_of_patch(const FlowBoundary& condition, const FlowZone& zone, bool is_whole, real through) {
  if (given_wall_law(condition)) return "has wall = \"log-law\", which is for walls outside of zones that turn";
  const Wall* const wall = std::get_if<Wall>(&condition);
  const bool is_plane = std::holds_alternative<Symmetry>(condition);
  if (!wall && !is_plane) {
    return "is an opening: a zone that turns has walls and planes of symmetry; let its shape end before it";
  }
  if (wall && !is_whole && !wall->is_told_from_rest) {
    return text_of_division(zone);
  }
  if ((is_plane || wall->is_told_from_rest) && through > of_facets) {
    return message(
        "{}, and is no surface of revolution about the axis: what does not turn has to leave the flow steady as the "
        "zone sees it; let the zone end before it{}",
        is_plane ? "is a plane of symmetry" : "is told with seen_from = \"rest\"",
        is_plane ? "" : ", or let the wall turn");
  }
  return "";
}

}  // namespace

std::vector<FlowBoundary> with_turning_walls(std::vector<FlowBoundary> of_patch, const std::vector<FlowZone>& zones,
                                             const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const ZoneCells cells{mesh.dimension(), mesh.geometry().cell_centre, part.cell_region, part.regions};
  for (const FlowZone& zone : zones) {
    if (!zone.rotating) continue;
    const std::vector<char> is_inside = cells_of(zone, cells);
    FacesAtZone faces(of_patch.size());
    for (const BoundaryFace& b : mesh.boundary()) {
      if (b.is_owned) faces.add(b.patch, is_inside[b.cell] != 0);
    }
    mesh.comm().sum(std::span(faces.inside));
    mesh.comm().sum(std::span(faces.all));
    for (std::size_t p = 0; p < of_patch.size(); ++p) {
      const Wall* const wall = std::get_if<Wall>(&of_patch[p]);
      const bool is_divided = faces.inside[p] > 0 && faces.inside[p] < faces.all[p];
      require_on_all_ranks(
          !wall || wall->is_told_from_rest || !is_divided,
          [&] { return message("the boundary \"{}\" {}", part.patches[p], text_of_division(zone)); },
          ExitCode::bad_input);
    }
    turn_walls(*zone.rotating, faces, of_patch);
  }
  return of_patch;
}

std::vector<FlowBoundary> with_turning_walls(std::vector<FlowBoundary> of_patch, const std::vector<FlowZone>& zones,
                                             const GlobalMesh& mesh, const Geometry& geometry) {
  for (const FlowZone& zone : zones) {
    if (zone.rotating) turn_walls(*zone.rotating, faces_at(marks_in(zone, mesh, geometry), mesh), of_patch);
  }
  return of_patch;
}

std::vector<std::string> faults_of_rotating_zones(const std::vector<FlowBoundary>& of_patch,
                                                  const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                                  const Geometry& geometry, const std::string& file) {
  constexpr real round_off = 1e-6;
  std::vector<std::string> faults;
  std::vector<const FlowZone*> before(static_cast<std::size_t>(mesh.cells()), nullptr);
  for (const FlowZone& zone : zones) {
    if (!zone.rotating) continue;
    const auto add = [&](const std::string& text) {
      faults.push_back(message("{}: [zone.{}]: `rotating`: {}", file, zone.name, text));
    };
    const RotatingFrame& frame = *zone.rotating;
    if (mesh.dimension == 2 && (frame.rate.x != 0 || frame.rate.y != 0)) {
      add("the mesh has triangles: a flow in the plane turns about z alone");
      continue;
    }
    for (const PeriodicPair& pair : mesh.pairs) {
      if (norm(cross(frame.rate, pair.translation)) <= round_off * norm(frame.rate) * norm(pair.translation)) continue;
      add(message("the periodic pair \"{}\", \"{}\" is not along its axis", pair.first, pair.second));
    }
    const std::vector<char> is_inside = marks_in(zone, mesh, geometry);
    const FlowZone* other = nullptr;
    for (std::size_t c = 0; c < is_inside.size(); ++c) {
      if (!is_inside[c]) continue;
      if (before[c]) other = before[c];
      before[c] = &zone;
    }
    if (other) add(message("cells of it are in [zone.{}], too, which turns by itself", other->name));
    const FacesAtZone faces = faces_at(is_inside, mesh);
    std::vector<real> through(mesh.patches.size(), 0), blown(mesh.patches.size(), 0);
    for (int f = 0; f < mesh.faces(); ++f) {
      const int p = mesh.face_patch[f];
      if (p < 0 || !is_inside[mesh.face_cells[2 * f]]) continue;
      through[p] = std::max(through[p], share_through(frame, geometry, f));
      blown[p] = std::max(blown[p], share_blown(of_patch[p], geometry, f));
    }
    for (std::size_t p = 0; p < of_patch.size(); ++p) {
      if (faces.inside[p] == 0) continue;
      const std::string fault = fault_of_patch(of_patch[p], zone, faces.inside[p] == faces.all[p], through[p]);
      if (!fault.empty()) add(message("the boundary \"{}\" {}", mesh.patches[p], fault));
      if (blown[p] > of_facets) {
        add(message("the wall \"{}\" has a `velocity` that is not along it, as the zone sees it", mesh.patches[p]));
      }
    }
  }
  return faults;
}

std::string text_of_rotating_zone(const std::vector<FlowBoundary>& of_patch, const FlowZone& zone,
                                  const GlobalMesh& mesh, const Geometry& geometry) {
  const std::vector<char> is_inside = marks_in(zone, mesh, geometry);
  const FacesAtZone faces = faces_at(is_inside, mesh);
  std::vector<std::string> turning;
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    const Wall* const wall = std::get_if<Wall>(&of_patch[p]);
    const bool is_whole = faces.inside[p] > 0 && faces.inside[p] == faces.all[p];
    if (wall && !wall->is_told_from_rest && is_whole) turning.push_back("`" + mesh.patches[p] + "`");
  }
  real through = 0, fastest = 0;
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> cells = mesh.face_cells_of(f);
    if (cells[0] < 0 || cells[1] < 0 || is_inside[cells[0]] == is_inside[cells[1]]) continue;
    const Vec3 velocity = zone.rotating->velocity(geometry.face_centre[f]);
    through = std::max(through, std::abs(dot(velocity, geometry.face_normal[f])));
    fastest = std::max(fastest, norm(velocity));
  }
  const real share = fastest > 0 ? through / fastest : 0;
  constexpr real round_off = 1e-6;
  return message("{}; {}", turning.empty() ? "no walls turn with it" : "with it turn " + joined(turning, ", "),
                 share > round_off ? message("its surface is one of revolution up to normals off by {:.2g}", share)
                                   : "its surface is one of revolution");
}

std::vector<const RotatingFrame*> frames_of_cells(const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                                  const Geometry& geometry) {
  std::vector<const RotatingFrame*> frames(static_cast<std::size_t>(mesh.cells()), nullptr);
  for (const FlowZone& zone : zones) {
    if (!zone.rotating) continue;
    const std::vector<char> is_inside = marks_in(zone, mesh, geometry);
    for (std::size_t c = 0; c < frames.size(); ++c) {
      if (is_inside[c]) frames[c] = &*zone.rotating;
    }
  }
  return frames;
}

}  // namespace solenoid
