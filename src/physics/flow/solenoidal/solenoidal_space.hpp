/// The space of the fluxes that a step of the exact method can add: curls of potentials and harmonic fluxes.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "parallel/pending.hpp"
#include "physics/flow/boundary/pair_drives.hpp"
#include "physics/flow/solenoidal/harmonic_fluxes.hpp"
#include "physics/flow/solenoidal/prescribed_fluxes.hpp"
#include "physics/flow/solenoidal/stream_function.hpp"
#include "solve/hiptmair_xu.hpp"

namespace solenoid {

/// A bound of sums of few terms: the sum of `factor` times the largest magnitude of each.
class Magnitude {
 public:
  Magnitude& operator=(real value);
  void add(real factor, Pending<Sums<1>> of_this_rank);
  real over(const Comm& comm);  ///< all ranks. Waits for the device. Collective.

 private:
  real known_ = 0;
  std::vector<std::pair<real, Pending<Sums<1>>>> pending_;
};

/// Z^T x of values x along the duals, Z = [C H]: around edges, and along harmonic fluxes.
struct Circulation {
  Field<Edge> around_edges;
  std::vector<real> along_loops;
  Magnitude summed{};  ///< the largest in these sums
};

/// Fluxes U = C s + sum_k c_k H_k without flux where that is prescribed: D U = 0 for any s and c. s are potentials at
/// the free edges, in 2D at nodes, where a boundary component has one for all its nodes (BoundaryStreamFunction); H_k
/// the HarmonicFluxes. Fluxes, potentials and factors are rounded to multiples of a grid spacing: D U = 0 in bits.
///
/// In the systems for s the unknown c_k stands in the slot of an edge without unknown, see GlobalUnknowns. In 2D there
/// may be too few, between periodic pairs and outlets alone: then nothing couples s and c, for R M H = 0 at all nodes,
/// at a pinned one because its sum over the nodes is 0.
class SolenoidalSpace {
 public:
  /// `laplacian`: R M C at all owned edges. `stream`: in 2D. `tree` and `given` round fluxes; `pressure` projects the
  /// first harmonic fluxes. Refers to all but `laplacian` and `boundaries`; they must outlive it. Collective; throws a
  /// collective Error (exit code 2) where the harmonic fluxes of the domain cannot be determined, or carry no
  /// prescribed flux through a pair.
  SolenoidalSpace(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairDrives& pairs,
                  const MatrixRows& laplacian, StreamFunction* stream, PressureSystem& pressure,
                  SpanningTreeProjection& tree, PrescribedFluxes& given, const MemoryOf& = MemoryOf("potential"));

  const Space<Edge>& free_edges() const { return free_edges_; }
  const Space<Edge>& unknowns() const { return unknowns_; }  ///< free edges and slots
  const SparseMatrix<Edge>& laplacian() const { return on_nodes_ ? on_nodes_->matrix : *matrix_; }  ///< R M C
  const HarmonicFluxes& loops() const { return *loops_; }
  const GlobalUnknowns& slots() const { return slots_; }
  /// An approximate inverse of R M C: in 3D this one, if any, in 2D that of the stream function's system.
  const HiptmairXu* on_edges() const { return on_edges_ ? &*on_edges_ : nullptr; }
  LinearSystem<Edge>* on_nodes() const { return on_nodes_ ? &on_nodes_->system : nullptr; }

  /// Sets Z^T x. Collective.
  void circulate(Field<Face>& along_duals, Circulation& circulation) const;
  /// Adds factor Z^T M C x. Collective.
  void add_curl(real factor, Field<Edge>& x, Circulation& circulation) const;

  /// Sets right_side.around_edges to the right-hand side of a system for (s, c), right_side - forces, with the rows of
  /// c in their slots. Returns the tolerance below which it is round-off, relative to its size; nullopt if it is
  /// round-off only. Collective.
  std::optional<real> subtract_forces(Circulation& forces, Circulation& right_side);
  /// The c of a solution of (alpha M + nu K) (s, c) = that right-hand side, taken out of s. Collective.
  std::vector<real> extract_factors(real alpha, Field<Edge>& s) const;

  /// sum = flux + C s + sum_k c_k H_k in bits; rounds s, and of the flux a copy where its grid is too fine. `sum` may
  /// be `flux`. Collective.
  void add(const std::vector<real>& c, Field<Edge>& s, const Field<Face>& flux, Field<Face>& sum);
  /// flux += C s in bits; s has the change of prescribed fluxes along the boundary, and is rounded. Collective.
  void lift(Field<Edge>& s, Field<Face>& flux);
  /// Adds the fluxes through pairs that `flux` lacks of the prescribed ones, if more than round-off. `work` is
  /// overwritten. Returns whether it did. Collective.
  bool drive_pairs(Field<Edge>& work, Field<Face>& flux);
  /// Rounds `flux` to the grid of `largest`, with the prescribed fluxes, and D U = 0 in bits. Collective.
  void round(real largest, Field<Face>& flux);

  real largest() const { return largest_; }  ///< fluxes are multiples of its grid spacing
  void visit_state(StateVisitor& visitor) { visitor.number("largest_of_quantum", largest_); }  ///< see Model
  /// The next addition rounds the fluxes anew: for those of another method, which are on another grid.
  void forget_grid() { largest_ = 0; }

 private:
  SolenoidalSpace(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairDrives& pairs,
                  const MatrixRows& laplacian, StreamFunction* stream, PressureSystem& pressure,
                  SpanningTreeProjection& tree, PrescribedFluxes& given, const std::vector<int>& roles);
  bool fits_grid(real largest) const;
  std::pair<const Field<Face>&, std::vector<real>> round_to_spacing(const Field<Face>& flux, std::vector<real> factors,
                                                                    Field<Edge>& potential, Field<Face>& sum);

  const LocalMesh& mesh_;
  const PairDrives& pairs_;
  StreamFunction::Laplacian* const on_nodes_;  // in 2D
  SpanningTreeProjection& tree_;
  PrescribedFluxes& given_;
  Space<Edge> free_edges_;
  const std::int64_t loop_count_;
  GlobalUnknowns slots_;
  Space<Edge> unknowns_;
  std::optional<SparseMatrix<Edge>> matrix_;  // in 3D
  std::optional<HiptmairXu> on_edges_;
  std::optional<HarmonicFluxes> loops_;
  std::vector<real> of_loops_;  // right-hand sides of the c without a slot
  real largest_ = 0;
};

}  // namespace solenoid
