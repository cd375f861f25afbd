#include "run/report/png.hpp"

#include <zlib.h>

#include "base/error.hpp"

namespace solenoid {

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

}  // namespace solenoid
