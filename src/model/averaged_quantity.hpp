/// A quantity of a model averaged over time: again quantities, which every output can write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/quantity.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// Samples one quantity at nodes or in cells.
class AveragedQuantity {
 public:
  virtual ~AveragedQuantity() = default;

  /// Whether the quantity can be averaged.
  static bool takes(const QuantityInfo& info) { return info.at != ValuesAt::boundary_faces; }
  /// Collective.
  static std::unique_ptr<AveragedQuantity> of(const LocalMesh& mesh, const Quantity& quantity, bool with_variance);

  /// Evaluates the quantity and adds its present values, `dt` [s] after the last sample; 0 for the first one.
  /// Collective.
  virtual void sample(real dt) = 0;
  /// Discards all samples.
  virtual void begin_anew() = 0;
  // The same for output only: restore() removes the sample again.
  virtual void sample_for_output(real dt) = 0;
  virtual void restore() = 0;
  /// NAME_mean and, with variance, NAME_variance and, for vectors, NAME_covariance. They refer to this object.
  virtual std::vector<Quantity> quantities() = 0;
  /// Name of the averaged quantity.
  virtual const std::string& name() const = 0;
  /// Whether mean and variance cover the same time; false after a restart from a state without variance.
  virtual bool is_consistent() const = 0;
  /// Visits all data that later samples depend on, under names that begin with `name`.
  virtual void visit_state(const std::string& name, StateVisitor& visitor) = 0;
};

}  // namespace solenoid
