#include "physics/flow/momentum/flux_momentum_system.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "field/assign.hpp"
#include "operators/face_matrices.hpp"
#include "physics/flow/momentum/flux_friction.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "solve/bring_in.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

/// alpha M.
template <class T>
struct MassOperator {
  const SparseMatrix<Face, Face, T>& mass;
  real alpha;
  Field<Face, T>& product;

  const SparseMatrix<Face, Face, T>& last() const { return mass; }
  Field<Face, T>& inner(Field<Face, T>& flux) const {
    product = alpha * flux;
    return product;
  }
};

/// M (alpha + nu C B R M).
template <class T>
struct FluxOperator {
  const SparseMatrix<Face, Face, T>& mass;
  const LocalMesh& mesh;
  const Field<Edge, T>& lumped_inverse_mass;
  real alpha, nu;
  Field<Face, T>& product;
  Field<Edge, T>& vorticity;

  const SparseMatrix<Face, Face, T>& last() const { return mass; }
  Field<Face, T>& inner(Field<Face, T>& flux) const {
    multiply(mass, flux, product);
    vorticity = lumped_inverse_mass * (mesh.R * halo(product));
    product = alpha * flux + nu * (mesh.C * halo(vorticity));
    return product;
  }
};

/// Sets the friction along the duals, per viscosity, up to the factor that it returns. Collective.
real compute_friction(const ImplicitFriction& friction, Field<Face>& flux, Field<Face>& along_duals) {
  if (friction.whole) {
    friction.whole->compute(halo(flux), {.viscosity = 1, .at_rest = true}, along_duals);
    return 1;
  }
  friction.differences.apply(halo(flux), along_duals);
  return friction.factor;
}

/// alpha M + nu K.
struct FluxMomentumWithFriction {
  const SparseMatrix<Face>& mass;
  const ImplicitFriction& friction;
  real alpha, nu;

  void operator()(Field<Face>& flux, Field<Face>& image) const {
    const real factor = nu * compute_friction(friction, flux, image);
    image = factor * image + alpha * (mass * halo(flux));
  }
};

/// M and K_0 in single precision.
struct FaceAverageInSingle {
  const SparseMatrix<Face, Face, float>& mass;
  FluxFrictionInSingle& friction;
  float factor;

  const SparseMatrix<Face, Face, float>& last() const { return mass; }
  Field<Face, float>& inner(Field<Face, float>& flux) const {
    friction.compute(halo(flux));
    return flux;
  }
  FluxFrictionInSingle::AtFace added() const { return friction.times(factor); }
};

/// Diagonal of M C B R M: sum_e (R M)_ef^2 B_e. `mass`: rows of M, of owned faces.
std::vector<real> diagonal_of_friction(const LocalMesh& mesh, const MatrixRows& mass,
                                       Field<Edge>& lumped_inverse_mass) {
  halo(lumped_inverse_mass);
  const std::vector<real> inverse = lumped_inverse_mass.all_to_host();
  const MeshPart& part = mesh.part();
  const bool is_planar = part.dimension == 2;
  constexpr real of_ends[3] = {-1, 1, 0}, of_edges[3] = {1, 1, -1};  // U = s_b - s_a, and U = s_ab + s_bc - s_ac
  std::vector<real> diagonal(mass.rows(), 0);
  std::vector<std::pair<int, real>> around;  // edges, and their circulation
  for (int f = 0; f < mass.rows(); ++f) {
    around.clear();
    for (int k = mass.offset[f]; k < mass.offset[f + 1]; ++k) {
      const int face = mass.column[k];
      const std::span<const int> edges = is_planar ? part.face_nodes_of(face) : part.face_edges_of(face);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const int e = edges[i];
        auto found = std::find_if(around.begin(), around.end(), [e](const auto& known) { return known.first == e; });
        if (found == around.end()) found = around.insert(around.end(), {e, 0});
        found->second += (is_planar ? of_ends : of_edges)[i] * mass.value[k];
      }
    }
    for (const auto& [e, circulation] : around) diagonal[f] += circulation * circulation * inverse[e];
  }
  return diagonal;
}

}  // namespace

/// M + t D^T (w/V) D for the last t: R M C, and with it K, is the same for both.
template <class T>
struct AugmentedMass {
  SparseMatrix<Face, Face, T> matrix;
  real part = 0;

  AugmentedMass(const SparseMatrix<Face>& mass, real factor) : matrix(mass, factor) {}
  void set(real to, const SparseMatrix<Face>& mass, const SparseMatrix<Face>& divergences, real factor) {
    if (std::exchange(part, to) != to) matrix.set_sum(factor, mass, factor * to, divergences);
  }
};

