/// Words and keys that several methods share in the case file.
#pragma once

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "case/case_settings.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

inline const WordSet<TimeScheme> time_schemes{
    {{"second-order", TimeScheme::second_order}, {"euler", TimeScheme::euler}}, {}};

/// `end` of [time]; where it is missing, which is a fault, later than any other time.
inline double read_end(TomlSection& section) {
  const double end = section.real("end", positive);
  return section.has("end") ? end : std::numeric_limits<double>::infinity();
}

/// Notes a fault where a step's length `key` is too short to come to the `end`: steps are counted as int.
inline void check_step(TomlSection& section, const std::string& key, std::optional<double> step, double end) {
  constexpr double most_steps = 2e9;
  if (!section.has(key) || !step || !std::isfinite(end) || *step * most_steps >= end) return;
  section.wrong(key, message("at least {:.3g} s, so that not more than {:.0e} steps lead to `end`", end / most_steps,
                             most_steps));
}

}  // namespace solenoid
