/// The observers of a case.
#pragma once

#include <vector>

#include "case/case_file.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

/// The observers, tables first, then outputs, each with its quantities of the model. They keep references to the
/// arguments, which must outlive them. Collective. Throws a collective Error (exit code 2) if a point lies outside the
/// mesh.
std::vector<Observer> observers_of(const Case& wanted, const LocalMesh& mesh, Model& model, const Averages& averages,
                                   Tracers& tracers);

}  // namespace solenoid
