/// Distributed matrices as files that PETSc reads, for comparing solvers on the same system.
#pragma once

#include <filesystem>

#include "base/comm.hpp"
#include "mesh/mesh_part.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Writes the square matrix as a binary PETSc Mat (for MatLoad; 32-bit indices, big-endian): a row per owned entity of
/// `numbering`, columns among its local ones. Rows are numbered rank by rank in owned order, so a reader with the same
/// number of rows per rank gets the same partition. FILE.json next to it holds `name` (the file's stem), `rows`,
/// `nonzeros`, `rows_of_ranks`. Replaces both files; ranks write in turn, none stores more than its rows. Throws a
/// collective Error (exit code 1) if the rows do not belong to the numbering, if there are 2^31 or more rows or
/// nonzeros (the limit of the format), or if a file cannot be written. Collective.
void write_petsc_matrix(const Comm& comm, const std::filesystem::path& file, const MatrixRows& rows,
                        const LocalNumbering& numbering);

}  // namespace solenoid
