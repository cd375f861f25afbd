#include "case/coefficient_formula.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

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
