/// Surfaces of cuts: without gaps, with the area of the section, exact for linear functions, and the same on any
/// partition.
#include "model/cut_surface.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "mesh/submesh.hpp"
#include "model/cross_section.hpp"
#include "support/mesh_kinds.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using OfPlace = std::function<real(const Vec3&)>;

std::vector<char> nothing(const LocalMesh& mesh) { return std::vector<char>(mesh.total<Cell>(), 0); }

std::vector<real> values_at_nodes(const LocalMesh& mesh, const OfPlace& of) {
  std::vector<real> values;
  for (int n = 0; n < mesh.total<Node>(); ++n) values.push_back(of(mesh.part().points[n]));
  return values;
}

std::vector<real> values_in_cells(const LocalMesh& mesh, const OfPlace& of) {
  std::vector<real> values;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) values.push_back(of(mesh.geometry().cell_centre[c]));
  return values;
}

CutSurface level_surface(const LocalMesh& mesh, const OfPlace& of, real value) {
  return {mesh, cut_at(mesh, values_at_nodes(mesh, of), value, nothing(mesh))};
}

/// A n of a polygon, of a segment with n on its right.
Vec3 area_of_polygon(const CutSurface& surface, int polygon) {
  const int begin = surface.begin()[polygon], end = surface.begin()[polygon + 1];
  const auto corner = [&](int k) { return surface.points()[surface.corners()[k]]; };
  if (end - begin == 2) return {corner(begin + 1).y - corner(begin).y, corner(begin).x - corner(begin + 1).x, 0};
  Vec3 area;
  for (int k = begin + 1; k + 1 < end; ++k) {
    area += cross(corner(k) - corner(begin), corner(k + 1) - corner(begin)) / 2;
  }
  return area;
}

int polygons_of(const CutSurface& surface) { return static_cast<int>(surface.cells().size()); }

real area_of_surface(const CutSurface& surface) {
  real area = 0;
  for (int p = 0; p < polygons_of(surface); ++p) area += norm(area_of_polygon(surface, p));
  return area;
}

/// The different edges; each is in as many polygons in one direction as in the other, but for those with both ends
/// where `is_open`. Of segments their ends in place of edges.
std::size_t count_closed_edges(const CutSurface& surface, const std::function<bool(const Vec3&)>& is_open) {
  std::map<std::pair<int, int>, std::array<int, 2>> edges;
  for (int p = 0; p < polygons_of(surface); ++p) {
    const int begin = surface.begin()[p], size = surface.begin()[p + 1] - begin;
    for (int k = 0; k < size; ++k) {
      const int a = surface.corners()[begin + k], b = size == 2 ? a : surface.corners()[begin + (k + 1) % size];
      ++edges[std::minmax(a, b)][size == 2 ? k : a < b];
    }
  }
  int gaps = 0;
  for (const auto& [ends, uses] : edges) {
    const bool is_at_end = is_open(surface.points()[ends.first]) && is_open(surface.points()[ends.second]);
    gaps += uses[0] != uses[1] && !is_at_end;
  }
  EXPECT_EQ(gaps, 0) << "of " << edges.size() << " edges";
  return edges.size();
}

bool nowhere(const Vec3&) { return false; }
bool is_on_boundary(const Vec3& x) {
  const auto is_at_end = [](real a) { return std::abs(a) < 1e-12 || std::abs(a - 1) < 1e-12; };
  return is_at_end(x.x) || is_at_end(x.y) || is_at_end(x.z);
}

std::vector<Plane> planes_through(int dimension) {
  std::vector<Plane> planes;
  for (const real x : {0.0, 0.1, 0.25, 0.5, 0.987, 1.0}) planes.push_back({{x, 0, 0}, {1, 0, 0}});
  for (const Vec3& along : {Vec3{1, 0.7, 0}, Vec3{1, -0.4, dimension == 2 ? real{0} : real{0.5}}}) {
    planes.push_back({{0.5, 0.5, dimension == 2 ? real{0} : real{0.5}}, along / norm(along)});
  }
  return planes;
}

