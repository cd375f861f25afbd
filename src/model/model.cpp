#include "model/model.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace solenoid {

SolveReport Model::solve_steady() {
  throw Error(ExitCode::bad_input, "this model has no steady state to solve for at once: give it a [time]", true);
}

std::vector<std::string> names_of_patch_columns(const std::string& prefix, const std::vector<std::string>& patches,
                                                std::vector<std::string> taken) {
  const auto ends_a_name = [](char c) { return c == ',' || c == '[' || c == ']' || c == '"' || c == '\n'; };
  std::vector<std::string> names;
  for (std::string patch : patches) {
    std::replace_if(patch.begin(), patch.end(), ends_a_name, '_');
    while (std::find(taken.begin(), taken.end(), patch) != taken.end()) patch += '_';
    taken.push_back(patch);
    names.push_back(prefix + "_" + patch);
  }
  return names;
}

void add_solver_columns(std::vector<HistoryColumn>& columns, const SolveLog& solves, const std::string& solver) {
  const auto last = [&solves, solver] { return solves.last(solver); };
  columns.push_back({"iterations_" + solver, "-", [last] { return std::int64_t{last().iterations}; }});
  columns.push_back({"residual_" + solver, "-", [last] { return double{last().residual}; }});
}

namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void CoupledModel::start() {
  for (const auto& part : parts_) part->start();
}

void CoupledModel::build_systems(real dt) {
  for (const auto& part : parts_) part->build_systems(dt);
}

real CoupledModel::next_step(real target) const {
  real shortest = parts_.front()->next_step(target);
  for (const auto& part : parts_) shortest = std::min(shortest, part->next_step(target));
  return shortest;
}

void CoupledModel::advance(real dt) {
  std::vector<Model*> advanced;
  step_or_undo(
      [&] {
        for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
          (*part)->advance(dt);
          advanced.push_back(part->get());
        }
      },
      [&] {
        for (Model* const part : advanced) part->revert_step();
      });
}

void CoupledModel::revert_step() {
  for (const auto& part : parts_) part->revert_step();
}

void CoupledModel::diagnose() {
  for (const auto& examined : parts_) {
    step_or_undo([&] { examined->diagnose(); },
                 [&] {
                   for (const auto& part : parts_) {
                     if (part != examined) part->revert_step();
                   }
                 });
  }
}

real CoupledModel::rate_of_change() {
  real largest = 0;
  for (const auto& part : parts_) largest = std::max(largest, part->rate_of_change());
  return largest;
}

bool CoupledModel::depends_on_time() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->depends_on_time(); });
}

std::string CoupledModel::progress() const {
  std::vector<std::string> texts;
  for (const auto& part : parts_) texts.push_back(part->progress());
  return joined(texts, "  ");
}

std::vector<HistoryColumn> CoupledModel::history() {
  std::vector<HistoryColumn> columns;
  for (const auto& part : parts_) append(columns, part->history());
  return columns;
}

ModelOutcome CoupledModel::outcome() {
  ModelOutcome all;
  for (const auto& part : parts_) {
    ModelOutcome outcome = part->outcome();
    all.ending += outcome.ending;
    append(all.lines, std::move(outcome.lines));
    append(all.warnings, std::move(outcome.warnings));
    append(all.figures, std::move(outcome.figures));
  }
  return all;
}

std::vector<std::string> CoupledModel::remarks() const {
  std::vector<std::string> all;
  for (const auto& part : parts_) append(all, part->remarks());
  return all;
}

std::vector<std::string> CoupledModel::origin() const {
  std::vector<std::string> all;
  for (const auto& part : parts_) append(all, part->origin());
  return all;
}

std::vector<Quantity> CoupledModel::quantities() {
  std::vector<Quantity> all;
  for (const auto& part : parts_) append(all, part->quantities());
  return all;
}

void CoupledModel::visit_state(StateVisitor& visitor) {
  for (const auto& part : parts_) part->visit_state(visitor);
}

void CoupledModel::state_restored() {
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) (*part)->state_restored();
}

void CoupledModel::require_sound() {
  for (const auto& part : parts_) part->require_sound();
}

const SolveLog& CoupledModel::solves() const {
  for (const auto& part : parts_) solves_.merge(part->solves());
  return solves_;
}

}  // namespace solenoid
