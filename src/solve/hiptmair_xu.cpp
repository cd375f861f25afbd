#include "solve/hiptmair_xu.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "field/assign.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/multigrid/spectrum.hpp"
#include "solve/prescribed_nodes.hpp"
#include "solve/row_pass.hpp"
#include "solve/scaled_rows.hpp"
#include "solve/solve_from_guess.hpp"

namespace solenoid {

namespace {

/// result = x + step D^-1 (r - A x).
struct SmoothEdges {
  View<Edge, const float> r, x, inverse;
  View<Edge, float> result;
  float step;
  SOLENOID_HD void operator()(Index<Edge> e, float product) const {
    result[e] = x[e] + step * inverse[e] * (r[e] - product);
  }
};

/// result = r - A x.
struct EdgeResidual {
  View<Edge, const float> r;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> e, float product) const { result[e] = r[e] - product; }
};

/// The power of two that scales the matrix's largest entry to between 1 and 2, the same on all ranks. Collective.
real scale_of(const Space<Edge>& space, const MatrixRows& rows) {
  real largest = 0;
  for (const real value : rows.value) largest = std::max(largest, std::abs(value));
  return unit_for(space.mesh().comm().max(largest));
}

/// Prescribed at the ends of prescribed edges, the same on every rank. Collective.
std::vector<int> ends_of_prescribed(const Space<Edge>& space) {
  const LocalMesh& mesh = space.mesh();
  std::vector<real> marks(mesh.owned<Node>(), 0);
  for (int e = 0; e < mesh.total<Edge>(); ++e) {
    if (space.role()[e] == Space<Edge>::free) continue;
    for (const int n : mesh.part().edge_nodes_of(e)) {
      if (n < mesh.owned<Node>()) marks[n] = 1;
    }
  }
  return prescribed_where<Node>(mesh, marks);
}

/// Chebyshev steps for D^-1 A, which has the eigenvalues of S A S, in their order before the nodes. Collective.
std::vector<float> smoothing_steps(const Space<Edge>& space, const MatrixRows& rows, Field<Edge>& scale,
                                   EdgeSmoothing smoothing) {
  const double highest = largest_eigenvalue(space, rows, scale), lowest = highest / 8;
  if (smoothing == EdgeSmoothing::one_step) return {static_cast<float>(2 / (lowest + highest))};
  const ChebyshevSteps two = chebyshev_steps(lowest, highest);
  return {two.small, two.large};
}

}  // namespace

/// The smoother works on scale A in single precision, as do all parts except the transfers to the nodes and back.
struct HiptmairXu::Parts {
  real scale;
  SparseMatrix<Edge, Edge, float> matrix;
  EdgeEnds ends;
  Space<Node> node_space;
  LinearSystem<Node> nodes;
  std::vector<float> steps;
  Field<Edge, float> inverse;  // (scale D)^-1, 0 where prescribed
  Field<Edge, float> given, x, y;
  Field<Edge> residual;
  Field<Node, Vec3> vectors, corrected;

  Parts(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& its_matrix, Field<Edge> scales,
        EdgeSmoothing smoothing, const std::vector<real>& weight)
      : scale(scale_of(space, rows)),
        matrix(its_matrix, scale),
        ends(space.mesh()),
        node_space(space.mesh(), ends_of_prescribed(space)),
        nodes(node_space, p1_stiffness(space.mesh(), weight), PreconditionerKind::multigrid),
        steps(smoothing_steps(space, rows, scales, smoothing)),
        inverse(space.mesh()),
        given(space.mesh()),
        x(space.mesh()),
        y(space.mesh()),
        residual(space.mesh()),
        vectors(space.mesh()),
        corrected(space.mesh()) {
    inverse = (1 / scale) * (scales * scales);
  }

  void smooth(const Field<Edge, float>& r, Field<Edge, float>& from, float step, Field<Edge, float>& to) {
    count_owned(r, inverse, to);
    over_rows(matrix, from,
              SmoothEdges{r.view(), std::as_const(from).view(), std::as_const(inverse).view(), to.view(), step});
  }

