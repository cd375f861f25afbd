#include "physics/flow/momentum/variable_viscosity.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/momentum/velocity_gradient.hpp"

namespace solenoid {

namespace {

/// sum_c V_c ln nu_c. Collective.
real sum_of_logarithms(const Field<Cell>& viscosity) {
  const LocalMesh& mesh = viscosity.mesh();
  const auto nu = viscosity.view();
  const auto V = mesh.cell_volume();
  return total(mesh.comm(), reduce_sum(
                                mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                  const Index<Cell> c{i};
                                  return V[c] * (nu[c] > 0 ? log(nu[c]) : 0);
                                }));
}

}  // namespace

VariableViscosity::VariableViscosity(const LocalMesh& mesh, const FlowStepSettings& settings, const MemoryOf& /*scope*/)
    : mesh_(mesh), settings_(settings), in_cells_(mesh), relative_(mesh) {
  PartialSum volume;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) volume += mesh.geometry().cell_volume[c];
  volume_ = total(mesh.comm(), volume);
  in_cells_.from_host(std::vector<real>(mesh.owned<Cell>(), settings.viscosity));
  set_relative();
}

void VariableViscosity::update(const Field<Cell>& squared_shear_rates) {
  if (settings_.law) {
    const ViscosityLaw law = *settings_.law;
    const auto square = squared_shear_rates.view();
    const auto nu = in_cells_.view();
    count_owned(squared_shear_rates, in_cells_);
    forall(
        mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) { nu[Index<Cell>{i}] = law(square[Index<Cell>{i}]); });
  } else if (temperature_) {
    const std::vector<real> at_nodes = temperature_->all_to_host();
    std::vector<real> means;
    for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
      real sum = 0;
      for (const int n : mesh_.part().cell_nodes_of(c)) sum += at_nodes[n];
      means.push_back(sum / static_cast<real>(mesh_.part().corners()));
    }
    mesh_.comm().guard([&] { in_cells_.from_host(of_temperature(means)); });
  }
  set_relative();
}

bool VariableViscosity::restore(bool is_there) {
  if (is_there) set_relative();
  return is_there;
}

void VariableViscosity::set_relative() {
  const real one = settings_.viscosity;
  relative_ = (1 / one) * in_cells_;
  halo(relative_);
  mean_ = std::exp(sum_of_logarithms(relative_) / volume_);
}

/// Where the function is not positive, the message has that temperature. For use inside a guard.
std::vector<real> VariableViscosity::of_temperature(const std::vector<real>& temperature) const {
  std::vector<Vec3> as_points;
  for (const real T : temperature) as_points.push_back({T, 0, 0});
  std::vector<real> found = settings_.of_temperature->at(as_points, 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    require_input(found[i] > 0, [&] {
      return message(
          "`viscosity` in [flow] of the case file: \"{}\" is {:.6g} m^2/s at T = {:.6g} K; expected a value "
          "greater than 0 at all temperatures of the flow: max(T, ...) and min(T, ...) in the place of T "
          "keep to a range",
          settings_.of_temperature->text(), found[i], temperature[i]);
    });
  }
  return found;
}

NodeViscosity VariableViscosity::at_nodes(Exchanged<Node, NodeVelocity> velocities) {
  if (!at_nodes_) at_nodes_.emplace(mesh_);
  if (settings_.law) {
    const ViscosityLaw law = *settings_.law;
    const auto nodes = velocities.view();
    const auto nu = at_nodes_->view();
    forall(
        at_nodes_->total(), SOLENOID_KERNEL(int i) {
          const Index<Node> n{i};
          nu[n] = law(squared_shear_rate(nodes[n].gradient));
        });
  } else {
    std::vector<real> temperature;
    if (temperature_) temperature = temperature_->to_host();
    mesh_.comm().guard([&] {
      at_nodes_->from_host(temperature_ ? of_temperature(temperature)
                                        : std::vector<real>(mesh_.owned<Node>(), settings_.viscosity));
    });
    halo(*at_nodes_);
  }
  return {1, std::as_const(*at_nodes_).view().data};
}

}  // namespace solenoid
