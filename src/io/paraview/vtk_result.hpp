/// Reader of values at points from the ParaView files of an earlier run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// The last output of the result folder `folder`: its point array `name` of three components at `points`, linear on its
/// cells; beside them, up to twice the longest edge of the nearest cell, as at the nearest point. One piece after the
/// other is held, whatever ranks wrote it. Serial; throws Error (exit code 2) that names the file where the folder has
/// no such output, or the point that lies farther away.
std::vector<Vec3> sample_result(const std::filesystem::path& folder, const std::string& name,
                                std::span<const Vec3> points);

}  // namespace solenoid
