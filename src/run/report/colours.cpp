#include "run/report/colours.hpp"

#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace solenoid::report {

namespace {

/// viridis, perceptually uniform (Smith & van der Walt 2015).
const std::vector<Colour> viridis{{68, 1, 84},    {72, 26, 108},  {71, 47, 125},  {65, 68, 135},
                                  {57, 86, 140},  {49, 104, 142}, {42, 120, 142}, {35, 136, 142},
                                  {31, 152, 139}, {34, 168, 132}, {53, 183, 121}, {84, 197, 104},
                                  {122, 209, 81}, {165, 219, 54}, {210, 226, 27}, {253, 231, 37}};

/// Cool to warm (Moreland 2009).
const std::vector<Colour> cool_to_warm{{59, 76, 192},   {98, 130, 234},  {141, 176, 254},
                                       {184, 208, 249}, {221, 221, 221}, {245, 196, 173},
                                       {244, 154, 123}, {222, 96, 77},   {180, 4, 38}};

const std::vector<Colour>& stops_of(ColourScale scale) {
  return scale == ColourScale::ascending ? viridis : cool_to_warm;
}

std::vector<Colour> interpolated(const std::vector<Colour>& stops) {
  std::vector<Colour> palette{{255, 255, 255}};
  for (int k = 0; k < colour_count; ++k) {
    const double at = static_cast<double>(k) / (colour_count - 1) * static_cast<double>(stops.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    const double part = at - static_cast<double>(first);
    Colour colour{};
    for (std::size_t c = 0; c < 3; ++c) {
      colour[c] = static_cast<std::uint8_t>(std::lround((1 - part) * stops[first][c] + part * stops[first + 1][c]));
    }
    palette.push_back(colour);
  }
  return palette;
}

}  // namespace

const std::vector<Colour>& palette_of(ColourScale scale) {
  static const std::vector<Colour> ascending = interpolated(viridis), diverging = interpolated(cool_to_warm);
  return scale == ColourScale::ascending ? ascending : diverging;
}

std::string gradient_of(ColourScale scale) {
  std::vector<std::string> stops;
  for (const Colour& c : stops_of(scale)) {
    stops.push_back(message("rgb({},{},{})", int{c[0]}, int{c[1]}, int{c[2]}));
  }
  return "linear-gradient(to right," + joined(stops, ",") + ")";
}

}  // namespace solenoid::report
