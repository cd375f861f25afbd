/// Tables of transported scalars in the case file: [temperature], [[scalar]], and their keys elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "case/earlier_result.hpp"
#include "case/toml_section.hpp"
#include "physics/scalar/scalar_setup.hpp"

namespace solenoid {

/// A `source` [W/m^3], or [W], divided by the `heat_capacity` of a fluid [J/(m^3 K)].
Coefficient<real> by_heat_capacity(const Coefficient<real>& source, double heat_capacity);

/// [temperature] and [[scalar]], in that order.
std::vector<ScalarSetup> read_scalars(TomlSection& root, TimeScheme scheme);

/// Whether one of them requires an initial value.
bool needs_start(const std::vector<ScalarSetup>& scalars);
/// Reads their initial values from [initial]; with `earlier`, these are for scalars that the earlier run lacks.
void read_scalar_starts(TomlSection initial, const std::shared_ptr<const EarlierResult>& earlier,
                        std::vector<ScalarSetup>& scalars);

/// Kinds of patches, as far as scalars are concerned.
enum class ScalarSide { wall, inlet, outlet, farfield, symmetry };

/// Reads the condition of a scalar in the [boundary.PATCH] of a patch of this kind: NAME, NAME_flux, NAME_transfer and
/// NAME_ambient. `file`: the case file, for messages.
void read_scalar_condition(TomlSection& group, ScalarSide side, const std::string& patch, const std::string& file,
                           ScalarSetup& scalar);

/// Reads [solver.heat] for the temperature and [solver.scalar] for the others.
void read_scalar_solvers(TomlSection& solver, std::vector<ScalarSetup>& scalars);

}  // namespace solenoid
