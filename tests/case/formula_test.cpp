/// Expressions of place and time: values, what they depend on, and the messages that show where one is wrong.
#include "case/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.hpp"

namespace solenoid {
namespace {

constexpr const char* known_names =
    "  known: x, y, z [m], t [s], pi, and the functions abs acos acosh asin asinh atan atan2 atanh avg cos cosh exp ln "
    "log log10 log2 max min rint sign sin sinh sqrt sum tan tanh";

/// What the Error of an expression says, without the line of known names, which must be there.
std::string fault_of(const std::string& text) {
  try {
    Formula{text};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    const std::string what = error.what();
    const std::size_t known = what.rfind('\n');
    EXPECT_EQ(what.substr(known + 1), known_names);
    return what.substr(0, known);
  }
  return "no fault";
}

TEST(Formula, IsANumber) {
  const Formula number(0.1), zero;
  EXPECT_EQ(number({1, 2, 3}, 4), 0.1);
  EXPECT_EQ(zero({1, 2, 3}, 4), 0.0);
  EXPECT_TRUE(number.is_number());
  EXPECT_FALSE(number.depends_on_time());
  EXPECT_EQ(number.text(), "0.1");
}

TEST(Formula, IsAFormulaOfPlaceAndTime) {
  const Formula formula("x + 10*y + 100*z + 1000*t");
  EXPECT_EQ(formula({1, 2, 3}, 4), 4321.0);
  EXPECT_EQ(formula({4, 3, 2}, 1), 1234.0);
  EXPECT_FALSE(formula.is_number());
  EXPECT_EQ(formula.text(), "x + 10*y + 100*z + 1000*t");
  EXPECT_NEAR(Formula("sin(pi*x)")({0.5, 0, 0}, 0), 1.0, 1e-15);
  EXPECT_EQ(Formula("pi")({}, 0), std::numbers::pi);
  EXPECT_EQ(Formula("y >= 0.5 ? 1 : -1")({0, 0.5, 0}, 0), 1.0);
  EXPECT_EQ(Formula("y >= 0.5 ? 1 : -1")({0, 0.4, 0}, 0), -1.0);
}

TEST(Formula, IsTheSameForManyPointsAsForEach) {
  const Formula formula("x > 0.5 ? sin(7*y)/(1 + t) : max(x, y^2) + 3*z");
  std::vector<Vec3> points;
  for (int i = 0; i < 1300; ++i) points.push_back({i / 1299.0, std::cos(i), i * 1e-3});
  std::vector<double> values(points.size());
  formula.evaluate(points, 0.25, values);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(values[i], formula(points[i], 0.25)) << i;
}

TEST(Formula, NamesThePointOfManyWhereItHasNoValue) {
  std::vector<Vec3> points(900, Vec3{1, 0, 0});
  points[700].x = 0;
  std::vector<double> values(points.size());
  try {
    Formula("1/x", "`value` in [a]").evaluate(points, 3, values);
    ADD_FAILURE() << "evaluated";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "`value` in [a]: expression \"1/x\" is infinite at x = 0, y = 0, z = 0 m, t = 3 s; a finite value is "
                 "expected");
  }
}

TEST(Formula, TakesSixtyNestedConditions) {
  std::string steps = "60";
  for (int i = 59; i >= 0; --i) steps = message("t < {} ? {} : ({})", i + 1, i, steps);
  const Formula formula(steps);
  for (int i = 0; i <= 60; ++i) EXPECT_EQ(formula({}, i + 0.5), i);
}

/// Of a long one around the fault.
TEST(Formula, SaysWhatIsTooLongInShort) {
  std::string sum = "x";
  while (sum.size() < 15000) sum += " + 1.25*x";
  EXPECT_NEAR(Formula(sum)({1, 0, 0}, 0), 1 + 1.25 * static_cast<double>((sum.size() - 1) / 9), 1e-9);
  const std::string fault = fault_of(sum + " + q + " + sum.substr(0, 4000));
  EXPECT_LT(fault.size(), 700u) << fault;
  EXPECT_NE(fault.find("unknown name or character \"q\""), std::string::npos) << fault;
  const std::string line = fault.substr(fault.find("\n  ... ")), caret = line.substr(line.find('\n', 1));
  EXPECT_EQ(line[caret.find('^')], 'q') << fault;
  while (sum.size() < 100000) sum += " + 1.25*x";
  try {
    Formula(sum, "`velocity` in [a]");
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    const std::string text = error.what();
    EXPECT_LT(text.size(), 300u) << text;
    EXPECT_EQ(text.find("`velocity` in [a]: expression \"x + 1.25*x"), 0u) << text;
    EXPECT_NE(text.find(message("it has {} characters, of at most 20000", sum.size())), std::string::npos) << text;
  }
}

TEST(Formula, KnowsWhetherTimeMatters) {
  EXPECT_TRUE(Formula("x*sin(t)").depends_on_time());
  EXPECT_FALSE(Formula("tan(x)").depends_on_time());
}

TEST(Formula, OutlivesWhatItWasCopiedFrom) {
  Formula copy;
  {
    const Formula formula("2*x");
    copy = formula;
    EXPECT_EQ(formula({5, 0, 0}, 0), 10.0);
  }
  EXPECT_EQ(copy({7, 0, 0}, 0), 14.0);
}

TEST(Formula, ShowsWhereItIsWrong) {
  EXPECT_EQ(fault_of("4*y*(1-q)"),
            "expression \"4*y*(1-q)\": unknown name or character \"q\"\n"
            "  4*y*(1-q)\n"
            "         ^");
  EXPECT_EQ(fault_of("2*(x+1"),
            "expression \"2*(x+1\": missing parenthesis\n"
            "  2*(x+1\n"
            "        ^");
  EXPECT_EQ(fault_of("1 + sin x"),
            "expression \"1 + sin x\": the function \"sin\" needs parentheses\n"
            "  1 + sin x\n"
            "      ^");
  EXPECT_EQ(fault_of("x*\xC3\xA9"),  // a letter of two bytes stands for itself, the caret under it
            "expression \"x*\xC3\xA9\": unknown name or character \"\xC3\xA9\"\n"
            "  x*\xC3\xA9\n"
            "    ^");
  EXPECT_EQ(fault_of(""), "expression \"\": expression is empty\n  \n  ^");
}

TEST(Formula, RefusesAssignmentsAndLists) {
  EXPECT_EQ(fault_of("x = 3"),
            "expression \"x = 3\": a value cannot be assigned; == compares\n"
            "  x = 3\n"
            "    ^");
  EXPECT_EQ(fault_of("1, 2"),
            "expression \"1, 2\": one value is expected, found several\n"
            "  1, 2\n"
            "   ^");
  EXPECT_EQ(fault_of("x == 3 && x <= 4 && x != 5"), "no fault");
}

TEST(Formula, RefusesValuesThatAreNotFinite) {
  const auto fault_at = [](const char* text, const Vec3& x) -> std::string {
    try {
      return std::to_string(Formula(text)(x, 0.25));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
  };
  EXPECT_EQ(fault_at("1/x", {0, 0.5, 0}),
            "expression \"1/x\" is infinite at x = 0, y = 0.5, z = 0 m, t = 0.25 s; a finite value is expected");
  EXPECT_EQ(fault_at("sqrt(x)", {-1, 0, 2}),
            "expression \"sqrt(x)\" is not a number at x = -1, y = 0, z = 2 m, t = 0.25 s; a finite value is expected");
  EXPECT_EQ(fault_at("1/x", {2, 0, 0}), "0.500000");
  try {
    Formula("1/x", "`velocity` (case.toml:3)")({0, 0, 0}, 0);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("`velocity` (case.toml:3): expression \"1/x\" is infinite"), 0u);
  }
}

}  // namespace
}  // namespace solenoid
