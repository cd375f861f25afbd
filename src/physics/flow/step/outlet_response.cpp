#include "physics/flow/step/outlet_response.hpp"

#include <algorithm>
#include <cmath>

#include "field/assign.hpp"
#include "solve/dense_system.hpp"

namespace solenoid {

OutletResponse::OutletResponse(const OutletPressures& outlets) : outlets_(outlets) {
  if (outlets.empty()) return;
  const LocalMesh& mesh = outlets.faces().mesh();
  along_duals_.emplace(mesh);
  flux_.emplace(mesh);
  forces_.emplace(Circulation{Field<Edge>(mesh), {}, {}});
  right_side_.emplace(Circulation{Field<Edge>(mesh), {}, {}});
  for (std::size_t k = 0; k < outlets.patches().size(); ++k) potentials_.emplace_back(mesh);
}

void OutletResponse::visit_state(StateVisitor& visitor) {
  if (outlets_.empty()) return;
  visitor.number("alpha_of_outlet_response", alpha_);
  visitor.number("viscosity_of_outlet_response", nu_);
}

void OutletResponse::compute(real alpha, real nu, SolenoidalSpace& space, VorticityMomentumSystem& system,
                             const SolveControl& control) {
  const LocalMesh& mesh = outlets_.faces().mesh();
  const std::size_t count = outlets_.patches().size();
  Field<Face>&along_duals = *along_duals_, &flux = *flux_;
  Circulation &forces = *forces_, &right_side = *right_side_;
  leaving_less_.resize(count * count);
  factors_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<real> one(count, 0);
    one[k] = 1;
    along_duals = 0 * along_duals;
    outlets_.faces().add(one, along_duals);
    space.circulate(along_duals, forces);
    right_side.around_edges = 0 * right_side.around_edges;
    right_side.along_loops.assign(space.loops().count(), 0);
    potentials_[k] = 0 * potentials_[k];
    if (const auto round_off = space.subtract_forces(forces, right_side)) {
      SolveControl tight = control;
      tight.tolerance = std::max(tight.tolerance, *round_off);
      tight.max_iterations = std::max(tight.max_iterations, SolveControl{}.max_iterations);
      system.solve_without_history(alpha, nu, right_side.around_edges, potentials_[k], tight);
    }
    factors_[k] = space.extract_factors(alpha, potentials_[k]);
    flux = mesh.C * halo(potentials_[k]);
    space.loops().add_flows(factors_[k], flux);
    const std::vector<real> leaving = outlets_.faces().sum(flux);
    for (std::size_t i = 0; i < count; ++i) leaving_less_[i * count + k] = -leaving[i];
  }
  alpha_ = alpha;
  nu_ = nu;
  is_computed_ = true;
}

bool OutletResponse::is_near(real alpha, real nu, const std::vector<real>& changes,
                             const std::vector<real>& fluxes) const {
  constexpr real most = 1e-5;
  if (!is_known() || nu != nu_) return false;
  real change = 0;
  for (const real of_outlet : changes) change = std::max(change, std::abs(of_outlet));
  return std::abs(alpha - alpha_) * change <= most * alpha * outlets_.largest_dynamic_pressure(fluxes);
}

std::vector<real> OutletResponse::changes(const std::vector<real>& fluxes, const std::vector<real>& pressures,
                                          const std::vector<std::optional<OutletCondition>>& conditions) const {
  const std::size_t count = conditions.size();
  std::vector<real> matrix = leaving_less_, excess(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto& condition = conditions[i]) {
      matrix[i * count + i] += condition->slope;
      excess[i] = fluxes[i] - condition->rate - condition->slope * pressures[i];
      continue;
    }
    for (std::size_t j = 0; j < count; ++j) matrix[i * count + j] = matrix[j * count + i] = i == j ? 1 : 0;
  }
  return solve_dense(matrix, excess);
}

std::vector<real> OutletResponse::combine(const std::vector<real>& changes, Field<Edge>& s) const {
  std::vector<real> c(factors_.front().size(), 0);
  s = 0 * s;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    s = s + changes[k] * potentials_[k];
    for (std::size_t j = 0; j < c.size(); ++j) c[j] += changes[k] * factors_[k][j];
  }
  return c;
}

}  // namespace solenoid
