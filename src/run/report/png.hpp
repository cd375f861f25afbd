/// Pictures of few colours as PNG (ISO/IEC 15948), in memory. The only file that uses zlib is png.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace solenoid {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// `pixels` are indices in `palette`, row by row from the top, `width` per row; index 0 is transparent. At most 256
/// colours. Throws Error (exit code 1).
std::string png_of(int width, const std::vector<std::uint8_t>& pixels, const std::vector<Colour>& palette);

}  // namespace solenoid
