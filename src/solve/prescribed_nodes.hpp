/// Nodes whose values are prescribed by the patches they lie on.
#pragma once

#include <functional>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// The role of each local node in a Space<Node>: prescribed on the patches with `is_given`, else free; the same on
/// every rank that holds the node. Collective.
std::vector<int> prescribed_on(const LocalMesh& mesh, const std::function<bool(int patch)>& is_given);

/// The same for owned entities with mark 1; the others have 0. Collective.
template <class L>
std::vector<int> prescribed_where(const LocalMesh& mesh, const std::vector<real>& marks);

/// The rows and columns of prescribed nodes without the other entries: the contribution of known values to a system.
MatrixRows around_prescribed(const MatrixRows& rows, const std::vector<int>& role);

}  // namespace solenoid
