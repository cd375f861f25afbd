/// Fields of scattered values that live as long as their benchmark.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "field/field.hpp"

namespace solenoid {

inline constexpr double word = sizeof(real);  ///< [bytes]

/// Values in (-1, 1) that depend on the global id alone.
template <class L>
std::shared_ptr<Field<L>> scattered(const LocalMesh& mesh) {
  std::vector<real> values;
  for (int i = 0; i < mesh.owned<L>(); ++i) {
    values.push_back(std::sin(12.9898 * static_cast<double>(mesh.numbering<L>().global_id[i]) + 1));
  }
  return std::make_shared<Field<L>>(mesh, values);
}

/// Runs `apply` `count` times.
inline std::function<void(int)> repeated(std::function<void()> apply) {
  return [apply = std::move(apply)](int count) {
    for (int k = 0; k < count; ++k) apply();
  };
}

/// The sum of `count` over all ranks.
inline double over_ranks(const LocalMesh& mesh, double count) { return mesh.comm().sum(real(count)); }

}  // namespace solenoid
