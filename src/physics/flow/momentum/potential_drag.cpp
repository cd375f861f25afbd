#include "physics/flow/momentum/potential_drag.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/assemble.hpp"
#include "operators/interpolation.hpp"
#include "operators/nedelec.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Between 1 + trace per_alpha now and that of the near inverses, over all cells. Collective.
real largest_ratio(const Field<Cell, Tensor>& per_viscosity, const Field<Cell>& built, real per_alpha) {
  const auto R = per_viscosity.view();
  const auto known = built.view();
  count_owned(per_viscosity, built);
  return built.mesh().comm().max(reduce_max(
      built.owned(), 1, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        const real now = 1 + per_alpha * R[c].trace(), before = 1 + known[c];
        return now > before ? now / before : before / now;
      }));
}

/// Collective.
real least_of_cells(const Field<Cell>& values) {
  const auto value = values.view();
  count_owned(values);
  return -values.mesh().comm().max(reduce_max(
      values.owned(), -Box::far, SOLENOID_KERNEL(int i) { return -value[Index<Cell>{i}]; }));
}

}  // namespace

PotentialDrag::PotentialDrag(const Space<Edge>& free_edges, const PorousDrag& drag, PreconditionerKind kind,
                             const MemoryOf& /*scope*/)
    : free_edges_(free_edges),
      mesh_(free_edges.mesh()),
      drag_(drag),
      kind_(kind),
      flux_(std::in_place, mesh_),
      along_duals_(std::in_place, mesh_),
      circulation_(std::in_place, mesh_),
      velocity_(mesh_),
      built_(mesh_) {
  if (mesh_.dimension() == 3) curl_.emplace(mesh_);
}

void PotentialDrag::add(const Scalar<>& factor, Field<Edge>& s, Field<Edge>& product) {
  if (curl_) {
    curl_->compute(halo(s), velocity_);
    drag_.multiply(factor, velocity_);
    curl_->circulate(halo(velocity_), *circulation_);
    product = product + *circulation_;
    return;
  }
  *flux_ = mesh_.C * halo(s);
  compute(*flux_, *along_duals_);
  product = product + factor * (mesh_.R * halo(*along_duals_));
}

void PotentialDrag::compute(Field<Face>& flux, Field<Face>& along_duals) {
  interpolate(halo(flux), velocity_);
  drag_.multiply(1, velocity_);
  integrate(halo(velocity_), along_duals);
}

std::vector<real> PotentialDrag::diagonal() const {
  Field<Cell, Tensor> tensors(mesh_);
  tensors.copy_from(drag_.per_viscosity());
  halo(tensors);
  return curl_curl(mesh_, tensors.all_to_host()).diagonal();
}

bool PotentialDrag::renew(real alpha, real nu) {
  constexpr real near_enough = 2;
  const bool is_near = largest_ratio(drag_.per_viscosity(), built_, nu / alpha) <= near_enough;
  if (is_near && is_built_) return false;
  if (!is_near || !(is_built_ || is_restored_)) {
    const auto R = drag_.per_viscosity().view();
    const auto trace = built_.view();
    const real per_alpha = nu / alpha;
    forall(
        mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
          const Index<Cell> c{i};
          trace[c] = per_alpha * R[c].trace();
        });
  }
  build();
  return true;
}

void PotentialDrag::build() {
  is_built_ = true;
  if (kind_ == PreconditionerKind::none || kind_ == PreconditionerKind::jacobi) return;
  halo(built_);
  const real least = least_of_cells(built_);
  largest_ = most * (1 + least);
  const MatrixRows rows = curl_curl(mesh_, weights());
  if (mesh_.dimension() == 2) {
    on_nodes_.emplace(free_edges_, rows, kind_);
  } else {
    on_edges_.reset();
    matrix_.emplace(rows);
    on_edges_.emplace(free_edges_, rows, *matrix_, EdgeSmoothing::one_step, means_of_weights());
  }
}

std::vector<Tensor> PotentialDrag::weights() const {
  const std::vector<real> trace = built_.all_to_host();
  std::vector<Tensor> weight;
  for (std::size_t c = 0; c < trace.size(); ++c) {
    const Tensor& shape = drag_.shape()[c];
    const real factor = shape.trace() > 0 ? std::min(trace[c], largest_) / shape.trace() : 0;
    weight.push_back(Tensor{1, 1, 1} + factor * shape);
  }
  return weight;
}

std::vector<real> PotentialDrag::means_of_weights() const {
  std::vector<real> means = built_.all_to_host();
  for (real& value : means) value = 1 + std::min(value, largest_) / static_cast<real>(mesh_.dimension());
  return means;
}

Field<Edge> PotentialDrag::slowed(const Field<Edge>& mass) const {
  const MeshPart& part = mesh_.part();
  const std::vector<real> weight = means_of_weights();
  const std::vector<int> in_space = mesh_.dimension() == 3 ? edges_of_cells(part) : std::vector<int>();
  const CellTable edges{mesh_.dimension() == 3 ? in_space : part.cell_nodes, mesh_.dimension() == 3 ? 6 : 3};
  const SlotsInCells slots(part, edges, mesh_.owned<Edge>());
  std::vector<real> values = mass.to_host();
  for (int e = 0; e < mesh_.owned<Edge>(); ++e) {
    real sum = 0, volume = 0;
    for (const int slot : slots[e]) {
      const int c = slot / edges.per_cell;
      sum += weight[c] * mesh_.geometry().cell_volume[c];
      volume += mesh_.geometry().cell_volume[c];
    }
    values[e] *= sum / volume;
  }
  return {mesh_, values};
}

}  // namespace solenoid
