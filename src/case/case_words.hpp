/// Words and keys that several kinds of physics share in the case file.
#pragma once

#include <map>

#include "case/toml_section.hpp"
#include "model/material.hpp"
#include "model/time_scheme.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

extern const WordSet<TimeScheme> time_schemes;

/// The conditions of [boundary] by patch, of which `read(group, type, name)` makes one; a patch whose `type` is missing
/// or wrong, which is a fault, has none.
template <class Boundary, class Type, class Read>
std::map<std::string, Boundary> read_boundary(TomlSection& root, const WordSet<Type>& types, const Read& read) {
  constexpr const char* tables = "a table [boundary.NAME] for each boundary group of the mesh";
  std::map<std::string, Boundary> boundary;
  TomlSection section = root.required_table("boundary", tables);
  for (auto& [name, group] : section.named_tables(tables)) {
    if (const auto type = group.word("type", types)) {
      boundary[name] = read(group, *type, name);
    } else {
      group.ignore_rest();  // which keys it takes depends on the type
    }
  }
  return boundary;
}

/// `end` of [time]; where it is missing, which is a fault, later than any other time.
real read_end(TomlSection& section);

/// Reads a step's length `key` [s]; notes a fault where it is too short to come to the `end`. 0: absent.
real read_step(TomlSection& section, const std::string& key, real end, bool is_required = false);

/// One [solver.NAME] of `defaults`, which has the name. `preconditioners`: those that are for it, all where none is
/// named.
SolveControl read_solver(TomlSection solvers, SolveControl defaults,
                         const std::vector<std::string>& preconditioners = {});

/// Notes a fault where `formula`, the value of `key`, depends on time: `expected` instead.
void refuse_time(TomlSection& section, const std::string& key, const Formula& formula, const char* expected);

/// A property of the material in the table [table] of a case in `file`.
struct PropertyKey {
  std::string file, table, key;
  bool is_positive;          ///< its values have to be
  const char* without_time;  ///< what is expected of one that may not depend on time; null: it may
};
/// Reads one value for all, or one for each volume group.
MaterialProperty read_property(TomlSection& section, const PropertyKey& wanted, std::optional<double> fallback = {});

}  // namespace solenoid
