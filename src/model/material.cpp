#include "model/material.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/user_text.hpp"

namespace solenoid {

std::vector<std::string> region_faults(const MaterialProperty& property, const GlobalMesh& mesh,
                                       const std::string& file) {
  std::vector<std::string> faults;
  if (property.of_region.empty()) return faults;
  const auto add = [&](const std::string& text) { faults.push_back(message("{}: {}: {}", file, property.key, text)); };
  const std::string groups = mesh.regions.empty() ? "the mesh has none" : "its groups: " + name_list(mesh.regions);
  for (const auto& [name, value] : property.of_region) {
    if (std::find(mesh.regions.begin(), mesh.regions.end(), name) != mesh.regions.end()) continue;
    const auto near = nearest_name(name, mesh.regions);
    add(message("the mesh has no volume group `{}`{}; {}", name, near ? " (did you mean `" + *near + "`?)" : "",
                groups));
  }
  for (const std::string& name : mesh.regions) {
    if (property.of_region.count(name) == 0) add(message("no value for the mesh's volume group `{}`", name));
  }
  const auto in_none = std::find(mesh.cell_region.begin(), mesh.cell_region.end(), -1);
  if (in_none != mesh.cell_region.end()) add("cells of the mesh are in no volume group; " + groups);
  return faults;
}

MaterialProperty MaterialProperty::transformed(const Frame& frame, const std::string& unit) const {
  MaterialProperty other{key, frame.seen(everywhere, unit), of_region};
  for (auto& [region, value] : other.of_region) value = frame.seen(value, unit);
  return other;
}

OnRegions::OnRegions(const MaterialProperty& property, const std::vector<std::string>& regions)
    : of_region_{property.everywhere} {
  if (property.of_region.empty()) return;
  for (const std::string& region : regions) of_region_.push_back(property.of_region.at(region));
}

Dependence OnRegions::depends() const {
  Dependence depends;
  for (const Coefficient<real>& value : of_region_) depends = depends | value.depends();
  return depends;
}

}  // namespace solenoid
