/// The stream function on the boundary in 2D: its values from the prescribed fluxes, and its unknowns.
#pragma once

#include <limits>
#include <map>
#include <optional>

#include "field/field.hpp"
#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// With U = s_b - s_a on a face from node a to b, s is known up to a constant along each component: faces with
/// prescribed flux connected by their nodes, across ranks. One component of each part of the domain is the reference,
/// on the piece of the boundary that surrounds it. The constants of the others are unknowns, one for all nodes of a
/// component: the flow rate between it and the reference. Nodes on outlets alone are free.
///
/// Beyond a periodic pair s differs at a node's copy by the pair's jump, the flux through a line from a point to its
/// copy. A component that closes over the pair fixes the jump; so does the flux through another pair whose patch closes
/// over it. Otherwise the flux through a pair fixes the difference between the two components at the ends of its patch,
/// which then count as one. A jump that nothing fixes is one more unknown.
///
/// Net inflow through a closed component makes s grow by as much around it; of walls that turn there is none. A *way*
/// carries it off: fluxes of +-1 along a line of cells to an outlet, or to another component of a part without outlets.
/// The amount on it is known like a jump, and stored behind those of the pairs.
class BoundaryStreamFunction {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  BoundaryStreamFunction(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Per local node, as input of Space<Edge>.
  const std::vector<int>& roles() const { return roles_; }

  /// Whether prescribed data fix the jump of this pair.
  bool jump_is_given(int pair) const {
    return pair >= static_cast<int>(fixed_by_.size()) || fixed_by_[static_cast<std::size_t>(pair)].index >= 0;
  }
  std::int64_t free_jumps() const;  ///< pairs with a jump that nothing fixes
  std::size_t ways() const { return ways_.size(); }
  const Field<Face>& way(std::size_t k) const { return ways_[k].flux; }

  /// s on components for a jump of 1 over a pair whose jump is not fixed. It is constant along them from point to
  /// point, but the own points of neighbouring nodes may lie on both sides of the pair. Per local node. Collective.
  std::vector<real> of_free_jump(int pair) const;

  struct Offsets {
    std::vector<real> of_nodes;  ///< on components, 0 at the lowest global id of each joined group; 0 elsewhere
    std::vector<real> jumps;     ///< per pair, 0 if not fixed, then per way
  };
  /// `flux` [m^2/s]: through each of mesh.boundary() along its own normal; only prescribed ones count, rounded so that
  /// the result does not depend on the partition. `running_sums`, `circulations`: as PrescribedFluxes::set, of the same
  /// faces, the latter of values of the potential at their ends. `through_pairs` [m^2/s]: only
  /// prescribed ones count. Collective; throws a collective Error (exit code 2) if the fluxes around a closed
  /// component, the outermost or a hole's, do not balance.
  Offsets offsets(std::vector<real> flux, const RunningSums& running_sums, const EdgeIntegrals& circulations,
                  std::vector<real> through_pairs) const;

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();  // no component, no node
  struct Side {
    int boundary_face, from, to;  // place in mesh.boundary(), local nodes
    bool may_pass;                // its flux may be other than 0
    bool may_pass_in_sum;         // and that of a closed line of such sides
  };
  /// A component that is a closed line.
  struct Loop {
    std::int64_t component;
    bool may_pass;           // fluid may cross it
    bool may_pass_in_sum;    // more in than out
    std::vector<int> turns;  // around each pair, with the fluid on the left
  };
  /// Source of a pair's jump: a loop that winds around it, or the line of another pair's first patch.
  struct Fixed {
    int index = -1, turns = 0;
    bool by_line = false;
  };
  /// Start or end, on a component, of the first patch of a pair with prescribed flux.
  struct LineEnd {
    std::int64_t component, node;
    int sign;  // of s there in the flux
  };
  /// Flux through a pair as a difference of s between two components, second minus first.
  struct Bridge {
    int pair;
    LineEnd from, to;
    std::vector<std::int64_t> moved;  // components joined with the second one
  };
  /// Path from a loop to an outlet, or to the loop that balances all others of its part.
  struct NetFluxPath {
    std::size_t from;
    std::optional<std::size_t> to;
    Field<Face> flux;
    std::vector<real> on_boundary;    // its fluxes, per mesh.boundary()
    std::vector<real> through_pairs;  // its fluxes, from first to second patches
  };
  void find_components();
  void find_net_flux_paths(const FlowBoundaries& boundaries);
  void find_loops();
  void follow_lines(const FlowBoundaries& boundaries);
  void fix_jump(const std::vector<int>& turns, const Fixed& by);
  std::vector<LineEnd> ends_of_line(int pair) const;
  std::vector<int> turns_of_line(int pair) const;
  std::int64_t joined(std::int64_t component) const;
  real of_ways_through(int pair, const std::vector<real>& jumps) const;
  void choose_roles();
  int turns_of(const Side& side, int pair) const;
  std::vector<real> balance(std::vector<real>& flux, const RunningSums& running_sums, const EdgeIntegrals& circulations,
                            std::vector<real>& through_pairs) const;
  std::vector<real> spread(const std::vector<real>& flux, const std::vector<real>& through_pairs,
                           const std::vector<real>& jumps) const;
  void balance_loop(const Loop& loop, real wanted, const RunningSums& running_sums, std::vector<real>& flux) const;
  real sum_over(const Loop& loop, const std::vector<real>& flux) const;
  void add_bases(const std::vector<real>& jumps, const std::vector<real>& through_pairs,
                 std::vector<real>& values) const;

  const LocalMesh& mesh_;
  HostExchange exchange_;
  std::vector<Side> sides_;               // faces with prescribed flux, halo included
  std::vector<std::int64_t> component_;   // per local node: the lowest global id of its component, `none` elsewhere
  std::vector<std::int64_t> components_;  // all of them, ascending
  std::vector<Loop> loops_;
  std::vector<Fixed> fixed_by_;  // per pair
  std::vector<NetFluxPath> ways_;
  std::vector<Bridge> bridges_;
  std::map<std::int64_t, std::int64_t> joined_;  // components joined by bridges to another one
  std::vector<int> roles_;
  Csr<int> sides_of_;  // sides at each local node
};

}  // namespace solenoid
