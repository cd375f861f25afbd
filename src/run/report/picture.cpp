#include "run/report/picture.hpp"

#include <zlib.h>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace solenoid::report {

namespace {

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string content = type + data;
  const auto check = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + content + big_endian(static_cast<std::uint32_t>(check));
}

std::string compressed(const std::string& data) {
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  std::string result(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()), 9);
  require(status == Z_OK, [&] { return message("zlib cannot compress {} bytes: error {}", data.size(), status); });
  result.resize(size);
  return result;
}

}  // namespace

std::string png_of(int width, const std::vector<std::uint8_t>& pixels, const std::vector<Colour>& palette) {
  require(width > 0 && !pixels.empty() && pixels.size() % width == 0 && !palette.empty() && palette.size() <= 256, [&] {
    return message("{} pixels of {} colours are no picture {} wide", pixels.size(), palette.size(), width);
  });
  const std::size_t height = pixels.size() / width;
  std::string colours, rows;
  for (const Colour& colour : palette) colours.append(colour.begin(), colour.end());
  for (std::size_t row = 0; row < height; ++row) {
    rows.push_back('\0');  // no filter: palette indices are not magnitudes
    rows.append(pixels.begin() + static_cast<std::ptrdiff_t>(row * width),
                pixels.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  }
  const char indexed[] = {8, 3, 0, 0, 0};  // bits per pixel, indexed colour; default methods
  const std::string header = big_endian(static_cast<std::uint32_t>(width)) +
                             big_endian(static_cast<std::uint32_t>(height)) + std::string(indexed, sizeof indexed);
  return std::string("\x89PNG\r\n\x1a\n", 8) + chunk("IHDR", header) + chunk("PLTE", colours) +
         chunk("tRNS", std::string(1, '\0')) + chunk("IDAT", compressed(rows)) + chunk("IEND", "");
}

std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      word = word << 8 | (k + j < bytes.size() ? static_cast<std::uint8_t>(bytes[k + j]) : 0);
    }
    for (std::size_t j = 0; j < 4; ++j) text += k + j > bytes.size() ? '=' : digits[word >> (18 - 6 * j) & 63];
  }
  return text;
}

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
