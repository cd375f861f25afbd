#include "run/checkpoint/case_changes.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// Converts lists of named tables to tables of tables.
nlohmann::json by_names(nlohmann::json all) {
  const auto has_name = [](const nlohmann::json& table) {
    return table.is_object() && table.contains("name") && table["name"].is_string();
  };
  for (nlohmann::json& list : all) {
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), has_name)) continue;
    nlohmann::json named = nlohmann::json::object();
    for (nlohmann::json& table : list) {
      const auto name = table["name"].get<std::string>();
      table.erase("name");
      named[name] = std::move(table);
    }
    list = std::move(named);
  }
  return all;
}

/// The value in one line; a long one by its size.
std::string short_text_of(const nlohmann::json& value) {
  constexpr std::size_t most = 100;
  const std::string text = value.dump();
  if (text.size() <= most) return text;
  return value.is_array() ? message("a list of {}", value.size()) : message("a text of {} characters", text.size());
}

void add_changes(const std::string& beginning, const nlohmann::json& now, const nlohmann::json& before,
                 std::vector<CaseChange>& found) {
  for (const auto& [name, value] : now.items()) {
    const std::string key = beginning + name;
    const bool was_there = before.contains(name);
    if (was_there && before[name] == value) continue;
    if (value.is_object() && was_there && before[name].is_object()) {
      add_changes(key + ".", value, before[name], found);
    } else if (was_there) {
      found.push_back({key, message("{} is {}, was {}", key, short_text_of(value), short_text_of(before[name]))});
    } else {
      found.push_back(
          {key, value.is_object() ? key + " is new" : message("{} is {}, was not there", key, short_text_of(value))});
    }
  }
  for (const auto& [name, value] : before.items()) {
    const std::string key = beginning + name;
    if (now.contains(name)) continue;
    found.push_back(
        {key, value.is_object() ? key + " is gone" : message("{} is gone, was {}", key, short_text_of(value))});
  }
}

}  // namespace

std::vector<CaseChange> changes_of_case(const nlohmann::json& now, const nlohmann::json& before) {
  nlohmann::json named = by_names(now), named_before = by_names(before);
  for (const auto& [table, content] : named.items()) {  // an empty list of tables is absent
    if (content.is_object() && !named_before.contains(table)) named_before[table] = nlohmann::json::object();
  }
  for (const auto& [table, content] : named_before.items()) {
    if (content.is_object() && !named.contains(table)) named[table] = nlohmann::json::object();
  }
  std::vector<CaseChange> found;
  add_changes("", named, named_before, found);
  return found;
}

}  // namespace solenoid
