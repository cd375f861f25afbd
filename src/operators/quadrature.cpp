#include "operators/quadrature.hpp"

namespace solenoid {

namespace {

constexpr real third = real{1} / 3, sixth = real{1} / 6;
constexpr real near = 0.21132486540518711775, far = 1 - near;     // (1 -+ 1/sqrt(3)) / 2
constexpr real low = 0.13819660112501051518, high = 1 - 3 * low;  // (5 - sqrt(5)) / 20
constexpr QuadraturePoint segment[] = {{0.5, {far, near}}, {0.5, {near, far}}};
constexpr QuadraturePoint triangle[] = {
    {third, {4 * sixth, sixth, sixth}}, {third, {sixth, 4 * sixth, sixth}}, {third, {sixth, sixth, 4 * sixth}}};
constexpr QuadraturePoint tetrahedron[] = {{0.25, {high, low, low, low}},
                                           {0.25, {low, high, low, low}},
                                           {0.25, {low, low, high, low}},
                                           {0.25, {low, low, low, high}}};

}  // namespace

std::span<const QuadraturePoint> quadrature(int corners) {
  if (corners == 2) return segment;
  if (corners == 3) return triangle;
  return tetrahedron;
}

}  // namespace solenoid
