/// Where a case looks at its flow: the points of its lines and probes, found in the mesh.
#pragma once

#include "case/case_file.hpp"
#include "physics/point_sampler.hpp"

namespace solenoid {

// Collective. They throw a collective Error (exit code 2) that names the case, the table and the point where one lies
// outside the mesh.
PointSampler find_points(const Case& wanted, const LineSettings& line, const LocalMesh& mesh);
PointSampler find_points(const Case& wanted, const ProbeSettings& probe, const LocalMesh& mesh);

}  // namespace solenoid
