#include "run/observe/field_sink.hpp"

#include <algorithm>

#include "io/paraview/vtkhdf_series.hpp"

namespace solenoid {

void FieldSink::open(const OutputFolder& folder) {
  folder_ = folder;
  const OutputFolder inside = folder_.in(where_.folder);
  if (where_.format == FieldFormat::vtkhdf) {
    series_ = std::make_unique<VtkHdfSeries>(mesh_.comm(), inside, where_.name);
  } else {
    series_ = std::make_unique<VtkSeries>(mesh_.comm(), inside, where_.name);
  }
}

void FieldSink::write(int step, real time, const std::vector<Quantity>& quantities) {
  std::vector<VtkArray> at_points, in_cells;
  PatchQuantities on_patches;
  for (const auto& [info, takes_a_solve, evaluate, at_places] : quantities) {
    const std::vector<real> values = to_host(evaluate());
    if (info.at == ValuesAt::boundary_faces) {
      on_patches.at_faces.push_back({info.name, info.components, values});
    } else if (info.at == ValuesAt::cells) {
      in_cells.push_back({info.name, info.components, values});
    } else {
      VtkArray& array = at_points.emplace_back(VtkArray{info.name, info.components, {}});
      for (const int n : shown_.nodes) {
        const auto first = values.begin() + std::ptrdiff_t{n} * info.components;
        array.values.insert(array.values.end(), first, first + info.components);
      }
      if (info.on_patches) on_patches.at_nodes.push_back({info.name, info.components, values});
    }
  }
  series_->write(step, time, shown_.piece, at_points, in_cells);
  if (where_.folder.empty()) write_patches(folder_, mesh_, on_patches);
}

std::vector<std::string> FieldSink::write_without_solves(int step, real time) {
  std::vector<Quantity> chosen;
  std::vector<std::string> left_out;
  for (const Quantity& quantity : quantities_) {
    if (!quantity.takes_a_solve) {
      chosen.push_back(quantity);
    } else if (std::find(left_out.begin(), left_out.end(), quantity.info.field) == left_out.end()) {
      left_out.push_back(quantity.info.field);
    }
  }
  write(step, time, chosen);
  return left_out;
}

}  // namespace solenoid
