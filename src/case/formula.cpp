#include "case/formula.hpp"

#include <dlfcn.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <list>
#include <mutex>
#include <numbers>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

struct Formula::Parsed {
  /// A function that the formula may call, and the fault of its arguments in the last evaluation.
  struct CalledFunction {
    std::shared_ptr<const TabulatedFunction> function;
    std::string name, fault;

    double operator()(double first, double second = 0) {
      if (fault.empty()) {
        if (const auto found = function->fault(first, second)) fault = name + ": " + *found;
      }
      return (*function)(first, second);
    }
    /// Keeps the address of this object.
    void define_in(mu::Parser& parser) {
      constexpr bool folds_constants = false;
      const auto of_one = [](void* called, double argument) {
        return (*static_cast<CalledFunction*>(called))(argument);
      };
      const auto of_two = [](void* called, double first, double second) {
        return (*static_cast<CalledFunction*>(called))(first, second);
      };
      if (function->axes().size() == 1) {
        parser.DefineFunUserData(name, +of_one, this, folds_constants);
      } else {
        parser.DefineFunUserData(name, +of_two, this, folds_constants);
      }
    }
  };

  std::string subject;  // ends in ": " unless it is empty
  std::string text;
  FormulaArguments arguments = FormulaArguments::place_and_time;
  mu::Parser parser;
  static constexpr std::size_t at_once = 512;  // points
  std::array<double, at_once> x{}, y{}, z{}, t{};
  bool depends_on_time = false, depends_on_place = false;
  std::list<CalledFunction> functions;
  std::mutex one_at_a_time;  // the parser reads x, y, z, t and has its own stack
};

namespace {
/// Turns OpenMP off in muParser: it spreads even few points over all cores, and its idle threads keep them busy.
void keep_libraries_on_this_thread() {
  static void* const set = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (set != nullptr) reinterpret_cast<void (*)(int)>(set)(1);
}

/// Of a formula without place and time.
struct OnlyArgument {
  const char *name, *unit;
};
OnlyArgument only_argument(FormulaArguments arguments) {
  if (arguments == FormulaArguments::flux) return {"Q", "m^3/s, in 2D m^2/s"};
  return arguments == FormulaArguments::temperature ? OnlyArgument{"T", "K"} : OnlyArgument{"k", "1/m"};
}

std::string known_names(const mu::Parser& parser, FormulaArguments arguments) {
  const auto [name, unit] = only_argument(arguments);
  std::string names = arguments == FormulaArguments::place_and_time
                          ? "known: x, y, z [m], t [s], pi, and the functions"
                          : message("known: {} [{}], pi, and the functions", name, unit);
  for (const auto& function : parser.GetFunDef()) names += " " + function.first;
  return names;
}

bool begins_character(char c) { return (c & 0xC0) != 0x80; }  // of UTF-8

/// At most 160 bytes of `text` around `position`, with dots for the omitted parts; updates `position` to match.
std::string window(const std::string& text, std::size_t& position) {
  constexpr std::size_t shown = 160, dots = 4;
  position = std::min(position, text.size());
  if (text.size() <= shown) return text;
  std::size_t begin = std::min(position < shown / 2 ? 0 : position - shown / 2, text.size() - shown);
  while (begin > 0 && !begins_character(text[begin])) --begin;
  std::size_t end = std::min(begin + shown, text.size());
  while (end < text.size() && !begins_character(text[end])) ++end;
  position += begin > 0 ? dots : 0;
  position -= begin;
  return (begin > 0 ? "... " : "") + text.substr(begin, end - begin) + (end < text.size() ? " ..." : "");
}
std::string beginning(const std::string& text) {
  std::size_t first = 0;
  return window(text, first);
}

/// Error message for a fault at byte `position` of the expression.
std::string fault_message(const std::string& text, const std::string& fault, std::size_t position,
                          const mu::Parser& parser, FormulaArguments arguments) {
  const std::string around = window(text, position);
  const auto end = around.begin() + static_cast<std::ptrdiff_t>(position);
  const std::string caret(static_cast<std::size_t>(std::count_if(around.begin(), end, begins_character)), ' ');
  return message("expression \"{}\": {}\n  {}\n  {}^\n  {}", beginning(text), fault, around, caret,
                 known_names(parser, arguments));
}

/// muparser's description of a fault without the position, which the caret shows.
std::string describe(const mu::ParserError& error, const mu::Parser& parser) {
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
    const std::string token = error.GetToken().substr(0, error.GetToken().find(' '));
    if (parser.GetFunDef().contains(token)) return "the function \"" + token + "\" needs parentheses";
    return "unknown name or character \"" + token + "\"";
  }
  std::string text = error.GetMsg();
  for (const char* position : {" found at position", " at position", " at expression position", " (position"}) {
    text = text.substr(0, text.find(position));
  }
  if (text.ends_with('.')) text.pop_back();
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// Position of a lone `=`, which muparser would parse as an assignment to x, y, z or t; npos if there is none.
std::size_t find_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
    } else if (i == 0 || std::string("<>!").find(text[i - 1]) == std::string::npos) {
      return i;
    }
  }
  return std::string::npos;
}
}  // namespace

