#include "physics/flow/momentum/flux_momentum_system.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "field/assign.hpp"
#include "operators/finite_volumes.hpp"
#include "parallel/device_scalars.hpp"
#include "physics/flow/momentum/flux_friction.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

/// alpha M.
struct MassOperator {
  const SparseMatrix<Face>& mass;
  Scalar<> alpha;
  Field<Face>& product;

  const SparseMatrix<Face>& last() const { return mass; }
  Field<Face>& inner(Field<Face>& flux) const {
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
  Scalar<> alpha, nu;
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
  Scalar<> alpha, nu;

  void operator()(Field<Face>& flux, Field<Face>& image) const {
    const Scalar<> factor = compute_friction(friction, flux, image) * nu;
    image = factor * image + alpha * (mass * halo(flux));
  }
  bool only_launches() const { return !friction.whole; }
};

/// One of these, and nu times the drag of zones.
template <class Momentum>
struct WithDrag {
  Momentum momentum;
  FluxDrag& drag;
  Scalar<> nu;

  void operator()(Field<Face>& flux, Field<Face>& image) const {
    if constexpr (FactoredOperator<Momentum, Face>) {
      image = momentum.last() * halo(momentum.inner(flux));
    } else {
      momentum(flux, image);
    }
    drag.add(nu, flux, image);
  }
  bool only_launches() const { return solenoid::only_launches<Face>(momentum); }
};

/// M and K_0 in single precision.
struct FaceAverageInSingle {
  const SparseMatrix<Face, Face, float>& mass;
  FluxFrictionInSingle& friction;
  Scalar<> factor;

