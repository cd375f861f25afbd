#include "solve/hiptmair_xu.hpp"

#include <array>

#include "field/assign.hpp"
#include "operators/edge_ends.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/multigrid/spectrum.hpp"
#include "solve/prescribed_nodes.hpp"
#include "solve/row_pass.hpp"
#include "solve/scaled_rows.hpp"

namespace solenoid {

namespace {

/// result = x + step D^-1 (r - A x).
struct SmoothEdges {
  View<Edge, const real> r, x, inverse;
  View<Edge> result;
  real step;
  SOLENOID_HD void operator()(Index<Edge> e, real product) const {
    result[e] = x[e] + step * inverse[e] * (r[e] - product);
  }
};

/// result = r - A x.
struct EdgeResidual {
  View<Edge, const real> r;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> e, real product) const { result[e] = r[e] - product; }
};

using Component = real Vec3::*;

struct TakeComponent {
  View<Node, const Vec3> vectors;
  Component component;
  SOLENOID_HD real operator()(Index<Node> n) const { return vectors[n].*component; }
};

struct PutComponent {
  View<Node, const real> values;
  View<Node, Vec3> vectors;
  Component component;
  SOLENOID_HD void operator()(int n) const { vectors[Index<Node>{n}].*component = values[Index<Node>{n}]; }
};

/// Prescribed where a prescribed edge ends, on every rank alike. Collective.
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

/// For D^-1 A, which has the eigenvalues of S A S. Collective.
ChebyshevSteps smoothing_steps(const Space<Edge>& space, const MatrixRows& rows, Field<Edge>& scale) {
  const double highest = largest_eigenvalue(space, rows, scale);
  return chebyshev_steps(highest / 8, highest);
}

}  // namespace

struct HiptmairXu::Parts {
  const SparseMatrix<Edge>& matrix;
  EdgeEnds ends;
  Space<Node> node_space;
  LinearSystem<Node> nodes;
  Field<Edge> inverse;  // D^-1, 0 where prescribed
  ChebyshevSteps steps;
  Field<Edge> x, y;
  Field<Node, Vec3> vectors;
  Field<Node> component, corrected;

  Parts(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& its_matrix, Field<Edge> scale)
      : matrix(its_matrix),
        ends(space.mesh()),
        node_space(space.mesh(), ends_of_prescribed(space)),
        nodes(node_space, p1_stiffness(space.mesh()), PreconditionerKind::multigrid),
        inverse(space.mesh()),
        steps(smoothing_steps(space, rows, scale)),
        x(space.mesh()),
        y(space.mesh()),
        vectors(space.mesh()),
        component(space.mesh()),
        corrected(space.mesh()) {
    inverse = scale * scale;
  }

  void smooth(const Field<Edge>& r, Field<Edge>& from, real step, Field<Edge>& to) {
    over_rows(matrix, from,
              SmoothEdges{r.view(), std::as_const(from).view(), std::as_const(inverse).view(), to.view(), step});
  }

  /// z += B r, 0 where prescribed, for nodes there have no vector.
  void correct_by_nodes(Field<Edge>& r, Field<Edge>& z) {
    vectors = ends.transposed_integrals(halo(r));
    for (const Component k : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      component = expression::make<Node>(TakeComponent{std::as_const(vectors).view(), k});
      nodes.precondition(component, corrected);
      forall(vectors.owned(), PutComponent{std::as_const(corrected).view(), vectors.view(), k});
    }
    z = z + ends.line_integrals(halo(vectors));
  }
};

HiptmairXu::HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix) {
  require(space.groups() == 0,
          [&] { return message("{} groups of edges are tied: nodes do not see them", space.groups()); });
  parts_ = std::make_unique<Parts>(space, rows, matrix, Field<Edge>(space.mesh(), scales(space, rows, true)));
}
HiptmairXu::~HiptmairXu() = default;
HiptmairXu::HiptmairXu(HiptmairXu&&) noexcept = default;

void HiptmairXu::operator()(Field<Edge>& r, Field<Edge>& z) const {
  Parts& m = *parts_;
  const real large = m.steps.large, small = m.steps.small;
  m.y = small * (m.inverse * r);
  m.smooth(r, m.y, large, m.x);
  over_rows(m.matrix, m.x, EdgeResidual{std::as_const(r).view(), m.y.view()});
  m.correct_by_nodes(m.y, m.x);
  m.smooth(r, m.x, large, m.y);
  m.smooth(r, m.y, small, z);
}

const MultigridShape& HiptmairXu::shape() const { return *parts_->nodes.shape(); }

double HiptmairXu::bytes_stored() const {
  const Parts& m = *parts_;
  constexpr double on_edges = 3, on_nodes = 5;  // inverse, x, y; vectors, component, corrected
  return static_cast<double>(m.ends.bytes() + m.nodes.bytes()) +
         sizeof(real) * (on_edges * m.x.total() + on_nodes * m.component.total());
}

double HiptmairXu::bytes_per_call() const {
  const Parts& m = *parts_;
  constexpr double on_edges = 3 + 4 + 3 + 1 + 2 + 4 + 4;  // in the order of the steps
  constexpr double on_nodes =
      3 + 3 * ((3 + 1) + 3 + 3 + (1 + 3)) + 3;  // the vectors; taken, scaled twice, and put back
  return 4 * static_cast<double>(m.matrix.bytes()) + static_cast<double>(m.ends.bytes_of_formulas()) +
         3 * m.nodes.bytes_of_cycle() + sizeof(real) * (on_edges * m.x.owned() + on_nodes * m.component.owned());
}

}  // namespace solenoid