/// B in single precision, scaled to a largest value of 1, and work vectors.
struct CurlsInSingle {
  real of_inverse;  ///< the divisor
  Field<Edge, float> lumped_inverse_mass;
  Field<Face, float> product;
  Field<Edge, float> vorticity;

  CurlsInSingle(const LocalMesh& mesh, const Field<Edge>& exact)
      : of_inverse(max_magnitude(exact)), lumped_inverse_mass(mesh), product(mesh), vorticity(mesh) {
    lumped_inverse_mass = (1 / of_inverse) * exact;
  }
};

struct Divergences {
  SparseMatrix<Face> product;  ///< D^T (w/V) D
  AugmentedMass<real> mass;
  real largest;  ///< on its diagonal

  Divergences(const MatrixRows& rows, const SparseMatrix<Face>& bare, real largest_product)
      : product(rows, bare), mass(bare, 1), largest(largest_product) {}
};

struct FluxMomentumSystem::Parts {
  const Space<Face>& unknowns;
  const LocalMesh& mesh;
  const Field<Edge>* lumped_inverse_mass = nullptr;  // or
  const ImplicitFriction* friction = nullptr;
  SparseMatrix<Face> mass;
  std::optional<Divergences> divergences;
  real largest_mass;                             // on its diagonal
  Field<Face> mass_diagonal, friction_diagonal;  // restricted to unknowns
  Field<Face> product;
  std::optional<Field<Edge>> vorticity;  // with lumped_inverse_mass
  OperatorSolver<Face> solver;
  std::optional<AugmentedMass<float>> single_mass;  // over largest_mass
  std::optional<CurlsInSingle> single_curls;        // or
  std::optional<FluxFrictionInSingle> single_friction;
  SolutionHistory<Face> past;

  Parts(const Space<Face>& space, const MatrixRows& rows, const std::vector<real>& of_friction)
      : unknowns(space),
        mesh(space.mesh()),
        mass(rows),
        mass_diagonal(mesh, rows.diagonal()),
        friction_diagonal(mesh, of_friction),
        product(mesh),
        solver(space),
        past(space, 2, SolutionHistory<Face>::Images::all) {
    largest_mass = max_magnitude(mass_diagonal);
    unknowns.set_prescribed(mass_diagonal, 1);
    unknowns.set_prescribed(friction_diagonal, 1);
  }

  /// M U and the friction of U at unknowns.
  void apply_parts(Field<Face>& flux, std::span<Field<Face>> images) {
    images[0] = mass * halo(flux);
    if (friction) {
      const real factor = compute_friction(*friction, flux, images[1]);
      images[1] = factor * images[1];
      if (divergences) images[1] = images[1] + divergences->product * halo(flux);
    } else {
      *vorticity = *lumped_inverse_mass * (mesh.R * halo(images[0]));
      product = mesh.C * halo(*vorticity);
      images[1] = mass * halo(product) + divergences->product * halo(flux);
    }
    for (Field<Face>& image : images) unknowns.restrict_to_unknowns(image);
  }

  /// Whether a solve iterates in single precision; if so, allocates the memory for it. Collective.
  bool is_in_single_precision(const SolveControl& control, real part) {
    constexpr real most = 1e3;  // times the mass: beyond, round-off destroys the mass of divergence-free fluxes
    if (!divergences || (friction && friction->whole) || !carries_residual(control.tolerance)) return false;
    if (part * divergences->largest > most * largest_mass) return false;
    if (!single_mass) {
      single_mass.emplace(mass, 1 / largest_mass);
      if (friction) {
        single_friction.emplace(mesh, friction->differences);
      } else {
        single_curls.emplace(mesh, *lumped_inverse_mass);
      }
    }
    solver.reserve_single();
    return true;
  }

  void set_single_mass(real part) { single_mass->set(part, mass, divergences->product, 1 / largest_mass); }

