/// Balance of the heat of a body, or of a scalar's content, with its columns and words.
#pragma once

#include "model/model.hpp"

namespace solenoid {

/// At one time or over a step [W; of a scalar: its unit times m^3/s]; in 2D per metre of depth.
struct HeatBalance {
  std::vector<real> through;  ///< into the body through each patch: by diffusion, plus inflow minus outflow
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< increase of the content per second; 0 in a steady state

  real supplied() const;   ///< all positive contributions: through patches, by sources, and from storage
  real imbalance() const;  ///< supply minus storage: the residual of the linear solver
  /// Its terms, without storage in a steady state.
  std::string in_words(const std::vector<std::string>& patches, bool is_steady) const;
};

/// Columns PREFIX_PATCH, PREFIX_source, PREFIX_stored and PREFIX_imbalance. They refer to `balance`; `taken`: further
/// endings that patches cannot have.
void add_balance_columns(std::vector<HistoryColumn>& columns, const HeatBalance& balance, const std::string& prefix,
                         const std::string& unit, const std::vector<std::string>& patches,
                         std::vector<std::string> taken = {});

}  // namespace solenoid
