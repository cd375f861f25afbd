#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "app/part_listing.hpp"
#include "base/error.hpp"
#include "base/user_text.hpp"
#include "run/report/picture.hpp"

namespace solenoid {

namespace {

using report::Colour;

constexpr int side = 640, margin = 24;                                          // pixels of a view
constexpr int shades = 16, hues = 15;                                           // colours of the picture
constexpr std::uint8_t outline = static_cast<std::uint8_t>(shades * hues + 1);  // behind the shades; 0 is transparent
constexpr int no_surface = -1;

// Light tones, distinct for any colour vision (Tol 2021, "light").
constexpr std::array<Colour, 8> tones{{{119, 170, 221},
                                       {238, 136, 102},
                                       {238, 221, 136},
                                       {170, 170, 0},
                                       {153, 221, 255},
                                       {68, 187, 153},
                                       {255, 170, 187},
                                       {187, 204, 51}}};

/// The hue of each surface: its own colour if the file has few, else the tones in turn.
std::vector<Colour> hues_of(const PartModel& part, std::vector<int>& hue_of) {
  std::vector<Colour> found(tones.begin(), tones.end());
  for (const PartSurface& surface : part.surfaces) {
    hue_of.push_back(surface.number % static_cast<int>(tones.size()));
    if (!surface.colour) continue;
    Colour colour;
    std::transform(surface.colour->begin(), surface.colour->end(), colour.begin(),
                   [](int x) { return static_cast<std::uint8_t>(x); });
    auto place = std::find(found.begin(), found.end(), colour);
    if (place == found.end() && found.size() < hues) place = found.insert(place, colour);
    if (place != found.end()) hue_of.back() = static_cast<int>(place - found.begin());
  }
  return found;
}

std::vector<Colour> palette_of(const std::vector<Colour>& of_hues) {
  std::vector<Colour> palette{{255, 255, 255}};
  for (std::size_t hue = 0; hue < hues; ++hue) {
    for (int shade = 0; shade < shades; ++shade) {
      const double light = 0.45 + 0.55 * shade / (shades - 1);
      Colour colour{};
      for (std::size_t k = 0; k < 3 && hue < of_hues.size(); ++k)
        colour[k] = static_cast<std::uint8_t>(light * of_hues[hue][k]);
      palette.push_back(colour);
    }
  }
  palette.push_back({30, 30, 30});
  return palette;
}

/// An orthographic view: right, up and towards the eye.
struct View {
  Vec3 right, up, eye;
};

View view_from(const Vec3& direction) {
  const Vec3 eye = direction / norm(direction), upright{0, 0, 1};
  const Vec3 right = cross(upright, eye) / norm(cross(upright, eye));
  return {right, cross(eye, right), eye};
}

/// The surface and its shade at each pixel.
class Drawing {
 public:
  Drawing(const PartModel& part, const View& view)
      : view_(view), surface_(side * side, no_surface), shade_(side * side) {
    std::vector<double> depth(side * side, -std::numeric_limits<double>::infinity());
    Box box;
    for (const PartSurface& surface : part.surfaces) {
      if (surface.number == 0) continue;
      for (const Vec3& p : surface.corners) box.include(turned(p));
    }
    const double extent = std::max(box.size().x, box.size().y);
    scale_ = (side - 2 * margin) / extent;
    middle_ = (box.low + box.high) / 2;
    for (int s = 0; s < static_cast<int>(part.surfaces.size()); ++s) {
      const PartSurface& surface = part.surfaces[static_cast<std::size_t>(s)];
      if (surface.number == 0) continue;
      for (std::size_t k = 0; k + 2 < surface.corners.size(); k += 3) fill(surface, k, s, depth);
    }
  }

  std::vector<std::uint8_t> pixels(const std::vector<int>& hue_of) const {
    std::vector<std::uint8_t> pixels(side * side, 0);
    for (std::size_t at = 0; at < pixels.size(); ++at) {
      if (surface_[at] == no_surface) continue;
      const std::size_t below = at + side < pixels.size() ? at + side : at, beside = at % side + 1 < side ? at + 1 : at;
      const bool is_edge = surface_[below] != surface_[at] || surface_[beside] != surface_[at];
      const int hue = hue_of[static_cast<std::size_t>(surface_[at])];
      pixels[at] = is_edge ? outline : static_cast<std::uint8_t>(1 + hue * shades + shade_[at]);
    }
    return pixels;
  }

  struct Spot {
    int x = 0, y = 0, depth = 0;  ///< pixels; to the border of what is seen of the surface
  };

  /// For each surface the place farthest from its visible border.
  std::vector<Spot> spots(std::size_t surfaces) const {
    std::vector<int> distance(surface_.size(), 0);
    const auto relax = [&](int x, int y, int step) {
      const auto at = static_cast<std::size_t>(y * side + x);
      const auto of = [&](int i, int j) {
        const bool is_in = i >= 0 && j >= 0 && i < side && j < side;
        const auto there = static_cast<std::size_t>(j * side + i);
        return is_in && surface_[there] == surface_[at] ? distance[there] : 0;
      };
      const int nearest = std::min(of(x - step, y), of(x, y - step)) + 1;
      distance[at] = step > 0 ? nearest : std::min(distance[at], nearest);
    };
    for (int k = 0; k < side * side; ++k) relax(k % side, k / side, 1);
    for (int k = side * side - 1; k >= 0; --k) relax(k % side, k / side, -1);
    std::vector<Spot> best(surfaces);
    for (int k = 0; k < side * side; ++k) {
      const int surface = surface_[static_cast<std::size_t>(k)], now = distance[static_cast<std::size_t>(k)];
      if (surface == no_surface) continue;
      Spot& spot = best[static_cast<std::size_t>(surface)];
      if (now > spot.depth) spot = {k % side, k / side, now};
    }
    return best;
  }

