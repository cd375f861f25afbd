/// Names of entries of [[kind]], which become part of file names.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/characters.hpp"
#include "base/error.hpp"
#include "case/toml_section.hpp"

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

}  // namespace solenoid
