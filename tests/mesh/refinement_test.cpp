/// Refinement of distributed meshes: the same on any partition, conforming, of bounded shapes, periodic and beside
/// solids.
#include "mesh/refinement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>

#include "base/vec3.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "mesh/quality.hpp"
#include "mesh/submesh.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/refined.hpp"

namespace solenoid::test {
namespace {

std::string side_of_periodic_cube(const Vec3& x) {
  if (x.z < 1e-9) return "floor";
  return x.z > 1 - 1e-9 ? "ceiling" : side_of_square(x);
}

MeshSource torus(MeshSource source) {
  source = with_patches(source, source.dimension == 2 ? side_of_square : side_of_periodic_cube);
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  return source;
}

bool near_the_middle(const Vec3& x) {
  return std::abs(x.x - 0.5) < 0.3 && std::abs(x.y - 0.5) < 0.2 && (x.z == 0 || std::abs(x.z - 0.5) < 0.3);
}

std::vector<MeshSource> kinds() {
  return {unit_square(5, 0.3),
          square_with_hole(6),
          torus(unit_square(5, 0.3)),
          unit_cube(3, 0.2),
          five_in_a_cube(3),
          torus(unit_cube(4, 0.2)),
          with_solid(unit_cube(3, 0.1), near_the_middle, "block")};
}

/// Global ids of a row of local entities.
std::vector<std::int64_t> ids_of(std::span<const int> row, const LocalNumbering& numbering) {
  std::vector<std::int64_t> ids;
  for (const int i : row) ids.push_back(numbering.global_id[i]);
  return ids;
}

/// The positions of points in bits, and their turns.
std::vector<real> places_of(std::span<const int> row, const MeshPart& part) {
  std::vector<real> numbers;
  for (const int p : row) {
    const Vec3& x = part.points[p];
    numbers.insert(numbers.end(), {x.x, x.y, x.z});
    for (int k = 0; k < static_cast<int>(part.pairs.size()); ++k) numbers.push_back(part.turns(p, k));
  }
  return numbers;
}

/// Compares a rank's part with the whole mesh in a part of one rank, whose local numbers are the global ones.
void expect_part_of(const MeshPart& whole, const MeshPart& part, const std::string& name) {
  SCOPED_TRACE(name);
  const LocalNumbering &nodes = part.node_numbering, &edges = part.edge_numbering, &faces = part.face_numbering,
                       &cells = part.cell_numbering;
  EXPECT_EQ(nodes.global_count, whole.nodes());
  EXPECT_EQ(edges.global_count, whole.edges());
  EXPECT_EQ(faces.global_count, whole.faces());
  EXPECT_EQ(cells.global_count, whole.cells());
  int differences = 0;
  const auto expect_same = [&](const auto& found, const auto& wanted) { differences += found != wanted; };
  const auto as_ids = [](std::span<const int> row) { return std::vector<std::int64_t>(row.begin(), row.end()); };
  for (int c = 0; c < part.cells(); ++c) {
    const auto id = static_cast<int>(cells.global_id[c]);
    expect_same(ids_of(part.cell_nodes_of(c), nodes), as_ids(whole.cell_nodes_of(id)));
    expect_same(ids_of(part.cell_faces_of(c), faces), as_ids(whole.cell_faces_of(id)));
    expect_same(places_of(part.cell_points_of(c), part), places_of(whole.cell_points_of(id), whole));
    expect_same(part.cell_region[c], whole.cell_region[id]);
  }
  for (int f = 0; f < part.faces(); ++f) {
    const auto id = static_cast<int>(faces.global_id[f]);
    expect_same(ids_of(part.face_nodes_of(f), nodes), as_ids(whole.face_nodes_of(id)));
    expect_same(places_of(part.face_points_of(f), part), places_of(whole.face_points_of(id), whole));
    expect_same(part.face_patch[f], whole.face_patch[id]);
    if (!part.pairs.empty()) expect_same(part.face_pair[f], whole.face_pair[id]);
    if (part.dimension == 3) expect_same(ids_of(part.face_edges_of(f), edges), as_ids(whole.face_edges_of(id)));
  }
  for (int e = 0; part.dimension == 3 && e < part.edges(); ++e) {
    expect_same(ids_of(part.edge_nodes_of(e), nodes),
                as_ids(whole.edge_nodes_of(static_cast<int>(edges.global_id[e]))));
  }
  std::map<std::int64_t, Vec3> copies;
  for (int p = whole.nodes(); p < static_cast<int>(whole.points.size()); ++p)
    copies[whole.point_id(p)] = whole.points[p];
  for (int p = 0; p < static_cast<int>(part.points.size()); ++p) {
    const bool is_node = p < part.nodes();
    const auto id = part.point_id(p);
    expect_same(is_node || copies.contains(id), true);
    expect_same(norm(part.points[p] - (is_node ? whole.points[id] : copies[id])), real{0});
    if (!is_node) continue;
    expect_same(part.node_cell_count[p], whole.node_cell_count[id]);
    if (part.dimension == 2) expect_same(part.node_boundary_loop[p], whole.node_boundary_loop[id]);
  }
  EXPECT_EQ(differences, 0);
}

class RefinementOn : public testing::TestWithParam<int> {
 protected:
  const Partitioner& partition() const { return all_partitioners()[GetParam()].partition; }
};

TEST_P(RefinementOn, IsTheSameOnAnyPartition) {
  const Comm comm;
  for (const MeshSource& source : kinds()) {
    for (const int times : {1, 2}) {
      const MeshPart whole = refined_part(alone(), source, times);
      for (const int layers : {1, 2}) {
        const MeshPart part = refined_part(comm, source, times, layers, partition());
        expect_part_of(whole, part, message("{} {} times, {} layers", source.name, times, layers));
        EXPECT_EQ(comm.sum(std::int64_t{part.node_numbering.owned}), whole.nodes());
        EXPECT_EQ(comm.sum(std::int64_t{part.face_numbering.owned}), whole.faces());
        const MeshPart fewer = part_with_fewer_layers(part, 1);
        const LocalMesh mesh(comm, fewer);  // requires all cells around its nodes, and cells beside their faces
        EXPECT_EQ(mesh.global_count<Cell>(), whole.cells());
      }
    }
  }
}

TEST_P(RefinementOn, LayersAreWholeAroundTheOwnedCells) {
  const Comm comm;
  for (const MeshSource& source : {unit_square(7), unit_cube(4, 0.2)}) {
    const MeshPart part = refined_part(comm, source, 1, 2, partition());
    std::vector<int> found(part.nodes(), 0), is_near(part.nodes(), 0);
    for (const int n : part.cell_nodes) ++found[n];
    for (int c = 0; c < part.cell_numbering.owned; ++c) {
      for (const int n : part.cell_nodes_of(c)) is_near[n] = 1;
    }
    std::vector<int> within = is_near;
    for (int c = 0; c < part.cells(); ++c) {
      const std::span<const int> nodes = part.cell_nodes_of(c);
      if (std::none_of(nodes.begin(), nodes.end(), [&](int n) { return is_near[n]; })) continue;
      for (const int n : nodes) within[n] = 1;
    }
    for (int n = 0; n < part.nodes(); ++n) EXPECT_TRUE(!within[n] || found[n] == part.node_cell_count[n]);
  }
}

TEST_P(RefinementOn, ACurlHasNoDivergenceAndConstantsAreInterpolated) {
  const Comm comm;
  for (const MeshSource& source : {torus(unit_square(4, 0.3)), torus(unit_cube(4, 0.2))}) {
    const LocalMesh mesh(comm, refined_part(comm, source, 2, 1, partition()));
    const Vec3 u{0.7, -0.4, source.dimension == 3 ? real{0.3} : 0};
    Field<Face> flux = constant_flux(mesh, u);
    Field<Cell, Vec3> velocity(mesh);
    interpolate(halo(flux), velocity);
    for (const Vec3& there : velocity.to_host()) EXPECT_NEAR(norm(there - u), 0, 1e-12);
    const SparseMatrix<Node> stiffness(p1_stiffness(mesh));
    Field<Node> constant = sampled_field<Node>(mesh, [](const Vec3&) { return 1; }), product(mesh);
    product = stiffness * halo(constant);
    EXPECT_LT(max_magnitude(product), 1e-12);
  }
}

TEST_P(RefinementOn, FacesOfAPairPointFromTheFirstPatchToTheSecond) {
  const Comm comm;
  for (const MeshSource& source : {torus(unit_square(4, 0.3)), torus(unit_cube(4, 0.2))}) {
    const LocalMesh mesh(comm, refined_part(comm, source, 2, 1, partition()));
    const MeshPart& part = mesh.part();
    std::array<real, 2> through{0, 0};
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      const int pair = part.face_pair[f];
      if (pair == 0) continue;
      const Vec3 area = (pair > 0 ? 1 : -1) * mesh.geometry().face_area[f] * mesh.geometry().face_normal[f];
      through[std::abs(pair) - 1] += std::abs(pair) == 1 ? area.x : area.y;
      EXPECT_NEAR(std::abs(pair) == 1 ? mesh.geometry().face_centre[f].x : mesh.geometry().face_centre[f].y, 0, 1e-12);
    }
    comm.sum(std::span<real>(through));
    EXPECT_NEAR(through[0], 1, 1e-12);
    EXPECT_NEAR(through[1], 1, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, RefinementOn, testing::Range(0, 4), [](const auto& test) {
  std::string name = all_partitioners()[test.param].name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(Refinement, NumbersEntitiesInTheOrderInWhichCellsMeetThem) {
  for (const MeshSource& source : kinds()) {
    const MeshPart part = refined_part(alone(), source, 2);
    int nodes = 0, faces = 0;
    for (int c = 0; c < part.cells(); ++c) {
      for (const int n : part.cell_nodes_of(c)) {
        EXPECT_LE(n, nodes);
        nodes += n == nodes;
      }
      for (const int f : part.cell_faces_of(c)) {
        EXPECT_LE(f, faces);
        faces += f == faces;
      }
    }
    EXPECT_EQ(nodes, part.nodes());
    EXPECT_EQ(faces, part.faces());
  }
}

/// By group, the volumes of cells or the areas of faces.
std::map<int, real> sums_of(const std::vector<int>& group, const std::vector<real>& values) {
  std::map<int, real> sums;
  for (std::size_t i = 0; i < group.size(); ++i) sums[group[i]] += group[i] < 0 ? 0 : values[i];
  return sums;
}

TEST(Refinement, ConformsAndKeepsVolumesAreasAndCounts) {
  for (const MeshSource& source : kinds()) {
    SCOPED_TRACE(source.name);
    const MeshPart before = refined_part(alone(), source, 0), after = refined_part(alone(), source, 2);
    const int d = source.dimension, cells = d == 2 ? 16 : 64, sides = d == 2 ? 4 : 16;
    EXPECT_EQ(after.cells(), cells * before.cells());
    std::vector<int> beside(after.faces(), 0);
    for (const int f : after.cell_faces) ++beside[f];
    std::map<int, int> faces_before, faces_after;
    for (const int patch : before.face_patch) ++faces_before[patch];
    for (int f = 0; f < after.faces(); ++f) {
      EXPECT_EQ(beside[f], after.face_patch[f] < 0 ? 2 : 1);
      ++faces_after[after.face_patch[f]];
    }
    for (const auto& [patch, count] : faces_before) EXPECT_TRUE(patch < 0 || faces_after[patch] == sides * count);
    // The Euler characteristic is that of the mesh before.
    const auto euler = [d](const MeshPart& mesh) {
      return d == 2 ? mesh.nodes() - mesh.faces() + mesh.cells()
                    : mesh.nodes() - mesh.edges() + mesh.faces() - mesh.cells();
    };
    EXPECT_EQ(euler(after), euler(before));
    const Geometry old(before), now(after);
    for (const real volume : now.cell_volume) EXPECT_GT(volume, 0);
    const auto volumes = sums_of(before.cell_region, old.cell_volume),
               refined = sums_of(after.cell_region, now.cell_volume);
    for (const auto& [region, volume] : volumes) EXPECT_NEAR(refined.at(region), volume, 1e-12 * volume);
    const auto areas = sums_of(before.face_patch, old.face_area), of_refined = sums_of(after.face_patch, now.face_area);
    for (const auto& [patch, area] : areas) EXPECT_NEAR(of_refined.at(patch), area, 1e-12 * (area + 1));
  }
}

TEST(Refinement, OfTheFluidIsTheFluidOfTheRefinedMesh) {
  const Comm comm;
  const MeshSource source = with_solid(torus(unit_cube(4, 0.1)), near_the_middle, "block");
  std::optional<GlobalMesh> whole, fluid;
  std::vector<int> owner, in_fluid;
  if (comm.is_root()) {
    whole = build_topology(source);
    owner = partition_cells(*whole, comm.size());
    RemainingMesh rest = without_regions("case.toml", *whole, {"block"});
    fluid = std::move(rest.mesh);
    for (const int c : rest.cells) in_fluid.push_back(owner[c]);
  }
  const MeshPart all = distribute_refined(comm, whole, owner, 1, 2),
                 part = distribute_refined(comm, fluid, in_fluid, 2, 2);
  const std::vector<char> is_solid = cells_in(all, {"block"});
  int next = 0;
  for (int c = 0; c < all.cell_numbering.owned; ++c) {
    if (is_solid[c]) continue;
    const std::span<const int> here = part.cell_points_of(next), there = all.cell_points_of(c);
    for (std::size_t k = 0; k < here.size(); ++k) EXPECT_LT(norm(part.points[here[k]] - all.points[there[k]]), 1e-14);
    ++next;
  }
  EXPECT_EQ(next, part.cell_numbering.owned);
}

/// A tetrahedron of a random shape, and the worst shape of its parts against the equilateral, 1, after each refinement.
std::vector<real> worst_shapes(unsigned seed, int times) {
  MeshSource source = single_tetrahedron();
  std::mt19937 random(seed);
  const auto coordinate = [&] { return static_cast<real>(random()) / static_cast<real>(std::mt19937::max()); };
  for (Vec3& x : source.points) x = {coordinate(), coordinate(), coordinate()};
  std::vector<real> worst;
  for (int k = 0; k <= times; ++k) {
    const MeshPart part = refined_part(alone(), source, k);
    const Geometry geometry(part);
    real least = 1;
    for (int c = 0; c < part.cells(); ++c) {
      real squares = 0;  // of the edges
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
          const Vec3 side = part.points[part.cell_nodes_of(c)[i]] - part.points[part.cell_nodes_of(c)[j]];
          squares += dot(side, side) / 6;
        }
      }
      least = std::min(least, 6 * std::sqrt(real{2}) * geometry.cell_volume[c] / std::pow(squares, real{1.5}));
    }
    worst.push_back(least);
  }
  return worst;
}

TEST(Refinement, BoundsTheWorstShape) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::vector<real> worst = worst_shapes(seed, 4);
    for (const real shape : worst) EXPECT_GT(shape, 0.6 * worst[0]) << "seed " << seed;
    EXPECT_GT(worst[4], 0.999 * worst[3]) << "seed " << seed;
  }
}

TEST(Refinement, OfKuhnsTetrahedraMakesKuhnsTetrahedra) {
  const MeshPart once = refined_part(alone(), unit_cube(2), 2), direct = refined_part(alone(), unit_cube(8), 0);
  EXPECT_EQ(once.cells(), direct.cells());
  EXPECT_EQ(once.edges(), direct.edges());
  const Geometry geometry(once);
  real longest = 0;
  for (int e = 0; e < once.edges(); ++e) {
    longest = std::max(longest, norm(once.points[once.edge_nodes_of(e)[1]] - once.points[once.edge_nodes_of(e)[0]]));
  }
  EXPECT_NEAR(longest, std::sqrt(real{3}) / 8, 1e-14);
}

/// The mesh seen along other axes is divided along the same diagonals, also where diagonals are equally long.
TEST(Refinement, IsTheSameAlongOtherAxes) {
  const std::array<std::function<Vec3(const Vec3&)>, 3> views{[](const Vec3& x) {
                                                                return Vec3{-x.x, x.y, x.z};
                                                              },
                                                              [](const Vec3& x) {
                                                                return Vec3{-x.y, x.x, x.z};
                                                              },
                                                              [](const Vec3& x) {
                                                                return Vec3{x.y, x.z, x.x};
                                                              }};
  const auto centres = [](const MeshSource& source) {
    const MeshPart part = refined_part(alone(), source, 2);
    std::map<std::array<std::int64_t, 3>, int> found;
    for (const Vec3& x : Geometry(part).cell_centre) {
      ++found[{std::llround(x.x * 1e6), std::llround(x.y * 1e6), std::llround(x.z * 1e6)}];
    }
    return found;
  };
  for (const MeshSource& source : {unit_cube(3), five_in_a_cube(3), unit_cube(3, 0.2)}) {
    const auto wanted = centres(source);
    for (const auto& view : views) {
      std::map<std::array<std::int64_t, 3>, int> seen;
      for (const auto& [x, count] : wanted) {
        const Vec3 there = view({real(x[0]), real(x[1]), real(x[2])});
        seen[{std::llround(there.x), std::llround(there.y), std::llround(there.z)}] += count;
      }
      EXPECT_EQ(centres(moved(source, view)), seen);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
