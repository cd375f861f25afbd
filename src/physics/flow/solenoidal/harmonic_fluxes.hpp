/// Harmonic fluxes: divergence-free fluxes that no potential on the free edges has.
#pragma once

#include <functional>
#include <vector>

#include "physics/flow/boundary/flux_surfaces.hpp"
#include "physics/flow/solenoidal/global_unknowns.hpp"
#include "physics/flow/solenoidal/pressure.hpp"
#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

namespace solenoid {

/// Fluxes H_k around a cylinder across a channel, around a torus, through a periodic pair: D H_k = 0, none through
/// faces with prescribed flux, and R M H_k = 0 at free edges, so that they are orthogonal to the fluxes C s of
/// potentials. Together U = C s + sum_k c_k H_k are all the fluxes that a step can add. Computed by probing: a smooth
/// flow with random coefficients, made divergence-free, less its projection onto potentials.
///
/// H_k = sum_j t_kj Z_j - C z_k with fluxes Z_j that are multiples of 2^-10 and divergence-free in bits, so that the
/// increment of a step can be rounded.
///
/// In the edge systems the unknown c_k stands at an edge that has no unknown, a slot, if there is one.
///
/// With prescribed fluxes through periodic pairs, the H_k carry nothing through these pairs; one more flux per such
/// pair carries 1 through it.
class HarmonicFluxes {
 public:
  /// Solves R M C s = b at the free edges, b restricted to them; s on entry is the first guess.
  using Solve = std::function<SolveReport(const Field<Edge>& b, Field<Edge>& s, const SolveControl& control)>;

  /// `free_edges`: edges on no face with prescribed flux, nor on the rim of a given pair; in 2D nodes. `count`: of the
  /// free ones, from topology; in 3D, where that may be wrong, probing confirms it. `mass`: the norm H . M H, of the
  /// size of the diagonal of R M C, so that loops and edges count alike. `given`: the pairs with prescribed flux.
  /// Collective; throws a collective Error (exit code 2) if probing finds another number, or if no combination carries
  /// the flux of a given pair. Refers to `slots`, which must outlive it.
  HarmonicFluxes(const Space<Edge>& free_edges, const GlobalUnknowns& slots, std::int64_t count, real mass,
                 const Solve& solve, const FlowBoundaries& boundaries, PressureSystem& pressure,
                 SpanningTreeProjection& tree, const FluxSurfaces& pairs, const std::vector<std::size_t>& given,
                 const MemoryOf& = MemoryOf("harmonic fluxes"));

  std::size_t count() const { return flows_.size(); }  ///< of free ones
  real mass() const { return mass_; }                  ///< H_k . M H_k; different ones are orthogonal
  const GlobalUnknowns& slots() const { return slots_; }
  /// For each, the patch with the fastest flow along it, the body it goes around; empty if there is none.
  const std::vector<std::string>& patches() const { return patches_; }

  /// circulation += sum_k c_k R M H_k at all edges.
  void add_circulations(const std::vector<real>& c, Field<Edge>& circulation) const;
  /// R M H_k . x for every k, x at all edges. Collective.
  std::vector<real> products(const Field<Edge>& x) const;
  /// H_k . x for every k, x integrated along the duals. Collective.
  std::vector<real> products(const Field<Face>& x) const;
  /// sum_j H_k . M H_j c_j for every k.
  std::vector<real> masses(const std::vector<real>& c) const;
  /// R M H_k . diagonal R M H_j, row by row. Collective.
  std::vector<real> products_of_circulations(const Field<Edge>& diagonal) const;

  /// flux += sum_k c_k H_k.
  void add_flows(const std::vector<real>& c, Field<Face>& flux) const;

  /// The same in two parts that can be rounded: potential -= sum_k c_k z_k, and the returned factors of Z_j.
  std::vector<real> split(const std::vector<real>& c, Field<Edge>& potential) const;
  /// The same for the fluxes that carry `through` through the given pairs, in their order.
  std::vector<real> split_prescribed(const std::vector<real>& through, Field<Edge>& potential) const;
  /// flux += sum_j factors[j] Z_j: in multiples of a grid spacing if the factors are multiples of 2^10 spacings.
  void add_cycles(const std::vector<real>& factors, Field<Face>& flux) const;
  real largest_flux(const std::vector<real>& factors) const;  ///< upper bound of the fluxes of add_cycles()
  static constexpr real cycles_are_multiples_of = real{1} / 1024;

 private:
  struct Probe;
  /// Some fluxes as sum_j t_kj Z_j - C z_k.
  struct InParts {
    std::vector<std::vector<real>> factors;  // t_kj
    std::vector<Field<Edge>> potentials;     // z_k
    std::vector<real> split(const std::vector<real>& c, Field<Edge>& potential) const;
  };
  using Combinations = std::vector<std::vector<real>>;  // each row has the factors of a linear combination

  void keep(Probe probe, Field<Face>& flow, Field<Edge>& circulation, const std::vector<real>& shares, real scale);
  Combinations through_given(const FluxSurfaces& pairs, const std::vector<std::size_t>& given) const;
  void leave_out(const Combinations& through);
  InParts combined(const Combinations& rows) const;

  const GlobalUnknowns& slots_;
  const real mass_;
  std::vector<Field<Face>> cycles_, flows_;  // Z_j, H_k
  std::vector<Field<Edge>> circulations_;    // R M H_k
  InParts parts_, parts_of_given_;
  std::vector<real> largest_;  // of Z_j
  std::vector<std::string> patches_;
};

}  // namespace solenoid
