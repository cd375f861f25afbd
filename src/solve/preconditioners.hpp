/// Preconditioners of assembled systems, from the scaled matrix at the unknowns of a space. For files that launch
/// kernels.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "field/assign.hpp"
#include "mesh/host_exchange.hpp"
#include "solve/boomeramg.hpp"
#include "solve/elimination/elimination.hpp"
#include "solve/gauss_seidel/gauss_seidel.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/multigrid/tied_rows.hpp"

namespace solenoid {

/// A cycle of multigrid for S A S at the unknowns of a space. Its result must be tied afterwards.
template <class L, class Cycle>
struct SpaceCycle {
  static constexpr bool is_in_single_precision = solenoid::is_in_single_precision<Cycle>;
  Cycle cycle;
  std::optional<Field<L>> weight;  // if groups are tied, see TiedRows, or A has changed since the cycle was set up

  bool only_launches() const { return solenoid::only_launches<L>(cycle); }

  void operator()(Field<L>& r, Field<L>& z) const {
    if (!weight) return cycle(r, z);
    z = *weight * r;
    cycle(z, z);
    z = *weight * z;
  }
};

/// The choice for `automatic`. A mass W added to differences K makes jacobi's iterations few: their number is
/// proportional to the square root of the condition number, which is about 2 / mean(sum_j a_ij / a_ii).
template <class L>
PreconditionerKind resolved(const Space<L>& space, const MatrixRows& rows, PreconditionerKind wanted) {
  if (wanted != PreconditionerKind::automatic) return wanted;
  constexpr real enough_mass = 0.05;  // about 60 iterations of jacobi to 1e-8, at the cost of 13 with multigrid
  std::array<PartialSum, 2> parts;
  for (int i = 0; i < rows.rows(); ++i) {
    if (space.role()[i] != Space<L>::free) continue;
    real sum = 0, diagonal = 0;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      sum += rows.value[k];
      if (rows.column[k] == i) diagonal = rows.value[k];
    }
    if (diagonal > 0) parts[0] += sum / diagonal, parts[1] += 1;
  }
  const Sums<2> sums = totals(space.mesh().comm(), parts);
  return sums[0] > enough_mass * sums[1] ? PreconditionerKind::jacobi : PreconditionerKind::multigrid;
}

/// The matrix of the unknowns; unchanged without tied groups. Collective.
template <class L>
TiedRows unknown_rows(const Space<L>& space, MatrixRows rows) {
  if (space.groups() > 0) return tied_rows(space, rows);
  std::vector<real> weight(rows.rows(), 1);
  return {space.mesh().template numbering<L>(), std::move(rows), std::move(weight)};
}

/// Near-null vector of S A S, S^-1 1, because A nearly maps constants to zero: per unknown and halo, at most 1, so that
/// squares stay within single precision in any units; 0 where prescribed. Collective.
template <class L>
std::vector<real> near_null(const Comm& comm, const TiedRows& tied, const Field<L>& scale) {
  const std::vector<real> scales = scale.to_host();
  real least = std::numeric_limits<real>::max();
  for (const real s : scales) least = s > 0 ? std::min(least, s) : least;
  least = comm.min(least);
  std::vector<real> null(tied.numbering.total(), 0);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (scales[i] > 0) null[i] = least / scales[i] * tied.weight[i];
  }
  HostExchange(comm, tied.numbering)(null);
  return null;
}

template <class L>
std::optional<Field<L>> weight_of_tied(const Space<L>& space, const TiedRows& tied) {
  if (space.groups() == 0) return {};
  return Field<L>(space.mesh(), tied.weight);
}

// From the scaled rows without their unit diagonal. Collective.

template <class L>
SpaceCycle<L, Multigrid> multigrid_for(const Space<L>& space, MatrixRows rows, const Field<L>& scale) {
  const Comm& comm = space.mesh().comm();
  TiedRows tied = unknown_rows(space, std::move(rows));
  const std::vector<real> null = near_null(comm, tied, scale);
  SingleRows single{tied.rows.offset, tied.rows.column, {tied.rows.value.begin(), tied.rows.value.end()}};
  return {Multigrid(comm, std::move(tied.numbering), std::move(single), {null.begin(), null.end()}),
          weight_of_tied(space, tied)};
}

template <class L>
SpaceCycle<L, BoomerAmg> boomeramg_for(const Space<L>& space, MatrixRows rows, const Field<L>& scale) {
  const LocalMesh& mesh = space.mesh();
  const TiedRows tied = unknown_rows(space, std::move(rows));
  const std::vector<real> null = near_null(mesh.comm(), tied, scale);
  return {BoomerAmg(mesh.comm(), tied.numbering, tied.rows, null, mesh.dimension()), weight_of_tied(space, tied)};
}

template <class L>
SpaceCycle<L, Elimination> elimination_for(const Space<L>& space, MatrixRows rows, const Field<L>& scale) {
  const Comm& comm = space.mesh().comm();
  TiedRows tied = unknown_rows(space, std::move(rows));
  const std::vector<real> null = near_null(comm, tied, scale);
  return {Elimination(comm, std::move(tied.numbering), std::move(tied.rows), null), weight_of_tied(space, tied)};
}

template <class L>
std::unique_ptr<GaussSeidel<L>> gauss_seidel_for(const Space<L>& space, MatrixRows rows, const Field<L>& scale) {
  const Comm& comm = space.mesh().comm();
  const TiedRows tied = unknown_rows(space, std::move(rows));
  return std::make_unique<GaussSeidel<L>>(comm, coloured_rows(comm, tied.numbering, tied.rows), scale.to_host(),
                                          tied.weight);
}

}  // namespace solenoid
