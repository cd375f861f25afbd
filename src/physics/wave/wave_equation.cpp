#include "physics/wave/wave_equation.hpp"

#include <algorithm>
#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/mean_mass.hpp"
#include "operators/p1.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

real size_of_cell(real volume, int dimension) {
  return dimension == 2 ? std::sqrt(4 * volume / std::sqrt(real{3})) : std::cbrt(6 * std::sqrt(real{2}) * volume);
}

WaveEquation::Coefficients::Coefficients(const LocalMesh& mesh, const WaveProblem& problem,
                                         const std::vector<PatchNodes>& patches)
    : absorption(mesh.owned<Node>(), 0) {
  std::vector<real> speed;
  mesh.comm().guard([&] { speed = cell_means(mesh, problem.speed, 0); });
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    rate = std::max(rate, speed[c] / size_of_cell(mesh.geometry().cell_volume[c], mesh.dimension()));
  }
  rate = mesh.comm().max(rate);
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (problem.boundary[p].kind != BoundaryKind::absorbing) continue;
    for (const PatchNodes::Side& side : patches[p].sides) {
      const BoundaryFace& face = mesh.boundary()[side.boundary_face];
      const real part = speed[face.cell] * mesh.geometry().face_area[face.face] / mesh.dimension();
      for (int k = 0; k < mesh.dimension(); ++k) {
        if (side.place[k] >= 0) absorption[patches[p].node[side.place[k]]] += part;
      }
    }
  }
  for (real& c : speed) c *= c;
  stiffness = p1_stiffness(mesh, speed);
}

WaveEquation::WaveEquation(const LocalMesh& mesh, WaveProblem problem, const SolveControl& control, real time)
    : mesh_(mesh),
      problem_(std::move(problem)),
      control_(control),
      time_(time),
      patch_nodes_(nodes_of_patches(mesh)),
      mass_rows_(mean_mass(mesh)),
      coefficients_(mesh, problem_, patch_nodes_),
      unknowns_(mesh, prescribed_on(mesh, [&](int p) { return problem_.boundary[p].kind == BoundaryKind::value; })),
      mass_(mass_rows_),
      stiffness_(coefficients_.stiffness),
      displacement_(mesh),
      rate_(mesh),
      rate_old_(mesh),
      load_(mesh),
      load_old_(mesh),
      given_(mesh),
      is_given_(mesh),
      momentum_(mesh),
      tension_(mesh),
      change_(mesh),
      right_side_(mesh),
      work_(mesh) {
  control_ = recorded_in(solves_, control_);
  unknowns_.set_prescribed(is_given_, 1);
  std::vector<real> displacement, rate;
  mesh.comm().guard([&] {
    const std::span points = std::span(mesh.part().points).first(mesh.owned<Node>());
    displacement = problem_.displacement.at(points, time);
    rate = problem_.rate.at(points, time);
  });
  displacement_.from_host(displacement);
  rate_.from_host(rate);
  sample(time, true);
  displacement_ = displacement_ + is_given_ * (given_ - displacement_);
  rate_ = rate_ - is_given_ * rate_;
}

/// Prescribed displacements at owned nodes, the mean if several patches prescribe one; 0 elsewhere.
std::vector<real> WaveEquation::given_at(real time) const {
  std::vector<real> values(mesh_.owned<Node>(), 0);
  std::vector<int> patches_there(values.size(), 0);
  for (std::size_t p = 0; p < patch_nodes_.size(); ++p) {
    if (problem_.boundary[p].kind != BoundaryKind::value) continue;
    const std::vector<real> of_patch = at_nodes(mesh_, patch_nodes_[p], problem_.boundary[p].f(), time);
    for (std::size_t k = 0; k < of_patch.size(); ++k) {
      values[patch_nodes_[p].node[k]] += of_patch[k];
      ++patches_there[patch_nodes_[p].node[k]];
    }
  }
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (patches_there[n] > 1) values[n] /= static_cast<real>(patches_there[n]);
  }
  return values;
}

