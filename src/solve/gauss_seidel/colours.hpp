/// Colouring of the rows of a matrix, the same on any number of ranks.
#pragma once

#include "mesh/host_exchange.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Per local row, halo included, a colour from 0 on that no row it is coupled to has. Round by round each row whose
/// scattered global id is the highest among itself and those around it without a colour takes the lowest that none
/// around it has (Jones & Plassmann 1993). It follows from the global ids alone. `rows`: of a matrix of symmetric
/// structure. Collective.
std::vector<int> colours(const HostExchange& exchange, const LocalNumbering& numbering, const MatrixRows& rows);

}  // namespace solenoid
