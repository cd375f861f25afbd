/// State that the sections of one case file share while they are read: for the files that implement TomlSection.
#pragma once

#include <unordered_map>

#include "case/point_values.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

struct TomlSection::State {
  struct Fault {
    TomlOrigin origin;
    std::string text;
  };
  struct Opened {
    TomlSection section;
    std::vector<std::string> known;  ///< declared keys
    bool rest_ignored = false;
  };

  TomlNode root;
  std::vector<Fault> faults;
  std::size_t further_faults = 0;                           ///< faults beyond the stored ones, only counted
  std::vector<Opened> opened;                               ///< in the order of reading
  std::unordered_map<const TomlNode*, std::size_t> places;  ///< indices in `opened`
  struct ReadPoints {
    TomlSection section;
    PointValuesFile table;
  };
  std::filesystem::path folder;          ///< of the case, for relative paths
  std::vector<ReadPoints> point_tables;  ///< in the order of reading
  FormulaFunctions functions;            ///< for the formulas that are read from now on
  nlohmann::ordered_json effective = nlohmann::ordered_json::object();

  void open(const TomlNode* node, const TomlSection& section) {
    places.try_emplace(node, opened.size());
    opened.push_back({section, {}});
  }
  Opened& of(const TomlNode* node) { return opened[places.at(node)]; }
  void note(const std::string& subject, const TomlOrigin& origin, const std::string& rest) {
    add({origin, subject + " (" + origin.place + ")" + rest});
  }
  void add(Fault fault) {
    constexpr std::size_t most = 1000;  // every entry of a long list may be wrong
    if (faults.size() < most) {
      faults.push_back(std::move(fault));
    } else {
      ++further_faults;
    }
  }
};

}  // namespace solenoid
