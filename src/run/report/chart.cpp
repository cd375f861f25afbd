#include "run/report/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "run/report/page.hpp"

namespace solenoid::report {

namespace {

// Sizes in drawing units, readable on a narrow screen.
constexpr double width = 460, height = 270, left = 74, right = 12, top = 8, bottom = 42;
constexpr std::size_t stretches = 300;

// The first five are Okabe & Ito's, distinct for any colour vision.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b8860b", "#333333"};

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double size() const { return high - low; }
  bool is_empty() const { return low > high; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Tick {
  double at;
  std::string text;
};

/// A label with enough digits to distinguish neighbouring ticks.
std::string tick_text(double value, double step) {
  const double size = std::max(std::abs(value), step);
  const int first = static_cast<int>(std::floor(std::log10(size))),
            last = static_cast<int>(std::floor(std::log10(step)));
  std::array<char, 40> text{};
  if (std::abs(value) < step / 2) return "0";
  if (first < 6 && last > -6) {
    std::snprintf(text.data(), text.size(), "%.*f", std::max(-last, 0), value);
  } else {
    std::snprintf(text.data(), text.size(), "%.*g", std::clamp(first - last + 1, 1, 12), value);
  }
  return text.data();
}

/// Ten to the power `exponent`.
std::string power_text(double exponent) {
  return message("10<tspan dy=\"-4\" font-size=\"9\">{:.0f}</tspan>", exponent);
}

/// Maps values to positions in the drawing.
class Axis {
 public:
  Axis(Extent values, bool is_logarithmic, double from, double to)
      : is_logarithmic_(is_logarithmic), from_(from), to_(to) {
    if (is_logarithmic) {
      low_ = std::floor(std::log10(values.low));
      high_ = std::max(std::ceil(std::log10(values.high)), low_ + 1);
      step_ = std::ceil((high_ - low_) / 6);
    } else {
      const double size = std::max(std::abs(values.low), std::abs(values.high));
      const double least = size > 0 ? 1e-9 * size : 1;  // below it a difference is round-off
      if (values.high - values.low < least) {
        const double room = size > 0 ? size / 10 : 1;
        values.low -= room;
        values.high += room;
      }
      const double most = (values.high - values.low) / 3.5, decade = std::pow(10, std::floor(std::log10(most)));
      const double multiple = most / decade * (1 + 1e-9);  // between 1 and 10
      step_ = decade * (multiple >= 5 ? 5 : multiple >= 2 ? 2 : 1);
      low_ = values.low;
      high_ = values.high;
    }
  }
  /// Extends the axis to ticks at both ends.
  Axis& round_out() {
    if (is_logarithmic_) return *this;
    low_ = std::floor(low_ / step_ + 1e-9) * step_;
    high_ = std::ceil(high_ / step_ - 1e-9) * step_;
    return *this;
  }
  std::optional<double> place(double value) const {
    if (is_logarithmic_) value = value > 0 ? std::log10(value) : std::nan("");
    if (!std::isfinite(value)) return std::nullopt;
    return from_ + (to_ - from_) * (value - low_) / (high_ - low_);
  }
  std::vector<Tick> ticks() const {
    std::vector<Tick> result;
    const double slack = 1e-6 * step_;
    for (double k = std::ceil((low_ - slack) / step_); k * step_ <= high_ + slack && result.size() < 20; ++k) {
      const double at = k * step_;
      result.push_back({from_ + (to_ - from_) * (at - low_) / (high_ - low_),
                        is_logarithmic_ ? power_text(at) : tick_text(at, step_)});
    }
    return result;
  }

 private:
  bool is_logarithmic_;
  double from_, to_, low_, high_, step_;
};

/// The curve, one polyline per run of finite values.
std::string line_of(const Curve& curve, const Axis& across, const Axis& up, const std::string& stroke) {
  std::string html, points;
  const auto finish = [&] {
    if (!points.empty())
      html += "<polyline fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" " + stroke + " points=\"" +
              points + "\"/>\n";
    points.clear();
  };
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const auto x = across.place(curve.x[k]), y = up.place(curve.y[k]);
    if (x && y) {
      points += message("{:.1f},{:.1f} ", *x, *y);
    } else {
      finish();
    }
  }
  finish();
  return html;
}

std::string dots_of(const Curve& curve, const Axis& across, const Axis& up, const std::string& colour) {
  std::string html;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const auto x = across.place(curve.x[k]), y = up.place(curve.y[k]);
    if (x && y) {
      html +=
          message("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>\n",
                  *x, *y, colour);
    }
  }
  return html;
}

std::string grid_of(const Axis& across, const Axis& up, const ChartText& text) {
  constexpr const char* ink = "fill=\"#5b6670\"";
  std::string html;
  for (const Tick& tick : up.ticks()) {
    html += message("<line x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#e4e8eb\"/>", left,
                    width - right, tick.at, tick.at);
    html += message("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\" {}>{}</text>\n", left - 6, tick.at + 4,
                    std::string(ink), tick.text);
  }
  for (const Tick& tick : across.ticks()) {
    html += message("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"#e4e8eb\"/>", tick.at,
                    tick.at, top, height - bottom);
    html += message("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\" {}>{}</text>\n", tick.at,
                    height - bottom + 16, std::string(ink), tick.text);
  }
  const double middle = (left + width - right) / 2, halfway = (top + height - bottom) / 2;
  html +=
      message("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>", middle, height - 6, typeset(text.x));
  html += message("<text transform=\"translate(12 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", halfway,
                  typeset(text.y));
  return html;
}

bool is_shown(const Curve& curve, std::size_t k, Scale scale) {
  return std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]) && (scale == Scale::linear || curve.y[k] > 0);
}

