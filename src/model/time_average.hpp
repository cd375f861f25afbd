/// Time averages of fields, exact for values that are linear within each step, and of the quantities of a model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "model/quantity.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// Mean, variance and, for vectors, covariances of a field over time, by the trapezoidal rule: each of two samples has
/// the weight of half the time between them. The running form of West 1979 (Comm. ACM 22, 532-535) subtracts no large
/// numbers: a constant has itself as its mean, bitwise, and 0 as its variance. `T`: real or Vec3.
template <class L, class T>
class TimeAverage {
 public:
  TimeAverage(const LocalMesh& mesh, bool with_variance) : TimeAverage(mesh.layout<L>(), with_variance) {}
  TimeAverage(const Layout& layout, bool with_variance);

  /// Adds the present field, `dt` [s] after the last sample; 0 for the first one.
  void sample(const Field<L, T>& values, real dt);
  /// Discards all samples.
  void begin_anew();
  // A temporary sample for output: keep(), sample(), then restore().
  void keep();
  void restore();

  // Since the first sample; halo included. Without elapsed time the sample itself, and 0. Collective.
  Field<L, T>& mean();
  Field<L, T>& variance();    ///< of each component
  Field<L, T>& covariance();  ///< of the components xy, yz, zx of vectors

  /// Whether mean and variance cover the same time; false after a restart from a state without variance.
  bool is_consistent() const { return !now_.squares || now_.weight_of_squares == now_.weight; }
  /// Visits all data that later samples depend on.
  void visit_state(const std::string& name, StateVisitor& visitor);

 private:
  struct Sums {
    Field<L, T> last, mean;
    std::optional<Field<L, T>> squares, products;  // of differences from the mean, weighted
    real weight = 0, weight_of_squares = 0;        // [s] so far: equal unless a restored state lacked one

    Sums(const Layout& layout, bool with_variance);
    void copy_from(const Sums& other);
  };
  void add(const Field<L, T>& values, real weight);
  Field<L, T>& by_time(const Field<L, T>& sums);

  const Layout& layout_;
  Sums now_;
  std::optional<Sums> kept_;
  std::optional<Field<L, T>> shown_;
};

/// NAME_mean and, with variance, NAME_variance and, for vectors, NAME_covariance, in this order.
std::vector<QuantityInfo> infos_of_averages(const QuantityInfo& averaged, bool with_variance);

/// A mean over time of one quantity, from samples.
class SampledQuantity {
 public:
  virtual ~SampledQuantity() = default;

  /// Evaluates the quantity and adds its present values, `dt` [s] after the last sample; 0 for the first one.
  /// Collective.
  virtual void sample(real dt) = 0;
  /// Discards all samples.
  virtual void begin_anew() = 0;
  // The same for output only: restore() removes the sample again.
  virtual void sample_for_output(real dt) = 0;
  virtual void restore() = 0;
  /// Name of the sampled quantity; unique among those sampled together.
  virtual const std::string& name() const = 0;
  /// The reason why a restored state is of no use, as that mean and variance cover different times; empty: none.
  virtual std::string fault() const = 0;
  /// Visits all data that later samples depend on, under names that begin with `name`.
  virtual void visit_state(const std::string& name, StateVisitor& visitor) = 0;
};

/// The average of a field.
class AveragedQuantity : public SampledQuantity {
 public:
  /// Whether of() accepts the quantity: at nodes or in cells.
  static bool takes(const QuantityInfo& info) { return info.at != ValuesAt::boundary_faces; }
  /// Collective.
  static std::unique_ptr<AveragedQuantity> of(const LocalMesh& mesh, const Quantity& quantity, bool with_variance);

  /// Those of infos_of_averages(), and others after them. They refer to this object.
  virtual std::vector<Quantity> quantities() = 0;
};

}  // namespace solenoid
