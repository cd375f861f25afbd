#include "physics/flux_momentum.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

/// M (alpha + nu C W^-1 R M).
struct FluxOperator {
  const SparseMatrix<Face>& mass;
  const LocalMesh& mesh;
  const Field<Edge>& inverse_mass;
  real alpha, nu;
  Field<Face>& product;
  Field<Edge>& vorticity;

  const SparseMatrix<Face>& last() const { return mass; }
  Field<Face>& inner(Field<Face>& flux) const {
    multiply(mass, flux, product);
    vorticity = inverse_mass * (mesh.R * halo(product));
    product = alpha * flux + nu * (mesh.C * halo(vorticity));
    return product;
  }
};

/// alpha M + nu J^T K J.
struct FaceAverageOperator {
  const SparseMatrix<Face>& mass;
  FaceAverageFriction& friction;
  real alpha, nu;

  void operator()(Field<Face>& flux, Field<Face>& image) const {
    friction.apply(halo(flux), image);
    image = nu * image + alpha * (mass * halo(flux));
  }
};

/// Diagonal of M C W^-1 R M: sum_n (R M)_nf^2 / W_n. `mass`: rows of M, of owned faces.
std::vector<real> diagonal_of_friction(const LocalMesh& mesh, const MatrixRows& mass, Field<Edge>& inverse_mass) {
  halo(inverse_mass);
  const std::vector<real> inverse = inverse_mass.all_to_host();
  const MeshPart& part = mesh.part();
  std::vector<real> diagonal(mass.rows(), 0);
  std::vector<std::pair<int, real>> around;  // nodes, and what circulates there
  for (int f = 0; f < mass.rows(); ++f) {
    around.clear();
    for (int k = mass.offset[f]; k < mass.offset[f + 1]; ++k) {
      real sign = -1;  // U = s_b - s_a
      for (const int n : part.face_nodes_of(mass.column[k])) {
        auto found = std::find_if(around.begin(), around.end(), [n](const auto& known) { return known.first == n; });
        if (found == around.end()) found = around.insert(around.end(), {n, 0});
        found->second += sign * mass.value[k];
        sign = 1;
      }
    }
    for (const auto& [n, circulation] : around) diagonal[f] += circulation * circulation * inverse[n];
  }
  return diagonal;
}

}  // namespace

struct FluxMomentum::Parts {
  const Space<Face>& unknowns;
  const LocalMesh& mesh;
  const Field<Edge>& inverse_mass;
  FaceAverageFriction* friction;
  SparseMatrix<Face> mass;
  Field<Face> mass_diagonal, friction_diagonal;  // restricted to unknowns
  Field<Face> product;
  Field<Edge> vorticity;
  OperatorSolver<Face> solver;
  PastSolutions<Face> past;

  /// M U and the friction of U at unknowns.
  void apply_parts(Field<Face>& flux, std::span<Field<Face>> images) {
    images[0] = mass * halo(flux);
    if (friction) {
      friction->apply(halo(flux), images[1]);
    } else {
      vorticity = inverse_mass * (mesh.R * halo(images[0]));
      product = mesh.C * halo(vorticity);
      images[1] = mass * halo(product);
    }
    for (Field<Face>& image : images) unknowns.restrict_to_unknowns(image);
  }
};

FluxMomentum::FluxMomentum(const Space<Face>& unknowns, const MatrixRows& mass, Field<Edge>& inverse_mass,
                           FaceAverageFriction* friction) {
  const LocalMesh& mesh = unknowns.mesh();
  const std::vector<real> diagonal = friction ? friction->diagonal() : diagonal_of_friction(mesh, mass, inverse_mass);
  parts_ = std::unique_ptr<Parts>(new Parts{unknowns, mesh, inverse_mass, friction, SparseMatrix<Face>(mass),
                                            Field<Face>(mesh, mass.diagonal()), Field<Face>(mesh, diagonal),
                                            Field<Face>(mesh), Field<Edge>(mesh), OperatorSolver<Face>(unknowns),
                                            PastSolutions<Face>(unknowns, 2)});
  unknowns.set_prescribed(parts_->mass_diagonal, 1);
  unknowns.set_prescribed(parts_->friction_diagonal, 1);
}
FluxMomentum::~FluxMomentum() = default;

const SparseMatrix<Face>& FluxMomentum::mass() const { return parts_->mass; }

SolveReport FluxMomentum::solve(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                                const SolveControl& control) {
  Parts& m = *parts_;
  const auto diagonal = alpha * m.mass_diagonal + viscosity * m.friction_diagonal;
  if (m.friction) {
    return m.solver.solve(FaceAverageOperator{m.mass, *m.friction, alpha, viscosity}, diagonal, b, flux, control);
  }
  const FluxOperator momentum{m.mass, m.mesh, m.inverse_mass, alpha, viscosity, m.product, m.vorticity};
  return m.solver.solve(momentum, diagonal, b, flux, control);
}

SolveReport FluxMomentum::solve_from_past(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                                          const SolveControl& control) {
  Parts& m = *parts_;
  const Stopwatch watch;
  m.past.guess(std::array{alpha, viscosity}, b, flux);
  SolveReport report = solve(alpha, viscosity, b, flux, control);
  m.past.keep(flux, [&](Field<Face>& kept, std::span<Field<Face>> images) { m.apply_parts(kept, images); });
  report.seconds = watch.seconds();
  return report;
}

void FluxMomentum::reserve() { parts_->past.reserve(); }

void FluxMomentum::visit_state(StateVisitor& visitor) { visitor.past("flux_changes", parts_->past); }

void FluxMomentum::state_restored() {
  Parts& m = *parts_;
  m.past.renew_images([&](Field<Face>& kept, std::span<Field<Face>> images) { m.apply_parts(kept, images); });
}

}  // namespace solenoid