/// Copies sources and prescribed displacements at `time` to the device; unless `all`, those that depend on time.
void WaveEquation::sample(real time, bool all) {
  const bool of_source = all || problem_.source.depends().on_time, of_boundary = all || boundary_moves();
  std::vector<real> loads, given;
  mesh_.comm().guard([&] {
    if (of_source) loads = source_loads(mesh_, problem_.source, time);
    if (of_boundary) given = given_at(time);
  });
  if (of_source) load_.from_host(loads);
  if (of_boundary) given_.from_host(given);
}

bool WaveEquation::boundary_moves() const {
  return std::any_of(problem_.boundary.begin(), problem_.boundary.end(),
                     [](const NodalBoundary& condition) { return condition.depends_on_time(); });
}

bool WaveEquation::depends_on_time() const { return boundary_moves() || problem_.source.depends().on_time; }

/// Initial rate of the prescribed nodes, by a difference of second order over a small part of a step.
void WaveEquation::start_given(real dt) {
  const real h = dt / 1000;
  std::vector<real> rate;
  mesh_.comm().guard([&] {
    const std::vector<real> now = given_at(time_), soon = given_at(time_ + h), later = given_at(time_ + 2 * h);
    for (std::size_t n = 0; n < now.size(); ++n) rate.push_back((4 * soon[n] - 3 * now[n] - later[n]) / (2 * h));
  });
  work_.from_host(rate);
  rate_ = rate_ + is_given_ * (work_ - rate_);
  products_are_of_now_ = false;
}

/// M/dt^2 + C/(2 dt) + K/4.
void WaveEquation::build_system(real dt) {
  constexpr real round_off = 1e-9;
  if (std::abs(dt - dt_of_system_) <= round_off * dt_of_system_) return;
  MatrixRows rows = coefficients_.stiffness;  // of the same pattern as the mass
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      rows.value[k] = mass_rows_.value[k] / (dt * dt) + rows.value[k] / 4;
      if (rows.column[k] == i) rows.value[k] += coefficients_.absorption[i] / (2 * dt);
    }
  }
  around_given_.emplace(around_prescribed(rows, unknowns_.role()));
  system_.emplace(unknowns_, rows, control_.preconditioner);
  dt_of_system_ = dt;
  system_->record_setup(control_);
}

void WaveEquation::advance(real dt) {
  if (dt_ == 0 && boundary_moves()) start_given(dt);
  build_system(dt);
  const real step = dt_of_system_;  // equal within round-off
  load_old_.copy_from(load_);
  sample(time_ + dt);

  update_products();
  right_side_ = (1 / step) * momentum_ - real{0.5} * tension_ + real{0.25} * (load_ + load_old_);
  work_ = is_given_ * (given_ - displacement_);
  right_side_ = right_side_ - *around_given_ * halo(work_);
  const real going_on = dt_ > 0 ? step / (2 * dt_) : 0;  // first guess: the rate continues to change as before
  change_ = step * (rate_ + going_on * (rate_ - rate_old_));
  change_ = change_ + is_given_ * (work_ - change_);
  step_or_undo([&] { system_->solve(right_side_, change_, control_); }, [&] { sample(time_); });
  products_are_of_now_ = false;
  displacement_ = displacement_ + change_;
  rate_old_.copy_from(rate_);
  rate_ = (2 / step) * change_ - rate_;
  time_ += dt;
  dt_ = step;
}

/// Collective.
void WaveEquation::update_products() {
  if (products_are_of_now_) return;
  momentum_ = mass_ * halo(rate_);
  tension_ = stiffness_ * halo(displacement_);
  products_are_of_now_ = true;
}

real WaveEquation::energy() {
  update_products();
  return (sum(mesh_, rate_ * momentum_) + sum(mesh_, displacement_ * tension_)) / 2;
}

void WaveEquation::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.number("dt", dt_);
  visitor.field("displacement", displacement_);
  visitor.field("rate", rate_);
  visitor.field("rate_old", rate_old_);
  visitor.number("dt_of_system", dt_of_system_);
}

void WaveEquation::state_restored() {
  const real dt = dt_of_system_;
  dt_of_system_ = 0;
  products_are_of_now_ = false;
  if (dt > 0) build_system(dt);
  sample(time_);
}

}  // namespace solenoid
