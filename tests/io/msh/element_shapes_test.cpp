/// Elements divided into simplices: the parts fill the element, and neighbours divide the face between them alike.
#include "io/msh/element_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>

#include "base/vec3.hpp"

namespace solenoid {
namespace {

using Ids = std::vector<std::int64_t>;

/// Six times the volume of the tetrahedron, with its sign.
real volume(std::span<const Vec3> points, std::span<const std::int64_t> nodes) {
  const auto x = [&](std::size_t k) { return points[static_cast<std::size_t>(nodes[k])]; };
  return dot(cross(x(1) - x(0), x(2) - x(0)), x(3) - x(0));
}

struct Solid {
  ElementShape shape;
  int parts;
  real volume;  ///< times six
  std::vector<Vec3> corners;
};

const std::vector<Vec3> cube{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

TEST(ElementShapes, PartsFillTheSolidInAnyNumbering) {
  const Solid solids[]{{ElementShape::tetrahedron, 1, 1, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                       {ElementShape::hexahedron, 6, 6, cube},
                       {ElementShape::prism, 3, 3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
                       {ElementShape::pyramid, 2, 2, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 0.6, 1}}}};
  for (const Solid& solid : solids) {
    Ids corners(solid.corners.size());
    std::iota(corners.begin(), corners.end(), 0);
    std::mt19937 random(7);
    for (int k = 0; k < 500; ++k) {
      std::shuffle(corners.begin(), corners.end(), random);
      std::vector<Vec3> points(corners.size());
      for (std::size_t c = 0; c < corners.size(); ++c) {
        points[static_cast<std::size_t>(corners[c])] = solid.corners[c];
      }
      Ids nodes;
      append_simplices(solid.shape, corners, nodes);
      ASSERT_EQ(std::ssize(nodes), 4 * solid.parts);
      real sum = 0;
      for (std::size_t part = 0; part < nodes.size(); part += 4) {
        const real of_part = volume(points, std::span(nodes).subspan(part, 4));
        EXPECT_GT(of_part, 1e-3);
        sum += of_part;
      }
      EXPECT_NEAR(sum, solid.volume, 1e-14);
    }
  }
}

TEST(ElementShapes, QuadranglesAreCutAtTheLowestNumber) {
  Ids nodes;
  append_simplices(ElementShape::quadrangle, Ids{7, 4, 9, 5}, nodes);
  EXPECT_EQ(nodes, (Ids{4, 9, 5, 4, 5, 7}));
}

/// Cubes, some cut in two prisms along diagonals from the lowest numbers, some in six pyramids, numbered at random.
class Blocks {
 public:
  Blocks(int n, unsigned seed) : n_(n), random_(seed), number_((n + 1) * (n + 1) * (n + 1) + n * n * n) {
    std::iota(number_.begin(), number_.end(), 0);
    std::shuffle(number_.begin(), number_.end(), random_);
    points.resize(number_.size());
    for (int c = 0; c < n * n * n; ++c) add_cube({c % n, c / n % n, c / (n * n)}, (n + 1) * (n + 1) * (n + 1) + c);
  }

  std::vector<Vec3> points;
  Ids tetrahedra;
  std::map<ElementShape, int> count;

 private:
  void add_cube(std::array<int, 3> at, int centre) {
    Ids corners;
    for (const Vec3& offset : cube) {
      const std::array<int, 3> place{at[0] + int(offset.x), at[1] + int(offset.y), at[2] + int(offset.z)};
      corners.push_back(number_[place[0] + (n_ + 1) * (place[1] + (n_ + 1) * place[2])]);
      points[corners.back()] = {real(place[0]), real(place[1]), real(place[2])};
    }
    const auto pick = [&](std::initializer_list<int> places) {
      Ids picked;
      for (const int k : places) picked.push_back(corners[k]);
      return picked;
    };
    const auto lowest = [&](int first) {
      return std::min_element(&corners[first], &corners[first] + 4) - &corners[first];
    };
    const int choice = std::uniform_int_distribution<int>(0, 2)(random_);
    if (choice == 1 && lowest(0) % 2 == 0 && lowest(4) % 2 == 0) {
      add(ElementShape::prism, pick({0, 1, 2, 4, 5, 6}));
      add(ElementShape::prism, pick({0, 2, 3, 4, 6, 7}));
    } else if (choice == 2) {
      const int apex = number_[centre];
      points[apex] = {at[0] + real(0.5), at[1] + real(0.4), at[2] + real(0.7)};
      for (const auto& face : {pick({0, 1, 2, 3}), pick({4, 7, 6, 5}), pick({0, 4, 5, 1}), pick({1, 5, 6, 2}),
                               pick({2, 6, 7, 3}), pick({3, 7, 4, 0})}) {
        Ids pyramid = face;
        pyramid.push_back(apex);
        add(ElementShape::pyramid, pyramid);
      }
    } else {
      add(ElementShape::hexahedron, corners);
    }
  }
  void add(ElementShape shape, const Ids& corners) {
    ++count[shape];
    append_simplices(shape, corners, tetrahedra);
  }

  int n_;
  std::mt19937 random_;
  std::vector<int> number_;
};

TEST(ElementShapes, MixedMeshesConformToTheLastFace) {
  constexpr int n = 6;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Blocks blocks(n, seed);
    for (const ElementShape shape : {ElementShape::hexahedron, ElementShape::prism, ElementShape::pyramid}) {
      EXPECT_GT(blocks.count.at(shape), 5);
    }
    std::map<std::array<std::int64_t, 3>, int> cells_at;  // faces
    real sum = 0;
    for (std::size_t c = 0; c < blocks.tetrahedra.size(); c += 4) {
      const std::span<const std::int64_t> nodes = std::span(blocks.tetrahedra).subspan(c, 4);
      const real of_cell = volume(blocks.points, nodes);
      EXPECT_GT(of_cell, 0);
      sum += of_cell / 6;
      for (std::size_t out = 0; out < 4; ++out) {
        std::array<std::int64_t, 3> face;
        for (std::size_t k = 0; k < 3; ++k) face[k] = nodes[(out + 1 + k) % 4];
        std::sort(face.begin(), face.end());
        ++cells_at[face];
      }
    }
    EXPECT_NEAR(sum, n * n * n, 1e-12 * n * n * n);
    int outside = 0;
    for (const auto& [face, cells] : cells_at) {
      EXPECT_LE(cells, 2);
      outside += cells == 1;
    }
    EXPECT_EQ(outside, 12 * n * n);
  }
}

}  // namespace
}  // namespace solenoid
