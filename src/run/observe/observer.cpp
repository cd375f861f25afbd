#include "run/observe/observer.hpp"

#include <algorithm>

namespace solenoid {

namespace {

template <class Unasked>
std::vector<Quantity> chosen(const std::vector<Quantity>& quantities, const std::vector<std::string>& words,
                             const Unasked& unasked) {
  std::vector<Quantity> result;
  for (const Quantity& quantity : quantities) {
    const bool is_asked_for = std::find(words.begin(), words.end(), quantity.info.field) != words.end();
    if (is_asked_for || unasked(quantity.info)) result.push_back(quantity);
  }
  return result;
}

}  // namespace

std::vector<Quantity> for_fields(const std::vector<Quantity>& quantities, const std::vector<std::string>& words) {
  return chosen(quantities, words, [](const QuantityInfo& info) { return info.field.empty(); });
}

std::vector<Quantity> for_lines(const std::vector<Quantity>& quantities, const std::vector<std::string>& words) {
  return chosen(quantities, words, [](const QuantityInfo& info) { return info.on_every_line; });
}

}  // namespace solenoid
