/// Words, names and keys that several readers of the case file share.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "case/toml_section.hpp"
#include "model/material.hpp"
#include "model/time_scheme.hpp"
#include "physics/nodal/nodal_boundary.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// Reads the name of an entry; `before`: the entries of its kind read so far.
template <class Settings>
std::string read_name(TomlSection& section, const std::vector<Settings>& before, const char* kind) {
  const std::string name = section.text("name");
  const auto same_name = [&](const Settings& other) { return !name.empty() && other.name == name; };
  const bool is_file_name = name.find('/') == std::string::npos && !has_control_character(name);
  if (!is_file_name) section.wrong("name", "a name without / that can be part of a file's name");
  if (name.size() > 200) section.wrong("name", "a name of at most 200 bytes");
  if (std::any_of(before.begin(), before.end(), same_name))
    section.wrong("name", message("a name that no other {} has", kind));
  return name;
}

extern const WordSet<TimeScheme> time_schemes;

/// Boundary conditions in [boundary] by patch, each made by `read(group, type, name)`. A patch with a missing or wrong
/// `type`, which is a fault, has none.
template <class Boundary, class Type, class Read>
std::map<std::string, Boundary> read_boundary(TomlSection& root, const WordSet<Type>& types, const Read& read) {
  constexpr const char* tables = "a table [boundary.NAME] for each boundary group of the mesh";
  std::map<std::string, Boundary> boundary;
  TomlSection section = root.required_table("boundary", tables);
  for (auto& [name, group] : section.named_tables(tables)) {
    if (const auto type = group.word("type", types)) {
      boundary[name] = read(group, *type, name);
    } else {
      group.ignore_rest();  // its valid keys depend on the type
    }
  }
  return boundary;
}

/// The same for conditions of nodal values, whose functions the loop reads by their keys. `file`: the case, for
/// messages. `without_time`: expected functions, for messages, if time dependence is refused; null: it is allowed.
std::map<std::string, NodalBoundary> read_conditions(TomlSection& root, const WordSet<NodalBoundary>& types,
                                                     const std::string& file, const char* without_time = nullptr);

/// The times of a run from `begin` to `end` [s], for messages; `begin` is `end` where it is not known.
std::string times_of_run(double begin, double end);

/// `end` of [time]; infinity if it is missing, which is a fault.
real read_end(TomlSection& section);

/// Reads the step size `key` [s]; 0: absent. Notes a fault if it takes more than 2e9 steps to reach `end`.
real read_step(TomlSection& section, const std::string& key, real end, bool is_required = false);

/// [time] with steps of one length: `end`, and either `step` or `cfl`, in this range. `why`: what refuses other keys.
TimeSettings read_equal_steps(TomlSection section, const NumberRange& cfl, const std::string& why);

/// The [solver.NAME] with the name and the defaults of `defaults`. `preconditioners`: those allowed; empty: all.
SolveControl read_solver(TomlSection solvers, SolveControl defaults,
                         const std::vector<std::string>& preconditioners = {});

/// Notes a fault if `formula`, the value of `key`, depends on time; the message says `expected`.
void refuse_time(TomlSection& section, const std::string& key, const Formula& formula, const char* expected);

/// Key of a material property in [table] of the case `file`.
struct PropertyKey {
  std::string file, table, key;
  bool is_positive;          ///< its values must be positive
  const char* without_time;  ///< expected value, for messages, if time dependence is refused; null: it is allowed
};
/// Reads one value for the whole mesh, or one per volume group.
MaterialProperty read_property(TomlSection& section, const PropertyKey& wanted, std::optional<double> fallback = {});

}  // namespace solenoid
