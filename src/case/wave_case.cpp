/// The tables of waves in the case file.
#include "case/case_words.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "physics/wave/wave_setup.hpp"

namespace solenoid {

namespace {}  // namespace

std::unique_ptr<ModelSetup> read_wave_case(TomlSection& root, const std::filesystem::path& file) {
  auto setup = std::make_unique<WaveSetup>();
  setup->file = file.string();
  TomlSection wave = root.table("wave");
  setup->speed = read_property(
      wave, {setup->file, "wave", "speed", true, "an expression without t: the speed of waves does not change"});
  setup->source = read_property(wave, {setup->file, "wave", "source", false, nullptr}, 0.0);
  setup->time =
      read_equal_steps(root.required_table("time", "`end`, and `step` or `cfl`"), courant_number,
                       "is not for [wave]: its steps are of one length, by average acceleration, and do not settle");
  const WordSet<NodalBoundary> conditions{
      {{"displacement", given_displacement()}, {"free", free_side()}, {"absorbing", absorbing_side()}},
      boundary_types_beside("wave")};
  setup->boundary = read_conditions(root, conditions, setup->file);
  TomlSection initial = root.table("initial");
  setup->displacement = given(initial.formula("displacement", any_number, 0.0));
  setup->rate = given(initial.formula("rate", any_number, 0.0));
  TomlSection solver = root.table("solver");
  setup->wave = read_solver(solver, setup->wave);
  refuse_solvers_beside("wave", solver);
  return setup;
}

}  // namespace solenoid
