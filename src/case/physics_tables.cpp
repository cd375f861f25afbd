#include "case/physics_tables.hpp"

#include "base/error.hpp"

namespace solenoid {

const std::vector<PhysicsTable>& physics_tables() {
  static const std::vector<PhysicsTable> tables{
      {"flow",
       "flow",
       "`viscosity`",
       {"wall", "inlet", "outlet", "opening", "symmetry", "farfield"},
       {"potential", "pressure", "vorticity", "momentum"},
       true,
       read_flow_case},
      {"heat",
       "heat conduction",
       "`conductivity`",
       {"temperature", "flux", "insulated", "convection"},
       {"heat"},
       false,
       read_heat_case},
      {"wave", "waves", "`speed`", {"displacement", "free", "absorbing"}, {"wave"}, true, read_wave_case},
      {"waves", "water waves", "`depth` and `period`", {"quay", "open"}, {"elliptic"}, true, read_water_waves_case}};
  return tables;
}

std::string or_else_than(const std::string& own) {
  std::string text;
  for (const PhysicsTable& physics : physics_tables()) {
    if (physics.name == own) continue;
    text += message("; or, for {}, [{}] with {}", physics.what, physics.name, physics.required);
  }
  return text;
}

std::vector<RefusedWord> boundary_types_beside(const std::string& own) {
  std::vector<RefusedWord> words;
  for (const PhysicsTable& physics : physics_tables()) {
    if (physics.name == own) continue;
    for (const std::string& type : physics.boundary_types) words.push_back({type, "belongs to [" + physics.name + "]"});
  }
  return words;
}

void refuse_solvers_beside(const std::string& own, TomlSection& solver, const std::string& taken) {
  for (const PhysicsTable& physics : physics_tables()) {
    if (physics.name == own) continue;
    for (const std::string& name : physics.solvers) {
      if (name != taken) solver.refuse(name, "belongs to [" + physics.name + "]");
    }
  }
}

}  // namespace solenoid
