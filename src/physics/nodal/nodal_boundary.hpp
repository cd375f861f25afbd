/// Boundary conditions of values at nodes, as lists of the functions that they prescribe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/frame.hpp"

namespace solenoid {

/// For values u with the diffusivity k and the prescribed functions f and g; n is the outward normal.
enum class BoundaryKind {
  natural,   ///< k du/dn = 0
  value,     ///< u = f
  flux,      ///< k du/dn = f
  exchange,  ///< k du/dn = f (g - u), f >= 0
  inflow,    ///< u = f where fluid enters, k du/dn = 0
  absorbing  ///< du/dt + c du/dn = 0, c^2 = k: waves at normal incidence leave (Engquist & Majda 1977, first order)
};

struct NodalBoundary {
  struct Function {
    std::string key;  ///< in [boundary.PATCH] of a case
    std::string unit;
    Coefficient<real> value;
    std::optional<double> fallback = {};  ///< for a case without the key
  };

  BoundaryKind kind = BoundaryKind::natural;
  std::string text;                 ///< the condition in words, with {} for each function
  std::vector<Function> functions;  ///< f and g, as many as the kind has

  const Coefficient<real>& f() const { return functions.front().value; }
  const Coefficient<real>& g() const { return functions.back().value; }
  bool depends_on_time() const;
  std::string in_words() const;
  NodalBoundary transformed(const Frame& frame) const;
};

}  // namespace solenoid
