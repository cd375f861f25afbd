/// Colouring of the rows of a matrix, the same on any number of ranks.
#pragma once

#include "mesh/host_exchange.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Per local row, halo included, a colour from 0 on that differs from those of all coupled rows. In each round, every
/// uncoloured row whose scattered global id is the highest among its uncoloured neighbours gets the lowest colour free
/// among its neighbours (Jones & Plassmann 1993). The result depends on the global ids alone. `rows`: of a matrix with
/// symmetric pattern. Collective.
std::vector<int> colours(const HostExchange& exchange, const LocalNumbering& numbering, const MatrixRows& rows);

}  // namespace solenoid
