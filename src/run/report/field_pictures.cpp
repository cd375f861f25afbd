#include "run/report/field_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "model/point_sampler.hpp"
#include "run/report/page.hpp"

namespace solenoid::report {

namespace {

constexpr double pixels_of_a_picture = 200'000, pixels_of_a_slice = 60'000;
constexpr double widest = 1100;  // and highest
constexpr std::size_t most_pictures = 6;

using Component = real Vec3::*;
constexpr std::array<Component, 3> axes{&Vec3::x, &Vec3::y, &Vec3::z};
constexpr std::array axis_names{"x", "y", "z"};

/// Directions of a picture, with unit lengths, and its caption.
struct View {
  Vec3 right, up;
  std::string caption;
};

/// The size of a picture in pixels.
struct Format {
  std::string caption;
  int width, height;
};

Box box_over_ranks(const Comm& comm, const Box& box) {
  return {{comm.min(box.low.x), comm.min(box.low.y), comm.min(box.low.z)},
          {comm.max(box.high.x), comm.max(box.high.y), comm.max(box.high.z)}};
}

Box box_of(const LocalMesh& mesh) {
  Box box;
  for (const Vec3& p : mesh.part().points) box.include(p);
  return box_over_ranks(mesh.comm(), box);
}

Vec3 direction(int axis) {
  Vec3 unit;
  unit.*axes[axis] = 1;
  return unit;
}

/// Along two axes, as far as possible in the plane across `normal`, which is nearest to the third.
View view_along(int right, int up, const Vec3& normal) {
  Vec3 to_right = direction(right) - normal.*axes[right] * normal;
  to_right = to_right / norm(to_right);
  Vec3 upward = cross(normal, to_right);
  if (upward.*axes[up] < 0) upward = -upward;
  return {to_right, upward,
          message("{} to the right, {} up", std::string(axis_names[right]), std::string(axis_names[up]))};
}

/// Adds the pixel points of the rectangle from `low` to `high`, coordinates along the view's directions from `origin`,
/// row by row from the top.
Format add_picture(const View& view, const Vec3& origin, const Vec3& low, const Vec3& high, double pixels,
                   std::vector<Vec3>& points) {
  const double across = high.x - low.x, along = high.y - low.y;
  const double fitting = std::min({std::sqrt(pixels * across / along), widest, widest * across / along});
  const int width = std::max(static_cast<int>(std::lround(fitting)), 2);
  const int height = static_cast<int>(std::lround(std::clamp(width * along / across, 2.0, widest)));
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const auto x = static_cast<real>(low.x + (column + 0.5) / width * across),
                 y = static_cast<real>(high.y - (row + 0.5) / height * along);
      points.push_back(origin + x * view.right + y * view.up);
    }
  }
  return {view.caption, width, height};
}

/// The same for the plane through the middle of `box` along two axes.
Format add_slice(const Box& box, int right, int up, double pixels, std::vector<Vec3>& points) {
  const int normal = 3 - right - up;
  const Vec3 size = box.size();
  View view{direction(right), direction(up), ""};
  Vec3 origin = box.low;
  origin.*axes[normal] += size.*axes[normal] / 2;
  view.caption = message("{} = {:.4g} m; {} to the right, {} up", std::string(axis_names[normal]), origin.*axes[normal],
                         std::string(axis_names[right]), std::string(axis_names[up]));
  return add_picture(view, origin, {}, {size.*axes[right], size.*axes[up], 0}, pixels, points);
}

/// The values at the points; for a vector, its magnitude. Collective.
std::vector<real> values_at(const PointSampler& points, const Quantity& quantity) {
  const std::vector<real> all = to_host(quantity.evaluate());
  const int components = quantity.info.components;
  std::vector<real> squares(points.points().size(), 0);
  for (int k = 0; k < components; ++k) {
    std::vector<real> here;
    if (quantity.info.at == ValuesAt::nodes) {
      for (const int n : points.nodes()) here.push_back(all[static_cast<std::size_t>(n) * components + k]);
      here = points.linear(here);
    } else {
      for (std::size_t i = k; i < all.size(); i += components) here.push_back(all[i]);
      here = points.in_cells(here);
    }
    if (components == 1) return here;
    for (std::size_t i = 0; i < here.size(); ++i) squares[i] += here[i] * here[i];
  }
  for (real& square : squares) square = std::sqrt(square);
  return squares;
}

/// Sets the colour range without 0.5 % of the values at each end: a singularity at a corner leaves it unchanged.
void set_range(std::vector<real> values, FieldPicture& picture) {
  constexpr double left_out = 0.005;  // at each end
  std::erase_if(values, [](real value) { return !std::isfinite(value); });
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto skipped = static_cast<std::size_t>(left_out * static_cast<double>(values.size()));
  picture.smallest = values.front();
  picture.largest = values.back();
  picture.low = values[skipped];
  picture.high = values[values.size() - 1 - skipped];
  constexpr double round_off = 1e-6;  // smaller relative differences count as none
  if (const double size = std::max(std::abs(picture.low), std::abs(picture.high));
      picture.high - picture.low < round_off * size) {
    picture.low -= size / 10;
    picture.high += size / 10;
  }
  constexpr double enough = 0.05;  // of the larger side, for the smaller one to be visible
  if (picture.low < -enough * picture.high && picture.high > -enough * picture.low) {
    picture.scale = ColourScale::diverging;
    picture.high = std::max(-picture.low, picture.high);
    picture.low = -picture.high;
  }
}