TEST(CutSurface, OfAPlaneHasTheAreaOfTheSectionAndLinearFields) {
  const auto linear = [](const Vec3& x) { return 3 + 2 * x.x - x.y + x.z / 2; };
  for (const int d : {2, 3}) {
    for (const NamedMesh& kind : kinds_of_meshes(d, d == 2 ? 9 : 4)) {
      if (kind.depth < 1) continue;
      const auto mesh = make_mesh(Comm(), kind.mesh);
      const std::vector<real> at_nodes = values_at_nodes(*mesh, linear), in_cells = values_in_cells(*mesh, linear);
      for (const Plane& plane : planes_through(d)) {
        const std::string where = kind.name + " at " + text_of_place(plane.point);
        const std::vector<CutPiece> pieces = cut_by(*mesh, plane, nothing(*mesh));
        const CutSurface surface(*mesh, pieces);
        const real area = CrossSection(*mesh, plane, {}, {}, "").area();
        const std::vector<real> at_points = surface.at_points(at_nodes, 1), of_cells = surface.in_cells(in_cells, 1);
        EXPECT_NEAR(mesh->comm().sum(area_of_surface(surface)), 1 / plane.normal.x, 1e-12) << where;
        EXPECT_NEAR(mesh->comm().sum(area_of_surface(surface)), area, 1e-13) << where;
        const CutSurface level = level_surface(
            *mesh, [&](const Vec3& x) { return 5 + dot(plane.normal, x - plane.point); }, 5);
        EXPECT_EQ(level.cells(), surface.cells()) << where;
        EXPECT_EQ(level.corners(), surface.corners()) << where;
        if (!mesh->comm().is_root()) continue;
        for (std::size_t k = 0; k < surface.points().size(); ++k) {
          const Vec3& x = surface.points()[k];
          EXPECT_NEAR(dot(plane.normal, x - plane.point), 0, 1e-13) << where;
          EXPECT_NEAR(at_points[k], linear(x), 1e-13) << where;
          EXPECT_NEAR(norm(level.points()[k] - x), 0, 1e-11) << where;
        }
        for (int p = 0; p < polygons_of(surface); ++p) {
          EXPECT_GT(dot(area_of_polygon(surface, p), plane.normal), 0) << where;
        }
        EXPECT_EQ(of_cells.size(), surface.cells().size());
        count_closed_edges(
            surface, d == 3 ? is_on_boundary : [](const Vec3& x) {
              return is_on_boundary({x.x, x.y, 0.5});
            });
      }
    }
  }
}

/// Closed, with the characteristic of Euler of a sphere, and an error of second order.
TEST(CutSurface, OfADistanceBecomesTheSphere_Long) {
  for (const int d : {2, 3}) {
    const Vec3 middle{0.5, 0.5, d == 2 ? real{0} : real{0.5}};
    const auto radius = [&](const Vec3& x) { return norm(x - middle); };
    const real exact = d == 2 ? 2 * pi * real{0.31} : 4 * pi * real{0.31} * real{0.31};
    std::vector<real> errors;
    for (const int n : {8, 16, 32}) {
      const auto mesh = make_mesh(Comm(), d == 2 ? unit_square(n) : unit_cube(n));
      const CutSurface surface = level_surface(*mesh, radius, 0.31);
      errors.push_back(mesh->comm().sum(std::abs(area_of_surface(surface) - (mesh->comm().is_root() ? exact : 0))));
      const auto edges = static_cast<int>(count_closed_edges(surface, nowhere));
      if (!mesh->comm().is_root()) continue;
      const int points = static_cast<int>(surface.points().size());
      EXPECT_EQ(points - edges + (d == 2 ? 0 : polygons_of(surface)), d == 2 ? 0 : 2);
      for (int p = 0; p < polygons_of(surface); ++p) {
        const Vec3 x = surface.points()[surface.corners()[surface.begin()[p]]];
        EXPECT_GT(dot(area_of_polygon(surface, p), x - middle), 0);
      }
    }
    EXPECT_LT(errors[0], 0.05 * exact) << d << "D";
    EXPECT_GT(errors[0] / errors[2], 13) << d << "D: of 16";
  }
}

/// Of values many of which are the level's own, also on whole cells.
TEST(CutSurface, HasNoGapsWhereNodesHaveTheValue) {
  for (const MeshSource& source : {unit_square(8, 0.2), unit_cube(5, 0.2), five_in_a_cube(4)}) {
    const auto mesh = make_mesh(Comm(), source);
    std::vector<real> values;
    for (int n = 0; n < mesh->total<Node>(); ++n) {
      Vec3 x = mesh->part().points[n];
      if (mesh->dimension() == 2) x.z = 0.5;
      const real number = value_of(mesh->numbering<Node>().global_id[n], 4);
      values.push_back(is_on_boundary(x) || number < -0.3 ? 6 : number < 0.4 ? 7 : 9);
    }
    const CutSurface surface(*mesh, cut_at(*mesh, values, 7, nothing(*mesh)));
    const std::size_t edges = count_closed_edges(surface, nowhere);
    EXPECT_GT(mesh->comm().sum(static_cast<std::int64_t>(edges)), 20);
  }
}

