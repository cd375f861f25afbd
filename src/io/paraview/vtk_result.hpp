/// Reader of values at points from the ParaView files of an earlier run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Samples the last output of the result folder `folder`: its point array `name` of three components at `points`,
/// linear on its cells; outside, up to twice the bounding-box diagonal of the nearest cell, the value at the nearest
/// point. Holds one piece at a time, for any number of writing ranks. Serial; throws Error (exit code 2) that names the
/// file if the folder has no such output, or the point that lies farther away.
std::vector<Vec3> sample_result(const std::filesystem::path& folder, const std::string& name,
                                std::span<const Vec3> points);

}  // namespace solenoid