  /// `image`: of the flux on entry, if known.
  SolveReport solve(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux, const SolveControl& control,
                    const Field<Face>* image) {
    const auto diagonal = alpha * mass_diagonal + viscosity * friction_diagonal;
    if (viscosity == 0) {
      return solver.solve(MassOperator<real>{mass, alpha, product}, diagonal, b, flux, control, image);
    }
    const real part = viscosity / alpha;
    if (divergences) divergences->mass.set(part, mass, divergences->product, 1);
    if (friction) {
      const FluxMomentumWithFriction momentum{divergences ? divergences->mass.matrix : mass, *friction, alpha,
                                              viscosity};
      if (!is_in_single_precision(control, part)) return solver.solve(momentum, diagonal, b, flux, control, image);
      set_single_mass(part);
      const FaceAverageInSingle over_scale{
          single_mass->matrix, *single_friction,
          static_cast<float>(part * friction->factor * single_friction->unit() / largest_mass)};
      return solver.solve_in_single(momentum, over_scale, alpha * largest_mass, diagonal, b, flux, control, image);
    }
    const FluxOperator<real> momentum{
        divergences->mass.matrix, mesh, *lumped_inverse_mass, alpha, viscosity, product, *vorticity};
    if (!is_in_single_precision(control, part)) return solver.solve(momentum, diagonal, b, flux, control, image);
    set_single_mass(part);
    CurlsInSingle& m = *single_curls;
    const real ratio = part * largest_mass * m.of_inverse;
    const FluxOperator<float> over_scale{single_mass->matrix, mesh,       m.lumped_inverse_mass, 1, ratio,
                                         m.product,           m.vorticity};
    return solver.solve_in_single(momentum, over_scale, alpha * largest_mass, diagonal, b, flux, control, image);
  }
};

void FluxMomentumSystem::make(const Space<Face>& unknowns, const MatrixRows& mass, std::vector<real> friction,
                              Field<Cell>& of_divergence) {
  const MatrixRows divergences = divergence_product(unknowns.mesh(), of_divergence);
  const std::vector<real> diagonal = divergences.diagonal();
  real largest = 0;
  for (std::size_t f = 0; f < friction.size(); ++f) {
    friction[f] += diagonal[f];
    largest = std::max(largest, diagonal[f]);
  }
  largest = unknowns.mesh().comm().max(largest);
  parts_.reset(new Parts(unknowns, mass, friction));
  parts_->divergences.emplace(divergences, parts_->mass, largest);
}
FluxMomentumSystem::FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass,
                                       Field<Edge>& lumped_inverse_mass, Field<Cell>& of_divergence) {
  make(unknowns, mass, diagonal_of_friction(unknowns.mesh(), mass, lumped_inverse_mass), of_divergence);
  parts_->lumped_inverse_mass = &lumped_inverse_mass;
  parts_->vorticity.emplace(unknowns.mesh());
}
FluxMomentumSystem::FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass,
                                       const ImplicitFriction& friction, Field<Cell>* of_divergence) {
  std::vector<real> diagonal = friction.differences.diagonal();
  for (real& value : diagonal) value *= friction.factor;
  if (of_divergence) {
    make(unknowns, mass, std::move(diagonal), *of_divergence);
  } else {
    parts_.reset(new Parts(unknowns, mass, diagonal));
  }
  parts_->friction = &friction;
}
FluxMomentumSystem::~FluxMomentumSystem() = default;

const SparseMatrix<Face>& FluxMomentumSystem::mass() const { return parts_->mass; }

SolveReport FluxMomentumSystem::solve(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                                      const SolveControl& control) {
  return parts_->solve(alpha, viscosity, b, flux, control, nullptr);
}

SolveReport FluxMomentumSystem::solve_from_past(real alpha, real viscosity, const Field<Face>& b, Field<Face>& flux,
                                                const SolveControl& control) {
  Parts& m = *parts_;
  const Stopwatch watch;
  const bool is_guessed = m.past.guess(std::array{alpha, viscosity}, b, flux, &m.product);
  SolveReport report = m.solve(alpha, viscosity, b, flux, control, is_guessed ? &m.product : nullptr);
  m.past.keep(flux, [&](Field<Face>& kept, std::span<Field<Face>> images) { m.apply_parts(kept, images); });
  report.seconds = watch.seconds();
  report.bytes = watch.bytes();
  return report;
}

void FluxMomentumSystem::reserve(const SolveControl& control) {
  parts_->past.reserve();
  parts_->is_in_single_precision(control, 0);
}

void FluxMomentumSystem::visit_state(StateVisitor& visitor) { visitor.past("flux_changes", parts_->past); }

void FluxMomentumSystem::friction_changed() {
  Parts& m = *parts_;
  m.past.renew_images([&](Field<Face>& kept, std::span<Field<Face>> images) { m.apply_parts(kept, images); });
}

void FluxMomentumSystem::state_restored() {
  bring_in(parts_->unknowns, parts_->past);
  friction_changed();
}

}  // namespace solenoid
