/// Time averages of fields, exact for values that are linear within each step.
#pragma once

#include <optional>
#include <string>

#include "field/field.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// Mean, variance and, of vectors, covariances of a field over time, by the trapezoidal rule: between two samples half
/// of the time counts for each. In the running form of West 1979 (Comm. ACM 22, 532-535), which subtracts no large
/// numbers: a constant has itself as its mean, in bits, and 0 as its variance. `T`: real or Vec3.
template <class L, class T>
class TimeAverage {
 public:
  TimeAverage(const LocalMesh& mesh, bool with_variance);

  /// The field as it is now, `dt` [s] after the last sample; 0 for the first one.
  void sample(const Field<L, T>& values, real dt);
  /// As if there had been no sample.
  void begin_anew();
  // For who takes a sample to look at the averages, and wants to go on without it.
  void keep();
  void restore();

  // Since the first sample; halo included. Without time in between the sample itself, and 0. Collective.
  Field<L, T>& mean();
  Field<L, T>& variance();    ///< of each component
  Field<L, T>& covariance();  ///< of the components xy, yz, zx of vectors

  /// Whether mean and variance are of the same time: not where they come from a state that had no variance.
  bool is_consistent() const { return !now_.squares || now_.weight_of_squares == now_.weight; }
  /// All that later samples depend on.
  void visit_state(const std::string& name, StateVisitor& visitor);

 private:
  struct Sums {
    Field<L, T> last, mean;
    std::optional<Field<L, T>> squares, products;  // of differences from the mean, times their weights
    real weight = 0, weight_of_squares = 0;        // [s] so far: the same, but for what a state lacked

    Sums(const LocalMesh& mesh, bool with_variance);
    void copy_from(const Sums& other);
  };
  void add(const Field<L, T>& values, real weight);
  Field<L, T>& by_time(const Field<L, T>& sums);

  const LocalMesh& mesh_;
  Sums now_;
  std::optional<Sums> kept_;
  std::optional<Field<L, T>> shown_;
};

}  // namespace solenoid
