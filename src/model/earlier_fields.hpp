/// An earlier run from which a run starts.
#pragma once

#include <memory>
#include <string>

#include "model/coefficient.hpp"

namespace solenoid {

/// The last output of an earlier run. Serial; functions throw Error (exit code 2) that names a file and its fault.
class EarlierFields {
 public:
  virtual ~EarlierFields() = default;
  virtual std::string name() const = 0;  ///< as in the case
  virtual int dimension() const = 0;     ///< of its mesh
  virtual double time() const = 0;       ///< [s]
  virtual bool has_scalar(const std::string& name) const = 0;
};

/// The start of a flow from an earlier run.
struct EarlierStart {
  std::shared_ptr<const EarlierFields> fields;
  Coefficient<real> distance;  ///< from its mesh [m]; 0 inside
};

}  // namespace solenoid