  const SparseMatrix<Face, Face, float>& last() const { return mass; }
  Field<Face, float>& inner(Field<Face, float>& flux) const {
    friction.compute(halo(flux));
    return flux;
  }
  FluxFrictionInSingle::AtFace added() const { return friction.times(factor); }
};

/// Diagonal of M C B R M: sum_e (R M)_ef^2 B_e. `mass`: rows of M, of owned faces.
std::vector<real> diagonal_of_curls(const LocalMesh& mesh, const MatrixRows& mass, Field<Edge>& lumped_inverse_mass) {
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

/// Sets owned faces to the larger of both cells' factors times a value.
void scale_by_largest(const Field<Cell>& factors, const Field<Face>& values, Field<Face>& scaled) {
  const auto factor = factors.view();
  const auto value = values.view();
  const auto cells = factors.mesh().G.view();
  const auto result = scaled.view();
  forall(
      scaled.owned(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real largest = 0;
        for (const auto [c, sign, slot] : cells[f]) largest = factor[c] > largest ? factor[c] : largest;
        result[f] = largest * value[f];
      });
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
  Field<Edge>* lumped_inverse_mass;  // or
  const ImplicitFriction* friction;
  FluxDrag* drag;
  SparseMatrix<Face> mass;
  Field<Face> mass_diagonal, friction_diagonal;  // restricted to unknowns
  real largest_mass;                             // on its diagonal
  std::optional<Divergences> divergences;
  Field<Face>& product;
  std::optional<Field<Face>> differences_diagonal;  // of K_0, where the viscosity varies
  std::optional<Field<Face>> drag_diagonal;         // restricted to unknowns
  std::optional<Field<Edge>> vorticity;             // with lumped_inverse_mass
  OperatorSolver<Face> solver;
  DeviceScalars<3> weights;                         // alpha, nu, and the factor of friction in single precision
  std::optional<AugmentedMass<float>> single_mass;  // over largest_mass
  std::optional<CurlsInSingle> single_curls;        // or
  std::optional<FluxFrictionInSingle> single_friction;

  Parts(const Space<Face>& space, const MatrixRows& rows, Field<Edge>* of_curls, const ImplicitFriction* of_fluxes,
        Field<Cell>* of_divergence, FluxDrag* of_zones, Field<Face>& between)
      : unknowns(space),
        mesh(space.mesh()),
        lumped_inverse_mass(of_curls),
        friction(of_fluxes),
        drag(of_zones),
        mass(rows),
        mass_diagonal(mesh, rows.diagonal()),
        friction_diagonal(mesh, friction ? friction->differences.diagonal() : diagonal_of_curls(mesh, rows, *of_curls)),
        largest_mass(max_magnitude(mass_diagonal)),
        product(between),
        solver(space) {
    if (friction) {
      friction_diagonal = friction->factor * friction_diagonal;
    } else {
      vorticity.emplace(mesh);
    }
    if (of_divergence) add_divergences(*of_divergence);
    unknowns.set_prescribed(mass_diagonal, 1);
    unknowns.set_prescribed(friction_diagonal, 1);
    if (drag) drag_diagonal.emplace(mesh);
  }

  void drag_changed() {
    drag->renew();
    drag->compute_diagonal(*drag_diagonal);
    unknowns.set_prescribed(*drag_diagonal, 0);
  }

  void add_divergences(Field<Cell>& of_divergence) {
    const MatrixRows of_cells = divergence_product(mesh, of_divergence);
    const Field<Face> diagonal(mesh, of_cells.diagonal());
    friction_diagonal = friction_diagonal + diagonal;
    divergences.emplace(of_cells, mass, max_magnitude(diagonal));
  }

  /// The diagonal is that of K_0 times the larger viscosity beside the face.
  void set_viscosity(const Field<Cell>& relative, Field<Cell>& of_divergence) {
    if (!differences_diagonal) differences_diagonal.emplace(mesh, friction->differences.diagonal());
    scale_by_largest(relative, *differences_diagonal, friction_diagonal);
    add_divergences(of_divergence);
    unknowns.set_prescribed(friction_diagonal, 1);
  }

  /// Whether a solve iterates in single precision; if so, allocates the memory for it. Collective.
  bool is_in_single_precision(const SolveControl& control, real part) {
    constexpr real most = 1e3;  // times the mass: beyond, round-off destroys the mass of divergence-free fluxes
    if (drag || !divergences || (friction && friction->whole) || !carries_residual(control.tolerance)) return false;
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
};

FluxMomentumSystem::FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass,
                                       Field<Edge>& lumped_inverse_mass, Field<Cell>& of_divergence, FluxDrag* drag,
                                       const MemoryOf& /*scope*/)
    : TwoPartSystem(unknowns, "flux_changes"),
      parts_(new Parts(unknowns, mass, &lumped_inverse_mass, nullptr, &of_divergence, drag, between_)) {}
FluxMomentumSystem::FluxMomentumSystem(const Space<Face>& unknowns, const MatrixRows& mass,
                                       const ImplicitFriction& friction, Field<Cell>* of_divergence, FluxDrag* drag,
                                       const MemoryOf& /*scope*/)
    : TwoPartSystem(unknowns, "flux_changes"),
      parts_(new Parts(unknowns, mass, nullptr, &friction, of_divergence, drag, between_)) {}
FluxMomentumSystem::~FluxMomentumSystem() = default;

void FluxMomentumSystem::set_viscosity(const Field<Cell>& relative, Field<Cell>& of_divergence) {
  parts_->set_viscosity(relative, of_divergence);
}

void FluxMomentumSystem::friction_changed() {
  if (parts_->drag) parts_->drag_changed();
  TwoPartSystem::friction_changed();
}

const SparseMatrix<Face>& FluxMomentumSystem::mass() const { return parts_->mass; }

void FluxMomentumSystem::reserve(const SolveControl& control) {
  TwoPartSystem::reserve();
  parts_->is_in_single_precision(control, 0);
}

/// M U and K U.
void FluxMomentumSystem::apply_parts(Field<Face>& flux, std::span<Field<Face>> images) {
  Parts& m = *parts_;
  images[0] = m.mass * halo(flux);
  if (m.friction) {
    const real factor = compute_friction(*m.friction, flux, images[1]);
    images[1] = factor * images[1];
    if (m.divergences) images[1] = images[1] + m.divergences->product * halo(flux);
  } else {
    *m.vorticity = *m.lumped_inverse_mass * (m.mesh.R * halo(images[0]));
    m.product = m.mesh.C * halo(*m.vorticity);
    images[1] = m.mass * halo(m.product) + m.divergences->product * halo(flux);
  }
  if (m.drag) m.drag->add(1, flux, images[1]);
  for (Field<Face>& image : images) m.unknowns.restrict_to_unknowns(image);
}

SolveReport FluxMomentumSystem::solve_from(Field<Face>& flux, const Field<Face>* image, real alpha, real viscosity,
                                           const Field<Face>& b, const SolveControl& control) {
  Parts& m = *parts_;
  const auto diagonal = alpha * m.mass_diagonal + viscosity * m.friction_diagonal;
  const real part = viscosity / alpha;
  const bool is_single = viscosity > 0 && m.is_in_single_precision(control, part);
  real in_single = part;
  if (is_single && m.friction) in_single *= m.friction->factor * m.single_friction->unit() / m.largest_mass;
  if (is_single && !m.friction) in_single *= m.largest_mass * m.single_curls->of_inverse;
  m.weights.set({alpha, viscosity, in_single});
  const Scalar<> of_mass = m.weights[0], of_friction = m.weights[1], of_single = m.weights[2];
  if (viscosity == 0) {
    return m.solver.solve(MassOperator{m.mass, of_mass, m.product}, diagonal, b, flux, control, image);
  }
  if (m.divergences) m.divergences->mass.set(part, m.mass, m.divergences->product, 1);
  const SparseMatrix<Face>& mass = m.divergences ? m.divergences->mass.matrix : m.mass;
  const auto solve_with = [&](const auto& momentum, const auto& single) {
    if (m.drag) {
      return m.solver.solve(WithDrag<std::remove_cvref_t<decltype(momentum)>>{momentum, *m.drag, of_friction},
                            diagonal + viscosity * *m.drag_diagonal, b, flux, control, image);
    }
    if (!is_single) return m.solver.solve(momentum, diagonal, b, flux, control, image);
    m.single_mass->set(part, m.mass, m.divergences->product, 1 / m.largest_mass);
    return m.solver.solve_in_single(momentum, single(), alpha * m.largest_mass, diagonal, b, flux, control, image);
  };
  if (m.friction) {
    return solve_with(FluxMomentumWithFriction{mass, *m.friction, of_mass, of_friction}, [&] {
      return FaceAverageInSingle{m.single_mass->matrix, *m.single_friction, of_single};
    });
  }
  return solve_with(
      FluxOperator<real>{mass, m.mesh, *m.lumped_inverse_mass, of_mass, of_friction, m.product, *m.vorticity}, [&] {
        CurlsInSingle& curls = *m.single_curls;
        return FluxOperator<float>{m.single_mass->matrix, m.mesh,         curls.lumped_inverse_mass, 1, of_single,
                                   curls.product,         curls.vorticity};
      });
}

}  // namespace solenoid
