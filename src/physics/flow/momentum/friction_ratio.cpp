#include "physics/flow/momentum/friction_ratio.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/random_numbers.hpp"
#include "field/assign.hpp"
#include "operators/boundary_circulation.hpp"
#include "parallel/backend.hpp"
#include "parallel/host_threads.hpp"
#include "physics/flow/momentum/rayleigh_ritz.hpp"

namespace solenoid {

namespace {

/// A direction and its images under both forms.
struct Direction {
  Field<Edge> s, a, b;
  explicit Direction(const LocalMesh& mesh) : s(mesh), a(mesh), b(mesh) {}
};

struct Pencil {
  const LocalMesh& mesh;
  RebuiltMomentum& friction;
  PotentialMomentumSystem& implicit;
  const Field<Edge>& is_free;
  Field<Face> flux, along;

  void apply(Direction& d) {
    d.s = is_free * d.s;
    flux = mesh.C * halo(d.s);
    friction.compute(halo(flux), {.viscosity = 1, .at_rest = true}, along);
    d.a = is_free * (mesh.R * halo(along));
    implicit.apply(0, 1, d.s, d.b);
    d.b = is_free * d.b;
  }
};

/// Products of three directions with A and with B: lower triangles, row by row. Collective.
std::pair<Products, Products> products(const Direction& x, const Direction& w, const Direction& p) {
  const View<Edge, const real> xs = x.s.view(), ws = w.s.view(), ps = p.s.view(), xa = x.a.view(), wa = w.a.view(),
                               pa = p.a.view(), xb = x.b.view(), wb = w.b.view(), pb = p.b.view();
  count_owned(x.s, x.a, x.b, w.s, w.a, w.b, p.s, p.a, p.b);
  const Sums<12> sums =
      totals(x.s.layout().comm(),
             reduce_sums<12>(
                 x.s.owned(), SOLENOID_KERNEL(int i) {
                   const Index<Edge> e{i};
                   const real s0 = xs[e], s1 = ws[e], s2 = ps[e];
                   return Sums<12>{{s0 * xa[e], s1 * xa[e], s1 * wa[e], s2 * xa[e], s2 * wa[e], s2 * pa[e], s0 * xb[e],
                                    s1 * xb[e], s1 * wb[e], s2 * xb[e], s2 * wb[e], s2 * pb[e]}};
                 }));
  Products A{}, B{};
  int next = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j, ++next) A[i][j] = sums[next], B[i][j] = sums[6 + next];
  }
  return {A, B};
}

/// c.M c from the lower triangle.
real quadratic(const Products& M, const std::array<real, 3>& c) {
  real sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) sum += (i == j ? 1 : 2) * c[i] * M[i][j] * c[j];
  }
  return sum;
}

/// Extrapolates a sequence that rises to a limit, as a geometric series.
class Limit {
 public:
  void add(real value) {
    constexpr real slow = 0.6;
    const real rise = last_ > 0 ? value - last_ : 0, share = rise_ > 0 ? rise / rise_ : 1;
    rise_ = rise;
    last_ = value;
    before_ = expected_;
    is_near_ = share <= slow;
    expected_ = value + (is_near_ ? share / (1 - share) : 1) * rise;
  }
  real expected() const { return expected_; }
  /// Whether rises fall fast enough for a series, and two extrapolations agree by this share.
  bool is_settled(real share) const { return is_near_ && std::abs(expected_ - before_) <= share * expected_; }

 private:
  real last_ = 0, rise_ = 0, expected_ = 0, before_ = 0;
  bool is_near_ = false;
};

/// Inverse of K_0's diagonal.
Field<Edge> inverted_diagonal(const LocalMesh& mesh, const PotentialMomentumSystem& implicit) {
  std::vector<real> values = implicit.friction_diagonal();
  for (real& value : values) value = value > 0 ? 1 / value : 0;
  return Field<Edge>(mesh, values);
}

}  // namespace

real largest_friction_ratio(const LocalMesh& mesh, const FlowBoundaries& boundaries, RebuiltMomentum& friction,
                            PotentialMomentumSystem& implicit, int iterations, real settled) {
  std::vector<real> marks(mesh.owned<Edge>(), 1), start(marks.size());
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.velocity(b.patch) && !boundaries.is_without_vorticity(b.patch)) continue;
    for (const int e : edges_of_face(mesh.part(), b.face)) {
      if (e < mesh.owned<Edge>()) marks[e] = 0;
    }
  }
  over_host_threads(mesh.owned<Edge>(), 4096, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      start[e] = RandomNumbers(mesh.numbering<Edge>().global_id[e]).next() - real{0.5};
    }
  });
  const Field<Edge> is_free(mesh, marks);
  Pencil pencil{mesh, friction, implicit, is_free, Field<Face>(mesh), Field<Face>(mesh)};
  const Field<Edge> preconditioner = inverted_diagonal(mesh, implicit);
  Direction x(mesh), w(mesh), p(mesh);
  x.s.from_host(start);
  pencil.apply(x);
  constexpr int between_looks = 10;
  real ratio = 0;
  Limit limit;
  auto [A, B] = products(x, w, p);
  std::array<real, 3> c{1, 0, 0};
  int directions = 1;
  for (int k = 0; k < iterations; ++k) {
    const real xbx = quadratic(B, c);
    if (!(xbx > 0)) break;  // no free edges
    const real found = quadratic(A, c) / xbx;
    ratio = std::max(ratio, found);
    if (k % between_looks == 0) {
      limit.add(ratio);
      if (limit.is_settled(settled)) break;
    }
    w.s = preconditioner * (x.a - found * x.b);
    pencil.apply(w);
    directions = std::min(directions + 1, 3);
    std::tie(A, B) = products(x, w, p);
    auto combination = largest_combination(A, B, directions);
    if (!combination) combination = largest_combination(A, B, 2);  // the third is a combination of the others
    if (!combination) break;
    c = *combination;
    const auto [cx, cw, cp] = c;
    p.s = cw * w.s + cp * p.s, p.a = cw * w.a + cp * p.a, p.b = cw * w.b + cp * p.b;
    x.s = cx * x.s + p.s, x.a = cx * x.a + p.a, x.b = cx * x.b + p.b;
  }
  return std::max(ratio, limit.expected());
}

}  // namespace solenoid
