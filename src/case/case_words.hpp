/// Words and keys that several kinds of physics share in the case file.
#pragma once

#include "case/toml_section.hpp"
#include "physics/time_scheme.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

extern const WordSet<TimeScheme> time_schemes;

inline constexpr const char* boundary_tables = "a table [boundary.NAME] for each boundary group of the mesh";

/// `end` of [time]; where it is missing, which is a fault, later than any other time.
real read_end(TomlSection& section);

/// Reads a step's length `key` [s]; notes a fault where it is too short to come to the `end`. 0: absent.
real read_step(TomlSection& section, const std::string& key, real end, bool is_required = false);

/// One [solver.NAME] of `defaults`, which has the name.
SolveControl read_solver(TomlSection solvers, SolveControl defaults);

}  // namespace solenoid
