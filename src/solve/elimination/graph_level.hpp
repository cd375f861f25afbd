/// A level of elimination on the host: a symmetric matrix, the unknowns that go, and the matrix of those that stay.
#pragma once

#include <vector>

#include "mesh/host_exchange.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// A symmetric matrix with a positive diagonal. Entries are equal to their transposes in bits, and no sum depends on
/// the partition: every rank finds the same strengths.
struct GraphLevel {
  LocalNumbering numbering;    ///< global ids are those of the finest level; the halo may hold unknowns of no use
  MatrixRows rows;             ///< without the diagonal
  std::vector<real> diagonal;  ///< per local unknown
};

/// N A N with N = diag(null), 1 on the diagonal where `null` is 0. `rows`: A without its unit diagonal, symmetric to
/// round-off; both triangles get the entries of the lower ids' rows. Collective.
GraphLevel finest_level(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null);

/// A maximal set of uncoupled unknowns, in the order of their numbers of couplings, then of scattered global ids: per
/// local unknown 1 in the set, else 0. Collective.
std::vector<char> uncoupled_set(const HostExchange& exchange, const GraphLevel& level);

/// The matrix of the others after elimination of `eliminated`: A_RR - A_RE D^-1 A_ER, with diagonal entries raised to
/// an eighth of their row's couplings where a matrix is not definite. Collective.
GraphLevel schur_complement(const HostExchange& exchange, const GraphLevel& level, const std::vector<char>& eliminated);

/// Keeps the couplings that are among the `kept` strongest, |a_ij| / sqrt(a_ii a_jj), of row i or of row j; the others
/// are added to both of their diagonal entries: row sums stay. Collective.
void thin_out(const Comm& comm, GraphLevel& level, int kept);

}  // namespace solenoid
