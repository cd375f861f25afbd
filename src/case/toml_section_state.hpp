/// What the sections of one case file share while they are read: for the files that implement TomlSection.
#pragma once

#include <algorithm>

#include "case/toml_section.hpp"

namespace solenoid {

struct TomlSection::State {
  struct Fault {
    TomlOrigin origin;
    std::string text;
  };
  struct Opened {
    const TomlNode* node;
    TomlSection section;
    std::vector<std::string> known;  ///< keys asked for
    bool rest_ignored = false;
  };

  TomlNode root;
  std::vector<Fault> faults;
  std::vector<Opened> opened;  ///< in the order of reading
  nlohmann::ordered_json effective = nlohmann::ordered_json::object();

  Opened& of(const TomlNode* node) {
    return *std::find_if(opened.begin(), opened.end(), [&](const Opened& entry) { return entry.node == node; });
  }
  void note(const std::string& subject, const TomlOrigin& origin, const std::string& rest) {
    faults.push_back({origin, subject + " (" + origin.place + ")" + rest});
  }
};

}  // namespace solenoid
