/// Words and keys that several methods share in the case file.
#pragma once

#include <limits>

#include "io/case_settings.hpp"
#include "io/toml_section.hpp"

namespace solenoid {

inline const WordSet<TimeScheme> time_schemes{
    {{"second-order", TimeScheme::second_order}, {"euler", TimeScheme::euler}}, {}};

/// `end` of [time]; where it is missing, which is a fault, later than any other time.
inline double read_end(TomlSection& section) {
  const double end = section.real("end", positive);
  return section.has("end") ? end : std::numeric_limits<double>::infinity();
}

}  // namespace solenoid
