/// Line charts as inline SVG.
#pragma once

#include <string>
#include <vector>

namespace solenoid::report {

struct Curve {
  std::string name;  ///< plain text
  std::vector<double> x, y;
  bool is_dots = false;  ///< drawn as single values, not as a line
  int colour = -1;       ///< index of the curve with the same colour; -1: its own
};

struct ChartText {
  std::string title, x, y;  ///< of the chart and its axes, plain text
};

enum class Scale { linear, logarithmic };  ///< of the y-axis; a logarithmic one shows positive values only

/// A figure with axes, curves, and a legend for several curves. Non-finite values are gaps. Outliers far beyond nearly
/// all values are cut off. Long curves are thinned to the extremes per stretch, as many as a picture resolves. "" if
/// there is no value to show.
std::string chart_of(const ChartText& text, const std::vector<Curve>& curves, Scale scale = Scale::linear);

/// The first, last and extreme values in each of `stretches` equal parts of the range of x, which ascends.
Curve thinned(const Curve& curve, std::size_t stretches);

}  // namespace solenoid::report
