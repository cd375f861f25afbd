/// The tables of a case of heat conduction, for the reader of case files.
#pragma once

#include <map>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

// `transient`: there is a [time]. A steady state takes no expression of t.

/// [heat]; with [time] a heat capacity is needed.
HeatSettings read_heat(TomlSection section, bool transient);

/// [time] of heat conduction: steps of a given length.
TimeSettings read_heat_time(TomlSection section);

/// The [boundary.NAME] tables of heat conduction.
std::map<std::string, BoundarySettings> read_thermal_boundary(TomlSection section, const std::string& expected,
                                                              bool transient);

inline constexpr const char* belongs_to_heat = "belongs to [heat]";
inline constexpr const char* belongs_to_flow = "belongs to [flow]";

}  // namespace solenoid
