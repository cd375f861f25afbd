#include "physics/nodal/diffusion_data.hpp"

#include <algorithm>

#include "operators/p1.hpp"

namespace solenoid {

namespace {

void replace_in(const std::vector<char>& marks, const std::optional<real>& value, std::vector<real>& of_cells) {
  for (std::size_t c = 0; value && c < of_cells.size(); ++c) {
    if (marks[c]) of_cells[c] = *value;
  }
}

}  // namespace

DiffusionData::DiffusionData(const LocalMesh& mesh, HeatProblem problem, real time)
    : mesh_(mesh),
      problem_(std::move(problem)),
      patch_nodes_(nodes_of_patches(mesh)),
      held_(patch_nodes_.size()),
      capacity_(mesh.owned<Node>(), 0),
      patches_(patch_nodes_.size()) {
  sample(time, true);
}

bool DiffusionData::hold(std::vector<std::vector<char>> of_patch) {
  if (of_patch == held_) return false;
  held_ = std::move(of_patch);
  collect();
  return true;
}

std::vector<real> DiffusionData::held() const {
  std::vector<real> marks(capacity_.size(), 0);
  for (int p = 0; p < static_cast<int>(patch_nodes_.size()); ++p) {
    const std::vector<int>& nodes = patch_nodes_[p].node;
    for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
      if (holds(p, k)) marks[nodes[k]] = 1;
    }
  }
  return marks;
}

bool DiffusionData::matrix_depends_on_time() const {
  return problem_.conductivity.depends().on_time ||
         (problem_.heat_capacity && problem_.heat_capacity->depends().on_time) ||
         std::any_of(problem_.boundary.begin(), problem_.boundary.end(), [](const NodalBoundary& condition) {
           return condition.kind == BoundaryKind::exchange && condition.f().depends_on_time();
         });
}

bool DiffusionData::depends_on_time() const {
  return matrix_depends_on_time() || source_depends_on_time() ||
         std::any_of(problem_.boundary.begin(), problem_.boundary.end(),
                     [](const NodalBoundary& condition) { return condition.depends_on_time(); });
}

bool DiffusionData::source_depends_on_time() const {
  return problem_.source.depends().on_time ||
         std::any_of(problem_.of_cells.begin(), problem_.of_cells.end(),
                     [](const HeatOfCells& cells) { return cells.source.depends_on_time(); });
}

void DiffusionData::sample(real time, bool all) {
  if (!all && !depends_on_time()) return;
  mesh_.comm().guard([&] {
    sample_materials(time, all);
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      if (all || problem_.boundary[p].depends_on_time()) sample_patch(static_cast<int>(p), time);
    }
    collect();
  });
  bounds_.share(mesh_.comm());
}

void DiffusionData::sample_materials(real time, bool all) {
  if (all || problem_.conductivity.depends().on_time) {
    conductivity_ = cell_means(mesh_, problem_.conductivity, time);
    for (const HeatOfCells& cells : problem_.of_cells) replace_in(cells.marks, cells.conductivity, conductivity_);
    stiffness_ = p1_stiffness(mesh_, conductivity_);
  }
  if (problem_.heat_capacity && (all || problem_.heat_capacity->depends().on_time)) {
    heat_capacity_ = cell_means(mesh_, *problem_.heat_capacity, time);
    for (const HeatOfCells& cells : problem_.of_cells) replace_in(cells.marks, cells.heat_capacity, heat_capacity_);
    capacity_ = p1_lumped_mass(mesh_, heat_capacity_);
  }
  if (all || source_depends_on_time()) {
    source_loads_ = source_loads(mesh_, problem_.source, time);
    for (const HeatOfCells& cells : problem_.of_cells) {
      add_loads(mesh_, cells.marks, cells.source.at(Vec3{}, time), source_loads_);
    }
    source_ = {};
    for (const real load : source_loads_) source_ += load;
    bounds_.include_heat(source_loads_);
  }
}

void DiffusionData::sample_patch(int patch, real time) {
  const PatchNodes& nodes = patch_nodes_[patch];
  PatchLoad& load = patches_[patch];
  load.constant.assign(nodes.node.size(), 0);
  load.coefficient.assign(nodes.node.size(), 0);
  const NodalBoundary& condition = problem_.boundary[patch];
  if (condition.kind == BoundaryKind::flux) {
    load.constant = patch_loads(mesh_, nodes, condition.f(), time);
    bounds_.include_heat(load.constant);
  }
  const bool is_exchange = condition.kind == BoundaryKind::exchange;
  if (!is_given(patch) && !is_exchange) return;
  load.value = at_nodes(mesh_, nodes, condition.g(), time);
  bounds_.include(load.value);
  if (!is_exchange) return;
  load.coefficient = patch_loads(mesh_, nodes, condition.f(), time);
  for (std::size_t k = 0; k < load.value.size(); ++k) load.constant[k] = load.coefficient[k] * load.value[k];
}

/// Sums the contributions of the patches.
void DiffusionData::collect() {
  const std::size_t owned = source_loads_.size();
  exchange_.assign(owned, 0);
  given_.assign(owned, 0);
  load_ = source_loads_;
  std::vector<int> patches_there(owned, 0);
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    const PatchLoad& load = patches_[p];
    for (std::size_t k = 0; k < load.constant.size(); ++k) {
      const int n = patch_nodes_[p].node[k];
      load_[n] += load.constant[k];
      exchange_[n] += load.coefficient[k];
      if (!holds(static_cast<int>(p), static_cast<int>(k))) continue;
      given_[n] += load.value[k];
      ++patches_there[n];
    }
  }
  for (std::size_t n = 0; n < owned; ++n) {
    if (patches_there[n] > 1) given_[n] /= static_cast<real>(patches_there[n]);
  }
}

}  // namespace solenoid