/// A nested drawing, which clips at the axes but leaves dots on them whole.
std::string frame_of_curves() {
  constexpr double room = 5, across = width - left - right + 2 * room, up = height - top - bottom + 2 * room;
  return message("<svg x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" ", left - room, top - room, across,
                 up) +
         message("viewBox=\"{:.0f} {:.0f} {:.0f} {:.0f}\">\n", left - room, top - room, across, up);
}

/// Range of x of the shown values; extended to 0 if it begins near 0, as for time and steps.
Extent extent_of_x(const std::vector<Curve>& curves, Scale scale) {
  Extent x;
  for (const Curve& curve : curves) {
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (is_shown(curve, k, scale)) x.include(curve.x[k]);
    }
  }
  constexpr double near_zero = 0.1;
  if (x.low > 0 && x.low < near_zero * x.high) x.low = 0;
  return x;
}

/// Range of y without 1 % of the values at each end, if these alone would flatten the rest: in an impulsively started
/// flow the first forces are far larger than all others. Dots are always included.
Extent extent_of_y(const std::vector<Curve>& curves, Scale scale) {
  constexpr double left_out = 0.01, flat = 0.2;
  Extent all, most;
  for (const Curve& curve : curves) {
    std::vector<double> values;
    for (std::size_t k = 0; k < curve.y.size(); ++k) {
      if (is_shown(curve, k, scale)) values.push_back(curve.y[k]);
    }
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    const auto skipped =
        curve.is_dots ? 0 : static_cast<std::size_t>(std::ceil(left_out * static_cast<double>(values.size() - 1)));
    for (const double end : {values.front(), values.back()}) all.include(end);
    for (const double end : {values[skipped], values[values.size() - 1 - skipped]}) most.include(end);
  }
  const bool is_flat = scale == Scale::linear && most.size() > 0 && most.size() < flat * all.size();
  return is_flat ? most : all;
}

std::size_t place_of_colour(const std::vector<Curve>& curves, std::size_t k) {
  return curves[k].colour < 0 ? k : static_cast<std::size_t>(curves[k].colour);
}

std::string legend_of(const std::vector<Curve>& curves) {
  if (curves.size() < 2) return "";
  std::string html = "<div class=\"legend\">";
  for (std::size_t k = 0; k < curves.size(); ++k) {
    html += message("<span><i{} style=\"border-color:{}\"></i>{}</span>", curves[k].is_dots ? " class=\"dot\"" : "",
                    std::string(colours[place_of_colour(curves, k) % colours.size()]), escaped(curves[k].name));
  }
  return html + "</div>\n";
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t stretches) {
  const std::size_t count = std::min(curve.x.size(), curve.y.size());
  if (count <= 4 * stretches) return curve;
  Curve result{curve.name, {}, {}, curve.is_dots, curve.colour};
  const double begin = curve.x.front(), length = curve.x[count - 1] - begin;
  const auto stretch_of = [&](std::size_t k) {
    const double part = (curve.x[k] - begin) / length * static_cast<double>(stretches);
    return part > 0 ? std::min(static_cast<std::size_t>(part), stretches - 1) : std::size_t{0};
  };
  for (std::size_t first = 0; first < count;) {
    std::size_t behind = first, low = first, high = first;
    for (; behind < count && stretch_of(behind) == stretch_of(first); ++behind) {
      if (!(curve.y[behind] >= curve.y[low])) low = behind;  // NaN counts as an extreme
      if (!(curve.y[behind] <= curve.y[high])) high = behind;
    }
    std::array kept{first, low, high, behind - 1};
    std::sort(kept.begin(), kept.end());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k > 0 && kept[k] == kept[k - 1]) continue;
      result.x.push_back(curve.x[kept[k]]);
      result.y.push_back(curve.y[kept[k]]);
    }
    first = behind;
  }
  return result;
}

std::string chart_of(const ChartText& text, const std::vector<Curve>& curves, Scale scale) {
  const Extent x = extent_of_x(curves, scale), y = extent_of_y(curves, scale);
  if (x.is_empty()) return "";
  const Axis across(x, false, left, width - right);
  const Axis up = Axis(y, scale == Scale::logarithmic, height - bottom, top).round_out();
  std::string html = "<figure><figcaption>" + escaped(text.title) + "</figcaption>\n" +
                     message("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width, height,
                             escaped(text.title)) +
                     grid_of(across, up, text) + frame_of_curves();
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const std::string colour = colours[place_of_colour(curves, k) % colours.size()];
    const Curve shown = thinned(curves[k], stretches);
    const std::string dashes = k >= colours.size() ? " stroke-dasharray=\"5 3\"" : "";
    html += shown.is_dots ? dots_of(shown, across, up, colour)
                          : line_of(shown, across, up, "stroke=\"" + colour + "\"" + dashes);
  }
  return html + "</svg></svg>\n" + legend_of(curves) + "</figure>\n";
}

}  // namespace solenoid::report
