#include "io/layers/layer_settings.hpp"

#include "base/error.hpp"

namespace solenoid {

double LayerSettings::thickness() const {
  double sum = 0, layer = first;
  for (int k = 0; k < count; ++k, layer *= growth) sum += layer;
  return sum;
}

std::vector<real> LayerSettings::heights() const {
  std::vector<real> ends{0};
  double height = 0, layer = first;
  const double whole = thickness();
  for (int k = 0; k < count; ++k, layer *= growth) {
    height += layer;
    ends.push_back(static_cast<real>(height / whole));
  }
  return ends;
}

std::string LayerSettings::text(const PatchPairs& pairs) const {
  if (count == 0) return "";
  std::string text = message("layers {} {} {} on", first, growth, count);
  for (const std::string& name : patches) text += message(" {}:{}", name.size(), name);
  for (const auto& [one, other] : pairs) text += message(" {}:{}={}:{}", one.size(), one, other.size(), other);
  return text;
}

}  // namespace solenoid
