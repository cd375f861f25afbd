/// Pictures of few colours: perceptually uniform scales, and PNG (ISO/IEC 15948) in memory. The only file that uses
/// zlib is picture.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace solenoid::report {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// `pixels` are indices in `palette`, row by row from the top, `width` per row; index 0 is transparent. At most 256
/// colours. Throws Error (exit code 1).
std::string png_of(int width, const std::vector<std::uint8_t>& pixels, const std::vector<Colour>& palette);

/// Bytes as text.  RFC 4648, section 4.
std::string base64(const std::string& bytes);

/// Ascending for values of one sign; diverging from a pale zero for both signs.
enum class ColourScale { ascending, diverging };

inline constexpr int colour_count = 255;

/// Colour 0, which is transparent in pictures, and `colour_count` of the scale.
const std::vector<Colour>& palette_of(ColourScale scale);

/// The scale from left to right, as CSS.
std::string gradient_of(ColourScale scale);

}  // namespace solenoid::report