TEST(CutSurface, IsEmptyWhereNoCellHasTheValue) {
  const auto mesh = make_mesh(Comm(), unit_cube(4));
  for (const auto& [of, value] : {std::pair<OfPlace, real>([](const Vec3& x) { return x.x; }, 1.5),
                                  std::pair<OfPlace, real>([](const Vec3& x) { return std::abs(x.x - 0.5); }, 0),
                                  std::pair<OfPlace, real>([](const Vec3&) { return 2; }, 2)}) {
    const CutSurface surface = level_surface(*mesh, of, value);
    EXPECT_EQ(surface.points().size(), 0u);
    EXPECT_EQ(surface.cells().size(), 0u);
    EXPECT_EQ(surface.begin(), std::vector<int>{0});
    EXPECT_EQ(surface.at_points(values_at_nodes(*mesh, of), 1).size(), 0u);
  }
}

TEST(CutSurface, LeavesSolidsOut) {
  const auto is_upper = [](const Vec3& x) { return x.y > 0.5; };
  const auto mesh = make_mesh(Comm(), with_solid(unit_cube(4), is_upper, "plate"));
  const std::vector<char> is_solid = cells_in(mesh->part(), {"plate"});
  const auto along = [](const Vec3& x) { return x.x; };
  const CutSurface plane(*mesh, cut_by(*mesh, {{0.4, 0, 0}, {1, 0, 0}}, is_solid)),
      level(*mesh, cut_at(*mesh, values_at_nodes(*mesh, along), 0.4, is_solid)),
      between(*mesh, cut_by(*mesh, {{0, 0.5, 0}, {0, -1, 0}}, is_solid));
  EXPECT_NEAR(mesh->comm().sum(area_of_surface(plane)), 0.5, round_off);
  EXPECT_NEAR(mesh->comm().sum(area_of_surface(level)), 0.5, round_off);
  EXPECT_NEAR(mesh->comm().sum(area_of_surface(between)), 1, round_off);
  for (const Vec3& x : plane.points()) EXPECT_LE(x.y, 0.5 + round_off);
}

struct Gathered {
  std::vector<real> reals;
  std::vector<int> corners, begin;
  std::vector<std::int64_t> cells;
  bool operator==(const Gathered&) const = default;
};

std::vector<Gathered> all_surfaces(const LocalMesh& mesh) {
  auto nodes = scattered_field<Node>(mesh, 1);
  auto cells = scattered_field<Cell>(mesh, 2);
  halo(nodes), halo(cells);
  const std::vector<real> at_nodes = nodes.all_to_host(), in_cells = cells.all_to_host();
  std::vector<CutSurface> surfaces{{mesh, cut_at(mesh, at_nodes, 0.1, nothing(mesh))},
                                   level_surface(
                                       mesh, [](const Vec3& x) { return norm(x); }, 0.75)};
  for (const Plane& plane : planes_through(mesh.dimension())) {
    surfaces.emplace_back(mesh, cut_by(mesh, plane, nothing(mesh)));
  }
  std::vector<Gathered> all;
  for (const CutSurface& surface : surfaces) {
    Gathered& to =
        all.emplace_back(Gathered{surface.at_points(at_nodes, 1), surface.corners(), surface.begin(), surface.cells()});
    const std::vector<real> of_cells = surface.in_cells(in_cells, 1);
    to.reals.insert(to.reals.end(), of_cells.begin(), of_cells.end());
    for (const Vec3& x : surface.points()) to.reals.insert(to.reals.end(), {x.x, x.y, x.z});
  }
  return all;
}

TEST(CutSurface, HasTheSameBitsOnAnyPartition) {
  for (const MeshSource& source : {unit_square(9, 0.3), unit_cube(4, 0.2), unit_cube(4)}) {
    const std::vector<Gathered> expected = all_surfaces(*make_mesh(alone(), source));
    for (const NamedPartitioner& p : all_partitioners()) {
      const std::vector<Gathered> found = all_surfaces(*make_mesh(Comm(), source, p.partition));
      if (!Comm().is_root()) continue;
      EXPECT_EQ(found, expected) << p.name;
    }
  }
}

}  // namespace
}  // namespace solenoid::test