 private:
  Vec3 turned(const Vec3& p) const { return {dot(p, view_.right), dot(p, view_.up), dot(p, view_.eye)}; }

  void fill(const PartSurface& surface, std::size_t first, int number, std::vector<double>& depth) {
    std::array<Vec3, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 p = turned(surface.corners[first + k]) - middle_;
      at[k] = {static_cast<real>(side / 2 + scale_ * p.x), static_cast<real>(side / 2 - scale_ * p.y), p.z};
    }
    const Vec3 normal =
        cross(surface.corners[first + 1] - surface.corners[first], surface.corners[first + 2] - surface.corners[first]);
    const double length = norm(normal),
                 turn = (at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[1].y - at[0].y) * (at[2].x - at[0].x);
    if (length == 0 || turn == 0) return;
    const Vec3 lamp = view_.eye + 0.4 * view_.up - 0.3 * view_.right;
    const double light = std::abs(dot(normal, lamp)) / (length * norm(lamp));
    const auto shade = static_cast<std::uint8_t>(std::clamp<int>(static_cast<int>(light * shades), 0, shades - 1));
    const auto [x_low, x_high] = std::minmax({at[0].x, at[1].x, at[2].x});
    const auto [y_low, y_high] = std::minmax({at[0].y, at[1].y, at[2].y});
    for (int y = std::max(0, static_cast<int>(y_low)); y <= std::min<int>(side - 1, static_cast<int>(y_high) + 1);
         ++y) {
      for (int x = std::max(0, static_cast<int>(x_low)); x <= std::min<int>(side - 1, static_cast<int>(x_high) + 1);
           ++x) {
        std::array<double, 3> part{};
        bool is_in = true;
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3 &a = at[(k + 1) % 3], &b = at[(k + 2) % 3];
          part[k] = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / turn;
          is_in = is_in && part[k] >= -1e-9;
        }
        const double z = part[0] * at[0].z + part[1] * at[1].z + part[2] * at[2].z;
        const auto place = static_cast<std::size_t>(y * side + x);
        if (!is_in || z <= depth[place]) continue;
        depth[place] = z;
        surface_[place] = number;
        shade_[place] = shade;
      }
    }
  }

  View view_;
  double scale_ = 1;
  Vec3 middle_;
  std::vector<int> surface_;
  std::vector<std::uint8_t> shade_;
};

std::string label(double x, double y, const std::string& text) {
  return message("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y, escaped(text));
}

std::string svg_of(int width, int height, const std::string& content) {
  return message(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
             "viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"white\"/>\n<g font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\" "
             "dominant-baseline=\"central\" paint-order=\"stroke\" stroke=\"white\" stroke-width=\"3\">\n",
             width, height, width, height) +
         content + "</g>\n</svg>\n";
}

/// The curves of a plane part, with their numbers.
std::string plane_picture(const PartModel& part) {
  Box box;
  for (const PartSurface& curve : part.surfaces) {
    for (const Vec3& p : curve.corners) {
      if (curve.number > 0) box.include(p);
    }
  }
  const double scale = (side - 2 * margin) / std::max(box.size().x, box.size().y);
  const auto x = [&](const Vec3& p) { return margin + scale * (p.x - box.low.x); };
  const auto y = [&](const Vec3& p) { return margin + scale * (box.high.y - p.y); };
  std::string lines, labels;
  for (const PartSurface& curve : part.surfaces) {
    if (curve.number == 0) continue;
    const Colour& tone = tones[static_cast<std::size_t>(curve.number) % tones.size()];
    lines += message("<path fill=\"none\" stroke=\"rgb({},{},{})\" d=\"", tone[0], tone[1], tone[2]);
    for (std::size_t k = 0; k + 1 < curve.corners.size(); k += 2) {
      const Vec3 &a = curve.corners[k], &b = curve.corners[k + 1];
      lines += message("M{:.1f} {:.1f}L{:.1f} {:.1f}", x(a), y(a), x(b), y(b));
    }
    lines += "\"/>\n";
    const Vec3& middle = curve.corners[curve.corners.size() / 4 * 2];
    labels += label(x(middle), y(middle), message("{}", curve.number));
  }
  const int height = static_cast<int>(2 * margin + scale * box.size().y);
  return svg_of(side, height, lines + labels);
}

}  // namespace

std::string picture_of(const NamedPart& named) {
  const PartModel& part = named.part;
  if (part.dimension == 2) return plane_picture(part);
  std::vector<int> hue_of;
  const std::vector<Colour> palette = palette_of(hues_of(part, hue_of));
  constexpr int smallest = 5;  // pixels from a number to the border of its surface
  std::string content;
  int column = 0;
  for (const Vec3& direction : {Vec3{1, -1.5, 0.9}, Vec3{-1, 1.5, -0.9}}) {
    const Drawing drawing(part, view_from(direction));
    content += message("<image x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\" xlink:href=\"data:image/png;base64,", column,
                       side, side) +
               report::base64(report::png_of(side, drawing.pixels(hue_of), palette)) + "\"/>\n";
    const auto spots = drawing.spots(part.surfaces.size());
    for (std::size_t s = 0; s < spots.size(); ++s) {
      if (spots[s].depth < smallest) continue;
      content += label(column + spots[s].x, spots[s].y, message("{}", part.surfaces[s].number));
    }
    column += side;
  }
  return svg_of(column, side, content);
}

}  // namespace solenoid
