/// The state of a flow in a checkpoint, as the output of an earlier run.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "io/paraview/result_output.hpp"

namespace solenoid {

/// One piece, the whole mesh of the checkpoint: `velocity` at the points is fitted to the fluxes, with the velocity
/// that the checkpoint's case prescribes on walls and inlets by numbers and formulas without functions of a [[table]];
/// remarks() names the other walls and inlets, and inlets scaled to the outflow, where the fluxes alone count. Scalars
/// and time averages are as in the file. Serial: each rank that reads it has the whole mesh for a while. Throws Error
/// (exit code 2) that names the file and its fault: it is broken, or not one of a flow; functions do so if the fluid is
/// not its whole mesh.
std::unique_ptr<ResultOutput> read_checkpoint_output(const std::filesystem::path& file);

/// `refine` in [mesh] of the settings in a checkpoint; 0 where they lack it, as those of a version without it.
int refinements_in(const nlohmann::json& settings);

}  // namespace solenoid
