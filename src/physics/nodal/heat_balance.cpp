#include "physics/nodal/heat_balance.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

real HeatBalance::supplied() const {
  real sum = std::max(source, real{0}) + std::max(-stored, real{0});
  for (const real heat : through) sum += std::max(heat, real{0});
  return sum;
}

real HeatBalance::imbalance() const {
  real sum = source - stored;
  for (const real heat : through) sum += heat;
  return sum;
}

std::string HeatBalance::in_words(const std::vector<std::string>& patches, bool is_steady) const {
  std::vector<std::string> terms;
  for (std::size_t p = 0; p < through.size(); ++p) terms.push_back(message("{} {:.6g}", patches[p], through[p]));
  if (source != 0) terms.push_back(message("sources {:.6g}", source));
  if (!is_steady) terms.push_back(message("stored {:.6g}", stored));
  return joined(terms, ", ");
}

void add_balance_columns(std::vector<HistoryColumn>& columns, const HeatBalance& balance, const std::string& prefix,
                         const std::string& unit, const std::vector<std::string>& patches,
                         std::vector<std::string> taken) {
  taken.insert(taken.end(), {"source", "stored", "imbalance"});
  const std::vector<std::string> names = names_of_patch_columns(prefix, patches, taken);
  for (std::size_t p = 0; p < names.size(); ++p) {
    columns.push_back({names[p], unit, [&balance, p] { return balance.through[p]; }});
  }
  columns.push_back({prefix + "_source", unit, [&balance] { return balance.source; }});
  columns.push_back({prefix + "_stored", unit, [&balance] { return balance.stored; }});
  columns.push_back({prefix + "_imbalance", unit, [&balance] { return balance.imbalance(); }});
}

}  // namespace solenoid
