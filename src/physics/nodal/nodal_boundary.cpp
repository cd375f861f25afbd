#include "physics/nodal/nodal_boundary.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

bool NodalBoundary::depends_on_time() const {
  return std::any_of(functions.begin(), functions.end(), [](const Function& of) { return of.value.depends_on_time(); });
}

std::string NodalBoundary::in_words() const {
  std::vector<MessageValue> texts;
  for (const Function& of : functions) texts.push_back(of.value.text());
  return format_message(text, texts);
}

NodalBoundary NodalBoundary::transformed(const Frame& frame) const {
  NodalBoundary other = *this;
  for (Function& of : other.functions) of.value = frame.seen(of.value, of.unit);
  return other;
}

}  // namespace solenoid
