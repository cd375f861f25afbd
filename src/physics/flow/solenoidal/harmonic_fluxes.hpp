/// Harmonic fluxes in 3D: divergence-free fluxes that no potential on the free edges has.
#pragma once

#include <vector>

#include "physics/flow/boundary/pair_faces.hpp"
#include "physics/flow/solenoidal/global_unknowns.hpp"
#include "physics/flow/solenoidal/pressure.hpp"
#include "physics/flow/solenoidal/spanning_tree_projection.hpp"
#include "solve/hiptmair_xu.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Around a cylinder across a channel, around a torus, through a periodic pair: fluxes H_k with D H_k = 0, none through
/// faces whose flux is given, and R M H_k = 0 at free edges, so that they do not meet the flows C s of potentials.
/// Together U = C s + sum_k c_k H_k are all the flows that a step can add. In 3D; found by probing: a smooth flow with
/// random coefficients loses what potentials have of it.
///
/// H_k = sum_j t_kj Z_j - C z_k, with fluxes Z_j that are multiples of 2^-10 and without divergence in bits: what a
/// step adds can be rounded.
///
/// In the systems of edges a loop's unknown c_k has the place of an edge that is none, a slot.
///
/// Where the flux through periodic pairs is given, these are the flows that carry nothing through them; for each such
/// pair there is one more, which carries 1 through it.
class HarmonicFluxes {
 public:
  /// `free_edges`: without a given flux around. `laplacian`: R M C at all owned edges; `mass`: what H . M H is made, in
  /// the size of its diagonal, so that loops and edges count alike. `given`: the pairs whose flux is given. All but the
  /// systems outlive this. Collective; throws a collective Error (exit code 2) where more or fewer loops are found than
  /// slots and given pairs are there, or the flux through a given one is not that of loops. No rim of a given pair is
  /// among the free edges.
  HarmonicFluxes(const Space<Edge>& free_edges, const GlobalUnknowns& slots, const SparseMatrix<Edge>& laplacian,
                 real mass, const HiptmairXu& preconditioner, const FlowBoundaries& boundaries,
                 PressureSystem& pressure, SpanningTreeProjection& tree, const PairFaces& pairs,
                 const std::vector<std::size_t>& given);

  std::size_t count() const { return flows_.size(); }  ///< of free ones, each with a slot
  /// Of each the patch that it flows along fastest, empty where there is none: around which body it goes.
  const std::vector<std::string>& patches() const { return patches_; }

  const GlobalUnknowns& slots() const { return slots_; }  ///< of the c_k

  /// circulation += sum_k c_k R M H_k, at all edges.
  void add_circulations(const std::vector<real>& c, Field<Edge>& circulation) const;
  /// R M H_k . x, x at all edges, for every loop. Collective.
  std::vector<real> products(const Field<Edge>& x) const;
  /// H_k . x of what stands along the duals. Collective.
  std::vector<real> products(const Field<Face>& x) const;
  /// sum_j H_k . M H_j c_j for every k.
  std::vector<real> masses(const std::vector<real>& c) const;
  /// R M H_k . diagonal R M H_j, row by row. Collective.
  std::vector<real> products_of_circulations(const Field<Edge>& diagonal) const;

  /// flux += sum_k c_k H_k.
  void add_flows(const std::vector<real>& c, Field<Face>& flux) const;

  /// The same in two parts that can be rounded: potential -= sum_k c_k z_k; the factors of Z_j are returned.
  std::vector<real> split(const std::vector<real>& c, Field<Edge>& potential) const;
  /// Of flows that carry so much through the given pairs, in their order.
  std::vector<real> split_prescribed(const std::vector<real>& through, Field<Edge>& potential) const;
  /// A multiple of a grid spacing times 2^10 in each factor makes multiples of that grid spacing.
  void add_cycles(const std::vector<real>& factors, Field<Face>& flux) const;
  real largest_flux(const std::vector<real>& factors) const;  ///< not less than that which add_cycles() adds
  static constexpr real cycles_are_multiples_of = real{1} / 1024;

 private:
  struct Probe;
  /// sum_j t_kj Z_j - C z_k of some flows.
  struct InParts {
    std::vector<std::vector<real>> factors;  // t_kj
    std::vector<Field<Edge>> potentials;     // z_k
    std::vector<real> split(const std::vector<real>& c, Field<Edge>& potential) const;
  };
  using Combinations = std::vector<std::vector<real>>;  // row by row the factors of flows that one is made of

  void keep(Probe probe, Field<Face>& flow, Field<Edge>& circulation, const std::vector<real>& shares, real scale);
  Combinations through_given(const PairFaces& pairs, const std::vector<std::size_t>& given) const;
  void leave_out(const Combinations& through);
  InParts combined(const Combinations& rows) const;

  const GlobalUnknowns& slots_;
  const real mass_;                          // H_k . M H_k; those of two loops are 0
  std::vector<Field<Face>> cycles_, flows_;  // Z_j, H_k
  std::vector<Field<Edge>> circulations_;    // R M H_k
  InParts parts_, parts_of_given_;
  std::vector<real> largest_;  // of Z_j
  std::vector<std::string> patches_;
};

}  // namespace solenoid
