#include "model/quantity.hpp"

#include <algorithm>
#include <type_traits>

#include "model/point_sampler.hpp"

namespace solenoid {

namespace {

template <class F>
std::vector<typename F::value_type> on_host(F& values) {
  if constexpr (requires { values.all_to_host(); }) {
    return values.all_to_host();
  } else {
    return values.to_host();
  }
}

}  // namespace

std::vector<real> flat(const std::vector<Vec3>& vectors) {
  std::vector<real> result;
  result.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) result.insert(result.end(), {v.x, v.y, v.z});
  return result;
}

std::vector<real> to_host(const Evaluated& values) {
  return std::visit(
      [](auto* field) {
        if constexpr (std::is_same_v<typename std::remove_pointer_t<decltype(field)>::value_type, Vec3>) {
          return flat(on_host(*field));
        } else {
          return on_host(*field);
        }
      },
      values);
}

AtPoints between_nodes(const PointSampler& points, std::function<Evaluated()> evaluate) {
  return [&points, evaluate = std::move(evaluate)] {
    const std::vector<real> all = std::get<Field<Node>*>(evaluate())->all_to_host();
    std::vector<real> at_nodes;
    for (const int n : points.nodes()) at_nodes.push_back(all[n]);
    return points.linear(at_nodes);
  };
}

AtPoints of_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate) {
  return [&points, evaluate = std::move(evaluate)] {
    return flat(points.in_cells(std::get<Field<Cell, Vec3>*>(evaluate())->to_host()));
  };
}

AtPoints around_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate) {
  return [&points, evaluate = std::move(evaluate)] {
    return points.at_points(std::get<Field<Cell>*>(evaluate())->all_to_host());
  };
}

Quantity quantity_at_nodes(const QuantityInfo& info, Field<Node>& values) {
  const auto evaluate = [&values]() -> Evaluated { return halo(values), &values; };
  return {info, false, evaluate, [evaluate](const PointSampler& points) { return between_nodes(points, evaluate); }};
}

std::vector<std::string> names_on_patches(const std::vector<QuantityInfo>& quantities) {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities) {
    if (info.is_shown_on_patches()) names.push_back(info.name);
  }
  return names;
}

bool has_section_mean(const QuantityInfo& info) {
  return info.components == 1 && info.at != ValuesAt::boundary_faces && info.dimension == 0 && !info.columns.empty();
}

std::vector<std::string> field_words(const std::vector<QuantityInfo>& quantities, bool at_points) {
  std::vector<std::string> words;
  for (const QuantityInfo& info : quantities) {
    if (info.field.empty() || (at_points && info.columns.empty())) continue;
    if (std::find(words.begin(), words.end(), info.field) == words.end()) words.push_back(info.field);
  }
  return words;
}

}  // namespace solenoid
