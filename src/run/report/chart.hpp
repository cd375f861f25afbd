/// Line charts as inline SVG.
#pragma once

#include <string>
#include <vector>

namespace solenoid::report {

struct Curve {
  std::string name;  ///< plain text
  std::vector<double> x, y;
  bool is_dots = false;  ///< shown as single values, not as a line
  int colour = -1;       ///< that of the curve of this place; its own where there is none
};

struct ChartText {
  std::string title, x, y;  ///< of the chart and of its axes, plain text
};

enum class Scale { linear, logarithmic };  ///< of the y-axis; a logarithm shows what is greater than 0

/// A figure with axes, the curves, and a legend where there is more than one. Values that are not finite are gaps; what
/// lies far beyond nearly all others is cut off; of long curves the extremes of so many stretches are shown as a
/// picture can resolve. "" where no value is to be shown.
std::string chart_of(const ChartText& text, const std::vector<Curve>& curves, Scale scale = Scale::linear);

/// The first and last values and the extremes of each of `stretches` equal parts of the range of x, which ascends.
Curve thinned(const Curve& curve, std::size_t stretches);

}  // namespace solenoid::report
