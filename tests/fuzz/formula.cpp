/// Formulas of place and time: what is parsed, and its values at one point and at many.
#include "case/formula.hpp"

#include "fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static const std::vector<Vec3> points = [] {
    std::vector<Vec3> made{{0, 0, 0}, {1, -1, 0.5}, {1e300, -1e-300, 3}};
    for (int i = 0; i < 600; ++i) made.push_back({real(0.01) * i, real(0.5) - i, real(i % 7)});  // more than at once
    return made;
  }();
  const std::string text(fuzz::text_of(data, size));
  fuzz::accepts([&] {
    const Formula formula(text, "`source`");
    const Formula copy = formula;
    fuzz::expect(!copy.text().empty(), "a formula without a text");
    std::vector<double> values(points.size());
    for (const double time : {0.0, 2.5}) {
      if (!fuzz::accepts([&] { formula.evaluate(points, time, values); })) continue;
      const double alone = copy(points[1], time);
      fuzz::expect(alone == values[1], "another value at one point than among many");
      fuzz::expect(formula.depends_on_place() || values[0] == values[601], "a dependence on place that is not told");
    }
  });
  return 0;
}