  /// z += scale^-1 B residual; 0 where prescribed, because nodes there have no vector.
  void correct_by_nodes(Field<Edge, float>& z) {
    vectors = ends.transposed_integrals(halo(residual));
    nodes.precondition(vectors, corrected);
    z = operand(z) + (1 / scale) * ends.line_integrals(halo(corrected));
  }

  /// z = approximately (scale A)^-1 r; r is neither x nor y, z is not x.
  void apply(const Field<Edge, float>& r, Field<Edge, float>& z) {
    x = steps[0] * (inverse * r);
    for (std::size_t k = 1; k < steps.size(); ++k) {
      smooth(r, x, steps[k], y);
      std::swap(x, y);
    }
    count_owned(r, residual);
    over_rows(matrix, x, EdgeResidual{r.view(), residual.view()});
    correct_by_nodes(x);
    for (std::size_t k = steps.size() - 1; k > 0; --k) {
      smooth(r, x, steps[k], y);
      std::swap(x, y);
    }
    smooth(r, x, steps[0], z);
  }
};

HiptmairXu::HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix,
                       EdgeSmoothing smoothing, const MemoryOf& scope)
    : HiptmairXu(space, rows, matrix, smoothing, std::vector<real>(space.mesh().total<Cell>(), 1), scope) {}

HiptmairXu::HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix,
                       EdgeSmoothing smoothing, const std::vector<real>& weight, const MemoryOf& /*scope*/) {
  require(space.groups() == 0,
          [&] { return message("{} groups of edges are tied: nodes do not see them", space.groups()); });
  parts_ = std::make_unique<Parts>(space, rows, matrix, Field<Edge>(space.mesh(), scales(space, rows, true)), smoothing,
                                   weight);
}
HiptmairXu::~HiptmairXu() = default;
HiptmairXu::HiptmairXu(HiptmairXu&&) noexcept = default;

void HiptmairXu::operator()(Field<Edge>& r, Field<Edge>& z) const {
  Parts& m = *parts_;
  m.given = operand(r);
  m.apply(m.given, m.y);
  z = m.scale * m.y;
}

real HiptmairXu::scale() const { return parts_->scale; }
const SparseMatrix<Edge, Edge, float>& HiptmairXu::scaled_matrix() const { return parts_->matrix; }
void HiptmairXu::apply_scaled(const Field<Edge, float>& r, Field<Edge, float>& z) const { parts_->apply(r, z); }

const MultigridShape& HiptmairXu::shape() const { return *parts_->nodes.shape(); }

double HiptmairXu::bytes_stored() const {
  const Parts& m = *parts_;
  constexpr double on_edges = 4, on_nodes = 6;  // inverse, given, x, y; vectors, corrected
  return static_cast<double>(m.ends.bytes() + m.nodes.bytes() + m.matrix.entries() * sizeof(float)) +
         (sizeof(float) * on_edges + sizeof(real)) * m.x.total() + sizeof(real) * on_nodes * m.vectors.total();
}

double HiptmairXu::bytes_per_call() const {
  const Parts& m = *parts_;
  const double steps = static_cast<double>(m.steps.size());
  const double on_edges = 3 + 4 * (steps - 1) + 2 + 2 + 4 * steps;  // in the order of the steps
  constexpr double in_double = 2 + 1 + 1;
  constexpr double on_nodes = 3 + 2 * (3 + 1 + 3) + 3;  // the vectors, scaled twice
  return 2 * steps * static_cast<double>(m.matrix.bytes()) + static_cast<double>(m.ends.bytes_of_formulas()) +
         m.nodes.bytes_of_cycle(3) + (sizeof(float) * on_edges + sizeof(real) * in_double) * m.x.owned() +
         sizeof(real) * on_nodes * m.vectors.owned();
}

}  // namespace solenoid
