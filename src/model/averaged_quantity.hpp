/// A quantity of a model averaged over time: again quantities, which every output can write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/quantity.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// Takes samples of one quantity at nodes or in cells.
class AveragedQuantity {
 public:
  virtual ~AveragedQuantity() = default;

  /// Whether averages can be made of it.
  static bool takes(const QuantityInfo& info) { return info.at != ValuesAt::boundary_faces; }
  /// Collective.
  static std::unique_ptr<AveragedQuantity> of(const LocalMesh& mesh, const Quantity& quantity, bool with_variance);

  /// Evaluates it and adds what it is now, `dt` [s] after the last sample; 0 for the first one. Collective.
  virtual void sample(real dt) = 0;
  /// As if there had been no sample.
  virtual void begin_anew() = 0;
  // The same for who looks at the averages now: restore() goes on without it.
  virtual void sample_for_output(real dt) = 0;
  virtual void restore() = 0;
  /// NAME_mean and, with variance, NAME_variance and, of vectors, NAME_covariance. This outlives them.
  virtual std::vector<Quantity> quantities() = 0;
  /// Of what it averages.
  virtual const std::string& name() const = 0;
  /// Whether mean and variance are of the same time: not where they come from a state that had no variance.
  virtual bool is_consistent() const = 0;
  /// All that later samples depend on, under names that begin with `name`.
  virtual void visit_state(const std::string& name, StateVisitor& visitor) = 0;
};

}  // namespace solenoid
