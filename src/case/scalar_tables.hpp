/// Tables of transported scalars in the case file: [temperature], [[scalar]], and their keys elsewhere.
#pragma once

#include <vector>

#include "case/toml_section.hpp"
#include "physics/scalar/scalar_setup.hpp"

namespace solenoid {

/// [temperature] and [[scalar]], in that order.
std::vector<ScalarSetup> read_scalars(TomlSection& root, TimeScheme scheme);

/// Whether one of them has to be given a value at the start.
bool needs_start(const std::vector<ScalarSetup>& scalars);
/// Their values at the start, in [initial].
void read_scalar_starts(TomlSection initial, std::vector<ScalarSetup>& scalars);

/// What the fluid may do at a patch, as far as scalars go.
enum class ScalarSide { wall, inlet, outlet, farfield, symmetry };

/// The keys of a scalar in the [boundary.PATCH] of such a side: NAME, NAME_flux, NAME_transfer and NAME_ambient.
/// `file`: of the case, for messages.
void read_scalar_condition(TomlSection& group, ScalarSide side, const std::string& patch, const std::string& file,
                           ScalarSetup& scalar);

/// [solver.heat] for the temperature, [solver.scalar] for the others.
void read_scalar_solvers(TomlSection& solver, std::vector<ScalarSetup>& scalars);

}  // namespace solenoid
