#include "case/case_words.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "case/formula.hpp"
#include "solve/boomeramg.hpp"

namespace solenoid {

const WordSet<TimeScheme> time_schemes{{{"second-order", TimeScheme::second_order}, {"euler", TimeScheme::euler}}, {}};

namespace {

const WordSet<PreconditionerKind> preconditioners = [] {
  WordSet<PreconditionerKind> set{{{"auto", PreconditionerKind::automatic},
                                   {"none", PreconditionerKind::none},
                                   {"jacobi", PreconditionerKind::jacobi},
                                   {"gauss-seidel", PreconditionerKind::gauss_seidel},
                                   {"multigrid", PreconditionerKind::multigrid}},
                                  {}};
  if (hypre_version().empty()) {
    set.refused.push_back({"boomeramg", needs_hypre});
  } else {
    set.words.emplace_back("boomeramg", PreconditionerKind::boomeramg);
  }
  return set;
}();

/// Round-off limits the tolerance: a residual cannot fall below a few units in the last place of its terms.
const NumberRange reachable_tolerance =
    sizeof(real) == sizeof(double)
        ? NumberRange{"a number of at least 1e-15, which double precision can reach, and less than 1",
                      [](double x) { return x >= 1e-15 && x < 1; }}
        : NumberRange{"a number of at least 1e-6, which single precision can reach, and less than 1",
                      [](double x) { return x >= 1e-6 && x < 1; }};

}  // namespace

std::string times_of_run(double begin, double end) {
  const std::string until = message("to the `end` of the run in [time], {} s", end);
  return begin == end ? "up " + until : message("from {} ", begin) + until;
}

real read_end(TomlSection& section) {
  const double end = section.real("end", positive);
  return section.has("end") ? static_cast<real>(end) : std::numeric_limits<real>::infinity();
}

real read_step(TomlSection& section, const std::string& key, real end, bool is_required) {
  constexpr double most_steps = 2e9;  // the step count is an int
  const double step = is_required ? section.real(key, positive) : section.optional_real(key, positive).value_or(0);
  if (section.has(key) && std::isfinite(end) && step > 0 && step * most_steps < end) {
    section.wrong(key, message("at least {:.3g} s, so that not more than {:.0e} steps lead to `end`", end / most_steps,
                               most_steps));
  }
  return static_cast<real>(step);
}

TimeSettings read_equal_steps(TomlSection section, const NumberRange& cfl, const std::string& why) {
  TimeSettings time;
  time.end = read_end(section);
  section.exclusive("step", "cfl", true);
  time.step.step = read_step(section, "step", time.end);
  time.step.cfl = static_cast<real>(section.optional_real("cfl", cfl).value_or(0));
  for (const char* key : {"step_max", "scheme", "steady_tolerance"}) section.refuse(key, why);
  return time;
}

SolveControl read_solver(TomlSection solvers, SolveControl control, const std::vector<std::string>& possible) {
  TomlSection section = solvers.table(control.name);
  WordSet<PreconditionerKind> words = preconditioners;
  if (control.name == "elliptic") {
    words.words.emplace_back("elimination", PreconditionerKind::elimination);
  } else {
    words.refused.push_back({"elimination", "is for [solver.elliptic] of [waves]"});
  }
  if (!possible.empty()) {
    std::erase_if(words.words,
                  [&](const auto& word) { return !std::count(possible.begin(), possible.end(), word.first); });
    for (const auto& [word, kind] : preconditioners.words) {
      if (!std::count(possible.begin(), possible.end(), word))
        words.refused.push_back({word, "is not for " + control.name});
    }
  }
  control.preconditioner =
      section.word("preconditioner", words, name_of(control.preconditioner)).value_or(control.preconditioner);
  control.tolerance = static_cast<real>(section.real("tolerance", reachable_tolerance, control.tolerance));
  control.max_iterations = section.integer("max_iterations", 1, control.max_iterations);
  return control;
}

void refuse_time(TomlSection& section, const std::string& key, const Formula& formula, const char* expected) {
  if (formula.depends_on_time()) section.wrong(key, expected);
}

std::map<std::string, NodalBoundary> read_conditions(TomlSection& root, const WordSet<NodalBoundary>& types,
                                                     const std::string& file, const char* without_time) {
  const auto read = [&](TomlSection& group, NodalBoundary condition, const std::string& patch) {
    for (NodalBoundary::Function& of : condition.functions) {
      const bool is_factor = condition.kind == BoundaryKind::exchange && &of == &condition.functions.front();
      const Formula formula = group.formula(of.key, is_factor ? not_negative : any_number, of.fallback);
      if (without_time) refuse_time(group, of.key, formula, without_time);
      const LowerBound bound{true, message("{}: `{}` in [boundary.{}]", file, of.key, patch)};
      of.value = is_factor ? given(formula, bound) : given(formula);
    }
    return condition;
  };
  return read_boundary<NodalBoundary>(root, types, read);
}

MaterialProperty read_property(TomlSection& section, const PropertyKey& wanted, std::optional<double> fallback) {
  const NumberRange& range = wanted.is_positive ? positive : any_number;
  MaterialProperty property;
  property.key = message("`{}` in [{}]", wanted.key, wanted.table);
  const auto value = [&](TomlSection& table, const std::string& key, const Formula& formula) {
    if (wanted.without_time) refuse_time(table, key, formula, wanted.without_time);
    return wanted.is_positive ? given(formula, {false, wanted.file + ": " + property.key}) : given(formula);
  };
  if (section.has_table(wanted.key)) {
    const std::string expected = "a value for each volume group of the mesh: { steel = 50.0, rubber = 0.2 }";
    TomlSection table = section.table(wanted.key);
    for (const auto& [region, formula] : table.formulas(range, expected)) {
      property.of_region[region] = value(table, region, formula);
    }
  } else {
    property.everywhere = value(section, wanted.key, section.formula(wanted.key, range, fallback));
  }
  return property;
}

}  // namespace solenoid
