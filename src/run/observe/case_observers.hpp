/// The observers of a case.
#pragma once

#include <vector>

#include "case/case_file.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

/// Tables first, then what is written at outputs: each with the model's quantities. They refer to the arguments, which
/// outlive them. Collective. Throws a collective Error (exit code 2) where a point lies outside the mesh.
std::vector<Observer> observers_of(const Case& wanted, const LocalMesh& mesh, Model& model, const Averages& averages,
                                   Tracers& tracers);

}  // namespace solenoid
