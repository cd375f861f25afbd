/// An earlier run from which a run starts.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/coefficient.hpp"

namespace solenoid {

/// A time average of a quantity in an earlier run.
struct EarlierAverage {
  std::int64_t samples = 0;
  double first = 0, last = 0;  ///< times of samples [s]
  double weight = 0;           ///< [s]
  bool has_variance = false;
};

/// The arrays of a time average: the last sample; the mean; and the sums of its variance and covariance, which are
/// these times the weight.
enum class AverageArray { last, mean, squares, products };

/// The last output of an earlier run. Serial; functions throw Error (exit code 2) that names a file and its fault.
class EarlierFields {
 public:
  virtual ~EarlierFields() = default;
  virtual std::string name() const = 0;  ///< as in the case
  virtual int dimension() const = 0;     ///< of its mesh
  virtual double time() const = 0;       ///< [s]
  virtual bool has_scalar(const std::string& name) const = 0;
  virtual std::vector<std::string> remarks() const = 0;  ///< for the log: files passed over, values that it lacks

  /// Of a quantity in the [[average]] of this name; nullopt if there is none at nodes or in cells, or a fault of it.
  virtual std::optional<EarlierAverage> average(const std::string& average, const std::string& quantity) const = 0;
  /// Why the averages of this name that it has are of no use; empty: they are, or there are none.
  virtual std::string fault_of_average(const std::string& average) const = 0;
  /// An array of it at `points` [m], `components` values each: linear between nodes, and the cell's own in cells. False
  /// if it was not written.
  virtual bool average_at(const std::string& average, const std::string& quantity, AverageArray array,
                          std::span<const Vec3> points, int components, std::span<real> values) const = 0;
};

/// The start of a flow from an earlier run.
struct EarlierStart {
  std::shared_ptr<const EarlierFields> fields;
  Coefficient<real> distance;  ///< from its mesh [m]; 0 inside
  bool goes_on = false;        ///< its clock
};

}  // namespace solenoid