std::uint8_t colour_of(real value, const FieldPicture& picture) {
  const double span = picture.high - picture.low;
  if (!std::isfinite(value)) return 0;
  const double part = span > 0 ? std::clamp((value - picture.low) / span, 0.0, 1.0) : 0.5;
  return static_cast<std::uint8_t>(1 + std::lround(part * (colour_count - 1)));
}

bool is_shown(const QuantityInfo& info, const std::vector<FieldPicture>& before, const std::string& last_field) {
  if (info.at == ValuesAt::boundary_faces || info.field.empty() || info.field == last_field) return false;
  return info.field != "divergence" && before.size() < most_pictures;  // which is 0 but for round-off
}

/// Pictures of these formats, which have the points in sequence, one per field. Collective.
std::vector<FieldPicture> pictures_of(const PointSampler& sampler, const std::vector<Quantity>& quantities,
                                      const std::vector<Format>& formats) {
  std::vector<FieldPicture> pictures;
  std::string last_field;
  for (const Quantity& quantity : quantities) {
    if (!is_shown(quantity.info, pictures, last_field)) continue;
    last_field = quantity.info.field;
    const std::vector<real> values = values_at(sampler, quantity);
    std::vector<real> inside;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (sampler.is_inside()[i]) inside.push_back(values[i]);
    }
    FieldPicture& picture = pictures.emplace_back();
    picture.name = quantity.info.name + (quantity.info.components > 1 ? ", magnitude" : "");
    picture.unit = quantity.info.unit;
    set_range(std::move(inside), picture);
    std::size_t at = 0;
    for (const Format& format : formats) {
      Raster& raster = picture.planes.emplace_back(Raster{format.caption, format.width, {}});
      for (int k = 0; k < format.width * format.height; ++k, ++at) {
        raster.pixels.push_back(sampler.is_inside()[at] ? colour_of(values[at], picture) : std::uint8_t{0});
      }
    }
  }
  return pictures;
}

}  // namespace

std::vector<FieldPicture> field_pictures(const LocalMesh& mesh, const std::vector<Quantity>& quantities) {
  const Box box = box_of(mesh);
  std::vector<Vec3> points;
  std::vector<Format> formats;
  if (mesh.dimension() == 2) {
    formats.push_back(add_slice(box, 0, 1, pixels_of_a_picture, points));
    formats.front().caption = "";
  } else {
    for (const auto& [right, up] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      formats.push_back(add_slice(box, right, up, pixels_of_a_slice, points));
    }
  }
  return pictures_of(PointSampler(mesh, std::move(points)), quantities, formats);
}

std::vector<FieldPicture> plane_pictures(const LocalMesh& mesh, const std::vector<Quantity>& quantities,
                                         const Plane& plane, const std::vector<CutPiece>& cut) {
  const auto is_less = [&](int a, int b) { return std::abs(plane.normal.*axes[a]) < std::abs(plane.normal.*axes[b]); };
  const int normal = std::max({2, 1, 0}, is_less), right = normal == 0 ? 1 : 0;
  View view = view_along(right, 3 - normal - right, plane.normal);
  view.caption =
      message("through {} m, normal {}; {}", text_of_place(plane.point), text_of_place(plane.normal), view.caption);
  Box here;
  for (const CutPiece& piece : cut) {
    for (int k = 0; k < piece.corners; ++k) {
      const Vec3 x = place_of(mesh.part(), piece, k) - plane.point;
      here.include({dot(x, view.right), dot(x, view.up), 0});
    }
  }
  const Box box = box_over_ranks(mesh.comm(), here);
  std::vector<Vec3> points;
  const Format format = add_picture(view, plane.point, box.low, box.high, pixels_of_a_picture, points);
  return pictures_of(PointSampler(mesh, std::move(points)), quantities, {format});
}

std::string html_of(const std::vector<FieldPicture>& pictures) {
  std::string html;
  for (const FieldPicture& picture : pictures) {
    const Raster& first = picture.planes.front();
    const auto height_of_first = first.pixels.size() / static_cast<std::size_t>(first.width);
    const bool is_wide = picture.planes.size() > 1 || static_cast<std::size_t>(first.width) > 2 * height_of_first;
    html += std::string(is_wide ? "<figure class=\"wide\">" : "<figure>") + "<figcaption>" +
            typeset(words_of(picture.name) + " [" + picture.unit + "]") + "</figcaption>\n";
    html += picture.planes.size() > 1 ? "<div class=\"slices\">\n" : "";
    for (const Raster& raster : picture.planes) {
      const auto height = raster.pixels.size() / static_cast<std::size_t>(raster.width);
      html += "<div>" +
              message("<img width=\"{}\" height=\"{}\" alt=\"{}\" src=\"data:image/png;base64,", raster.width, height,
                      escaped(picture.name + (raster.caption.empty() ? "" : ", " + raster.caption))) +
              base64(png_of(raster.width, raster.pixels, palette_of(picture.scale))) + "\">";
      if (!raster.caption.empty()) html += "<span class=\"soft\">" + escaped(raster.caption) + "</span>";
      html += "</div>\n";
    }
    html += picture.planes.size() > 1 ? "</div>\n" : "";
    html += "<div class=\"ramp\" style=\"background:" + gradient_of(picture.scale) + "\"></div><div class=\"ends\">";
    for (const double end : {picture.low, (picture.low + picture.high) / 2, picture.high}) {
      html += "<span>" + message("{:.3g}", end) + "</span>";
    }
    html += "</div>\n<p class=\"soft\">" +
            typeset(message("all values: from {:.4g} to {:.4g} {}", picture.smallest, picture.largest, picture.unit)) +
            "</p></figure>\n";
  }
  return html.empty() ? "" : "<div class=\"grid\">\n" + html + "</div>\n";
}

}  // namespace solenoid::report
