#include "run/observe/earlier_average.hpp"

#include <array>
#include <utility>

#include "mesh/local_mesh.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

namespace {

constexpr std::array arrays_of_state{std::pair{"_last", AverageArray::last}, std::pair{"_mean", AverageArray::mean},
                                     std::pair{"_squares", AverageArray::squares},
                                     std::pair{"_products", AverageArray::products}};

}  // namespace

void EarlierAverageState::number(const std::string& name, real& value) {
  if (name == "_weight") value = static_cast<real>(past_.weight);
  if (name == "_weight_of_squares") value = past_.has_variance ? static_cast<real>(past_.weight) : 0;
}

bool EarlierAverageState::array(const std::string& name, const LocalNumbering& numbering, real* values,
                                int components) {
  const bool is_at_nodes = &numbering == &mesh_.numbering<Node>();
  if (!is_at_nodes && &numbering != &mesh_.numbering<Cell>()) return false;
  const std::vector<Vec3>& places = is_at_nodes ? mesh_.part().points : mesh_.geometry().cell_centre;
  const std::span<const Vec3> owned(places.data(), static_cast<std::size_t>(numbering.owned));
  for (const auto& [ending, array] : arrays_of_state) {
    if (name != ending) continue;
    std::vector<real> found(owned.size() * static_cast<std::size_t>(components));
    bool is_there = false;
    mesh_.comm().guard(
        [&, array = array] { is_there = earlier_.average_at(average_, quantity_, array, owned, components, found); });
    if (!is_there) return false;
    copy_to_device(values, found.data(), found.size() * sizeof(real));
    has_last_ = has_last_ || array == AverageArray::last;
    has_mean_ = has_mean_ || array == AverageArray::mean;
    return true;
  }
  return false;
}

}  // namespace solenoid