bool can_name_function(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const bool is_name = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                       std::all_of(name.begin(), name.end(), is_letter);
  const bool is_known = name == "pi" || (name.size() == 1 && std::string("xyztTQ").find(name) != std::string::npos);
  return is_name && !is_known && !mu::Parser().GetFunDef().contains(name);
}

Formula::Formula(std::string text, std::string subject, const FormulaFunctions& functions, FormulaArguments arguments)
    : formula_(std::make_shared<Parsed>()) {
  formula_->arguments = arguments;
  keep_libraries_on_this_thread();
  if (!subject.empty()) formula_->subject = subject + ": ";
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  formula_->text = text;
  mu::Parser& parser = formula_->parser;
  constexpr std::size_t most = mu::MaxLenExpression;
  require_input(text.size() <= most, [&] {
    return message("{}expression \"{}\": it has {} characters, of at most {}", formula_->subject, beginning(text),
                   text.size(), most);
  });
  const auto fail = [&](const std::string& fault, std::size_t position) {
    throw Error(ExitCode::bad_input, formula_->subject + fault_message(text, fault, position, parser, arguments));
  };

  if (const std::size_t at = find_assignment(text); at != std::string::npos) {
    fail("a value cannot be assigned; == compares", at);
  }
  try {
    parser.DefineConst("pi", std::numbers::pi);
    if (arguments != FormulaArguments::place_and_time) {
      parser.DefineVar(only_argument(arguments).name, formula_->x.data());
    } else {
      parser.DefineVar("x", formula_->x.data());
      parser.DefineVar("y", formula_->y.data());
      parser.DefineVar("z", formula_->z.data());
      parser.DefineVar("t", formula_->t.data());
    }
    for (const auto& [name, function] : functions) {
      formula_->functions.push_back({function, name, ""});
      formula_->functions.back().define_in(parser);
    }
    parser.SetExpr(text);
    parser.Eval();
  } catch (const mu::ParserError& error) {
    fail(describe(error, parser), error.GetPos() < 0 ? text.size() : static_cast<std::size_t>(error.GetPos()));
  }
  if (parser.GetNumResults() != 1) fail("one value is expected, found several", text.find(','));
  const auto used = parser.GetUsedVar();
  for (Parsed::CalledFunction& called : formula_->functions) called.fault.clear();  // at the origin, where nobody asked
  formula_->depends_on_time = used.contains("t");
  formula_->depends_on_place = std::any_of(used.begin(), used.end(), [](const auto& one) { return one.first != "t"; });
}

