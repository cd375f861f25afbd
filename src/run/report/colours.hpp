/// Perceptually uniform colour scales.
#pragma once

#include <string>
#include <vector>

#include "run/report/png.hpp"

namespace solenoid::report {

/// Ascending for values of one sign; diverging from a pale zero for both signs.
enum class ColourScale { ascending, diverging };

inline constexpr int colour_count = 255;

/// Colour 0, which is transparent in pictures, and `colour_count` of the scale.
const std::vector<Colour>& palette_of(ColourScale scale);

/// The scale from left to right, as CSS.
std::string gradient_of(ColourScale scale);

}  // namespace solenoid::report
