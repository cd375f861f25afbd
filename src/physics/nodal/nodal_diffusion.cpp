#include "physics/nodal/nodal_diffusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

real HeatBalance::supplied() const {
  real sum = std::max(source, real{0}) + std::max(-stored, real{0});
  for (const real heat : through) sum += std::max(heat, real{0});
  return sum;
}

real HeatBalance::imbalance() const {
  real sum = source - stored;
  for (const real heat : through) sum += heat;
  return sum;
}

std::string HeatBalance::in_words(const std::vector<std::string>& patches, bool is_steady) const {
  std::vector<std::string> terms;
  for (std::size_t p = 0; p < through.size(); ++p) terms.push_back(message("{} {:.6g}", patches[p], through[p]));
  if (source != 0) terms.push_back(message("sources {:.6g}", source));
  if (!is_steady) terms.push_back(message("stored {:.6g}", stored));
  return joined(terms, ", ");
}

void add_balance_columns(std::vector<HistoryColumn>& columns, const HeatBalance& balance, const std::string& prefix,
                         const std::string& unit, const std::vector<std::string>& patches,
                         std::vector<std::string> taken) {
  taken.insert(taken.end(), {"source", "stored", "imbalance"});
  const std::vector<std::string> names = names_of_patch_columns(prefix, patches, taken);
  for (std::size_t p = 0; p < names.size(); ++p) {
    columns.push_back({names[p], unit, [&balance, p] { return balance.through[p]; }});
  }
  columns.push_back({prefix + "_source", unit, [&balance] { return balance.source; }});
  columns.push_back({prefix + "_stored", unit, [&balance] { return balance.stored; }});
  columns.push_back({prefix + "_imbalance", unit, [&balance] { return balance.imbalance(); }});
}

namespace {

std::vector<int> owned_prescribed(const Space<Node>& unknowns) {
  std::vector<int> nodes;
  for (int n = 0; n < unknowns.mesh().owned<Node>(); ++n) {
    if (unknowns.role()[n] == Space<Node>::prescribed) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace

NodalDiffusion::NodalDiffusion(const LocalMesh& mesh, HeatProblem problem, real time, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      time_(time),
      data_(mesh, std::move(problem), time),
      unknowns_(mesh, prescribed_where<Node>(mesh, data_.held())),
      prescribed_(owned_prescribed(unknowns_)),
      patch_heat_(mesh, data_),
      conductivity_(mesh),
      load_(mesh),
      given_(mesh),
      values_(mesh),
      values_old_(mesh),
      work_(mesh),
      gradient_(mesh),
      flux_(mesh),
      flux_in_(mesh) {
  upload();
}

void NodalDiffusion::upload() {
  conductivity_.from_host(std::span(data_.conductivity()).first(mesh_.owned<Cell>()));
  load_.from_host(data_.load());
  given_.from_host(data_.given());
  patch_heat_.update(data_);
}

void NodalDiffusion::set_unknowns() {
  unknowns_ = Space<Node>(mesh_, prescribed_where<Node>(mesh_, data_.held()));
  prescribed_ = DeviceArray<int>(owned_prescribed(unknowns_));
  patch_heat_.share(data_);
}

void NodalDiffusion::set_values(const Coefficient<real>& initial) {
  std::vector<real> values;
  mesh_.comm().guard([&] {
    values = initial.at(std::span(mesh_.part().points).first(mesh_.owned<Node>()), time_);
    data_.bounds().include(values);
  });
  data_.bounds().share(mesh_.comm());
  values_.from_host(values);
  prescribe(values_);
  flux_is_of_now_ = false;
  dt_ = 0;
}

void NodalDiffusion::prescribe(Field<Node>& values) const {
  const auto from = given_.view();
  const auto to = values.view();
  const int* const node = prescribed_.data();
  forall(
      static_cast<int>(prescribed_.size()), SOLENOID_KERNEL(int k) {
        const Index<Node> n{node[k]};
        to[n] = from[n];
      });
}

void NodalDiffusion::prescribe_change(Field<Node>& change) const {
  const auto wanted = given_.view(), there = values_.view();
  const auto difference = change.view();
  const int* const node = prescribed_.data();
  forall(
      static_cast<int>(prescribed_.size()), SOLENOID_KERNEL(int k) {
        const Index<Node> n{node[k]};
        difference[n] = wanted[n] - there[n];
      });
}

Field<Cell, Vec3>& NodalDiffusion::flux() {
  if (!flux_is_of_now_) {
    gradient_.apply(halo(values_), flux_);
    flux_ = -(conductivity_ * flux_);
  }
  flux_is_of_now_ = true;
  return flux_;
}

NodalDiffusion::Range NodalDiffusion::range() const {
  constexpr real beyond_all = std::numeric_limits<real>::max();
  const auto t = values_.view();
  const real low = reduce_min(
      values_.owned(), beyond_all, SOLENOID_KERNEL(int i) { return t[Index<Node>{i}]; });
  const real high = reduce_max(
      values_.owned(), -beyond_all, SOLENOID_KERNEL(int i) { return t[Index<Node>{i}]; });
  return {mesh_.comm().min(low), mesh_.comm().max(high)};
}

real NodalDiffusion::rate_of_change(const Field<Node>& capacity) {
  const Range now = range();
  const TemperatureBounds& bounds = data_.bounds();
  met_.include(std::array{now.low, now.high});
  if (!bounds.is_empty()) met_.include(std::array{bounds.low, bounds.high});
  const auto change = values_ - values_old_;
  const real squares = sum(mesh_, capacity * (change * change));
  if (dt_ == 0 || squares == 0) return 0;
  constexpr real round_off = 1e-9;  // a narrower range counts as zero
  const real largest = std::max(std::abs(met_.high), std::abs(met_.low));
  const real spread = std::max(met_.high - met_.low, round_off * largest);
  return std::sqrt(squares / sum(mesh_, operand(capacity))) / (dt_ * spread);
}

std::vector<QuantityInfo> diffusion_quantities(const std::string& name, const std::string& unit,
                                               const std::string& flux, const std::string& unit_of_flux) {
  return {{.field = name, .name = name, .unit = unit, .at = ValuesAt::nodes, .columns = {name}, .on_patches = true},
          {.field = flux,
           .name = flux,
           .unit = unit_of_flux,
           .at = ValuesAt::cells,
           .components = 3,
           .columns = {flux + "_x", flux + "_y", flux + "_z"}},
          {.field = flux, .name = flux + "_in", .unit = unit_of_flux, .at = ValuesAt::boundary_faces}};
}

std::vector<Quantity> NodalDiffusion::quantities(const std::vector<QuantityInfo>& infos) {
  const auto in_cells = [this]() -> Evaluated { return halo(flux()), &flux_; };
  return {quantity_at_nodes(infos[0], values_),
          {infos[1], false, in_cells, [in_cells](const PointSampler& at) { return of_the_cell(at, in_cells); }},
          {infos[2], false, [this]() -> Evaluated {
             flux_into(flux(), flux_in_);
             return &flux_in_;
           }}};
}

}  // namespace solenoid
