/// From a case to the objects of heat conduction.
#pragma once

#include "case/case_file.hpp"
#include "mesh/domain.hpp"
#include "physics/heat_problem.hpp"

namespace solenoid {

HeatSolverSettings heat_settings(const Case& wanted);

/// The problem on a mesh with these volume groups and patches. Its functions throw Error (exit code 2) that names the
/// key where a value is out of range.
HeatProblem heat_problem(const Case& wanted, const std::vector<std::string>& regions,
                         const std::vector<std::string>& patches);

/// The initial temperature [K] of place [m].
std::function<real(const Vec3&)> initial_temperature(const Case& wanted);

/// What is wrong between the volume groups of a mesh and the materials of the case, and parts of the mesh whose steady
/// temperature nothing determines, a line each. Serial.
std::vector<std::string> heat_faults(const Case& wanted, const GlobalMesh& mesh, const Domain& domain);

}  // namespace solenoid
