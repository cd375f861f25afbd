#include "physics/friction_ratio.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/interpolation.hpp"
#include "physics/rayleigh_ritz.hpp"

namespace solenoid {

namespace {

/// A direction with what both forms make of it: A = R K C and B = L H L.
struct Direction {
  Field<Edge> s, a, b;
  explicit Direction(const LocalMesh& mesh) : s(mesh), a(mesh), b(mesh) {}
};

struct Pencil {
  const LocalMesh& mesh;
  RebuiltMomentum& friction;
  const Field<Edge>& inverse_mass;
  const Field<Edge>& is_free;
  Field<Face> flux, along;
  Field<Cell, Vec3> cells;
  Field<Edge> vorticity;

  void curl_curl(Field<Edge>& s, Field<Edge>& result) {
    flux = mesh.C * halo(s);
    apply_face_mass(halo(flux), cells, along);
    result = mesh.R * halo(along);
  }
  void apply(Direction& d) {
    d.s = is_free * d.s;
    curl_curl(d.s, vorticity);
    friction.find(halo(flux), {.viscosity = 1, .at_rest = true}, along);
    d.a = is_free * (mesh.R * halo(along));
    vorticity = inverse_mass * vorticity;
    curl_curl(vorticity, d.b);
    d.b = is_free * d.b;
  }
};

}  // namespace

real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            const Field<Edge>& inverse_mass, int iterations) {
  std::vector<real> marks(mesh.owned<Edge>(), 1), start;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.velocity(b.patch) && !boundaries.is_without_vorticity(b.patch)) continue;
    for (const int e : edges_of_face(mesh.part(), b.face)) {
      if (e < mesh.owned<Edge>()) marks[e] = 0;
    }
  }
  for (int e = 0; e < mesh.owned<Edge>(); ++e) {
    std::mt19937_64 random(static_cast<std::uint64_t>(mesh.numbering<Edge>().global_id[e]));
    start.push_back(static_cast<real>(random() >> 11) / static_cast<real>(std::uint64_t{1} << 53) - real{0.5});
  }
  const Field<Edge> is_free(mesh, marks);
  Pencil pencil{mesh,
                friction,
                inverse_mass,
                is_free,
                Field<Face>(mesh),
                Field<Face>(mesh),
                Field<Cell, Vec3>(mesh),
                Field<Edge>(mesh)};
  Direction x(mesh), w(mesh), p(mesh);
  x.s.from_host(start);
  pencil.apply(x);
  constexpr int between_looks = 20;
  constexpr real settled = 1.01;  // by what it grows from look to look
  real ratio = 0, at_last_look = 0;
  int directions = 2;
  for (int k = 0; k < iterations; ++k) {
    const real xbx = dot(x.s, x.b);
    if (!(xbx > 0)) break;  // no direction is free
    const real found = dot(x.s, x.a) / xbx;
    ratio = std::max(ratio, found);
    if (k % between_looks == 0 && ratio < settled * std::exchange(at_last_look, ratio)) break;
    w.s = inverse_mass * (x.a - found * x.b);
    pencil.apply(w);
    const std::array<Direction*, 3> basis{&x, &w, &p};
    Products A{}, B{};
    for (int i = 0; i < directions; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[i][j] = dot(basis[i]->s, basis[j]->a);
        B[i][j] = dot(basis[i]->s, basis[j]->b);
      }
    }
    auto combination = largest_combination(A, B, directions);
    if (!combination) combination = largest_combination(A, B, 2);  // the third is a combination of the others
    if (!combination) break;
    const auto [cx, cw, cp] = *combination;
    p.s = cw * w.s + cp * p.s, p.a = cw * w.a + cp * p.a, p.b = cw * w.b + cp * p.b;
    x.s = cx * x.s + p.s, x.a = cx * x.a + p.a, x.b = cx * x.b + p.b;
    directions = 3;
  }
  return ratio;
}

}  // namespace solenoid