void Formula::evaluate(std::span<const Vec3> points, double t, std::span<double> values) const {
  if (points_) return points_->evaluate(number_, points, t, values);
  if (!formula_) return std::fill(values.begin(), values.end(), value_);
  Parsed& f = *formula_;
  const std::lock_guard lock(f.one_at_a_time);
  for (std::size_t begin = 0; begin < points.size(); begin += Parsed::at_once) {
    const std::size_t count = std::min(Parsed::at_once, points.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3& point = points[begin + i];
      f.x[i] = point.x;
      f.y[i] = point.y;
      f.z[i] = point.z;
      f.t[i] = t;
    }
    if (count == 1) {
      values[begin] = f.parser.Eval();  // reuses the last parse
    } else {
      f.parser.Eval(&values[begin], static_cast<int>(count));
    }
    std::string fault;
    for (Parsed::CalledFunction& called : f.functions) {  // none is left for the next call
      const std::string of_call = std::exchange(called.fault, "");
      if (fault.empty()) fault = of_call;
    }
    require_input(fault.empty(), [&] {
      const std::string when =
          f.arguments == FormulaArguments::place_and_time ? message(" at t = {} s", t) : std::string();
      return message("{}expression \"{}\"{}: {}", f.subject, beginning(f.text), when, fault);
    });
    for (std::size_t i = 0; i < count; ++i) {
      const double value = values[begin + i];
      require_input(std::isfinite(value), [&] {
        if (f.arguments != FormulaArguments::place_and_time) {
          const OnlyArgument argument = only_argument(f.arguments);
          return message("{}expression \"{}\" is {} at {} = {} {}; a finite value is expected", f.subject,
                         beginning(f.text), std::isnan(value) ? "not a number" : "infinite", argument.name, f.x[i],
                         argument.unit);
        }
        return message("{}expression \"{}\" is {} at x = {}, y = {}, z = {} m, t = {} s; a finite value is expected",
                       f.subject, beginning(f.text), std::isnan(value) ? "not a number" : "infinite", f.x[i], f.y[i],
                       f.z[i], t);
      });
    }
  }
}

double Formula::operator()(const Vec3& x, double t) const {
  double value = value_;
  evaluate(std::span(&x, 1), t, std::span(&value, 1));
  return value;
}

bool Formula::depends_on_place() const { return points_ || (formula_ && formula_->depends_on_place); }

bool Formula::depends_on_time() const {
  return points_ ? points_->depends_on_time() : formula_ && formula_->depends_on_time;
}

std::string Formula::text() const {
  if (points_) return text_;
  return formula_ ? formula_->text : message("{}", value_);
}

namespace {

void evaluate(const Formula& formula, std::span<const Vec3> points, real time, std::span<real> values) {
  if constexpr (std::is_same_v<real, double>) {
    formula.evaluate(points, time, values);
  } else {
    std::vector<double> wide(points.size());
    formula.evaluate(points, time, wide);
    std::transform(wide.begin(), wide.end(), values.begin(), [](double value) { return static_cast<real>(value); });
  }
}

}  // namespace

Coefficient<real> given(const Formula& formula) {
  if (formula.is_number()) return {static_cast<real>(formula({}, 0)), formula.text()};
  return {[formula](std::span<const Vec3> points, real time, std::span<real> values) {
            evaluate(formula, points, time, values);
          },
          {formula.depends_on_place(), formula.depends_on_time()},
          formula.text()};
}

Coefficient<real> given(const Formula& formula, const LowerBound& bound) {
  const auto checked = [formula, bound](std::span<const Vec3> points, real time, std::span<real> values) {
    evaluate(formula, points, time, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      require_input(values[i] > 0 || (bound.allows_zero && values[i] == 0), [&] {
        const Vec3& x = points[i];
        return message("{}: \"{}\" is {:.6g} at ({:.6g}, {:.6g}, {:.6g}) m, t = {:.6g} s; expected a value {} 0",
                       bound.subject, formula.text(), values[i], x.x, x.y, x.z, time,
                       bound.allows_zero ? "of at least" : "greater than");
      });
    }
  };
  if (formula.is_number()) return given(formula);  // the case reader has checked its range
  return {checked, {formula.depends_on_place(), formula.depends_on_time()}, formula.text()};
}

Coefficient<Vec3> given(const std::array<Formula, 3>& u) {
  const std::string text = message("({}, {}, {})", u[0].text(), u[1].text(), u[2].text());
  const auto is_number = [](const Formula& f) { return f.is_number(); };
  if (std::all_of(u.begin(), u.end(), is_number)) {
    return {Vec3{static_cast<real>(u[0]({}, 0)), static_cast<real>(u[1]({}, 0)), static_cast<real>(u[2]({}, 0))}, text};
  }
  Dependence depends;
  for (const Formula& f : u) depends = depends | Dependence{f.depends_on_place(), f.depends_on_time()};
  return {[u](std::span<const Vec3> points, real time, std::span<Vec3> values) {
            std::vector<double> component(points.size());
            real Vec3::*const parts[3] = {&Vec3::x, &Vec3::y, &Vec3::z};
            for (int k = 0; k < 3; ++k) {
              u[k].evaluate(points, time, component);
              for (std::size_t i = 0; i < values.size(); ++i) values[i].*parts[k] = static_cast<real>(component[i]);
            }
          },
          depends, text};
}

}  // namespace solenoid
