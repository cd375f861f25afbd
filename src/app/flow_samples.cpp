#include "app/flow_samples.hpp"

namespace solenoid {

const std::vector<NodeVelocity>& FlowSamples::nodes(int step, ExactStep& flow) {
  if (step_of_nodes_ != step) {
    fit_.fit(flow.state().flux, flow.walls(), flow.time(), nodes_);
    nodes_on_host_ = nodes_.all_to_host();
    step_of_nodes_ = step;
  }
  return nodes_on_host_;
}

const std::vector<real>& FlowSamples::pressure(int step, ExactStep& flow) {
  if (step_of_pressure_ != step) {
    nodes(step, flow);
    Field<Cell>& pressure = flow.pressure(nodes_);
    halo(pressure);
    pressure_ = pressure.all_to_host();
    step_of_pressure_ = step;
  }
  return pressure_;
}

}  // namespace solenoid
