#include "case/tracer_case.hpp"

#include <cmath>

#include "case/case_words.hpp"

namespace solenoid {

namespace {

constexpr int most_seeds = 1'000'000;
constexpr double least_interval = 1e-6;  // between releases, as a fraction of the run

/// Notes a fault if only one of the two keys is present.
void require_both(TomlSection& section, const char* first, const char* second) {
  if (section.has(first) && !section.has(second)) section.wrong(first, message("`{}` beside it", second));
  if (section.has(second) && !section.has(first)) section.wrong(second, message("`{}` beside it", first));
}

std::vector<Vec3> points_between(const Vec3& from, const Vec3& to, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const real place = count > 1 ? static_cast<real>(i) / static_cast<real>(count - 1) : real{1} / 2;
    points.push_back((1 - place) * from + place * to);
  }
  return points;
}

void read_seeds(TomlSection& section, TracerSettings& tracer) {
  const std::string kind = section.one_of({"points", "from", "low", "centre"});
  tracer.points = section.optional_points("points");
  const auto from = section.optional_vector("from"), to = section.optional_vector("to");
  const auto low = section.optional_vector("low"), high = section.optional_vector("high");
  const auto centre = section.optional_vector("centre");
  const auto radius = section.optional_real("radius", positive);
  tracer.count = section.integer("count", 1, tracer.count, most_seeds);
  require_both(section, "from", "to");
  require_both(section, "low", "high");
  require_both(section, "centre", "radius");
  if (kind == "points" && section.has("count"))
    section.wrong("count", "none beside `points`, which are as many as they are");
  if (from && to && norm(*to - *from) == 0) section.wrong("to", "a point other than `from`");
  if (low && high && norm(*high - *low) == 0) section.wrong("high", "a point other than `low`");
  if (low && high && (low->x > high->x || low->y > high->y || low->z > high->z)) {
    section.wrong("high", "no coordinate less than that of `low`");
  }
  if (from && to) tracer.points = points_between(*from, *to, tracer.count);
  if (low && high) tracer.scattered = BoxOfPoints{*low, *high};
  if (centre && radius) tracer.scattered = BallOfPoints{*centre, static_cast<real>(*radius)};
}

}  // namespace

std::vector<TracerSettings> read_tracers(std::vector<TomlSection> sections, const TimeSettings& time) {
  const double begin = time.begin, end = time.end;
  std::vector<TracerSettings> tracers;
  for (TomlSection& section : sections) {
    TracerSettings tracer;
    tracer.name = read_name(section, tracers, "tracer");
    read_seeds(section, tracer);
    tracer.start = section.real("release_from", not_negative, tracer.start);
    tracer.every = section.optional_real("release_every", positive);
    tracer.last = section.optional_real("release_to", not_negative);
    if (tracer.start >= end) {
      section.wrong("release_from", message("a time before the `end` of the run in [time], {} s", end));
    }
    if (tracer.start < begin) {
      const std::string expected = message("a time from the beginning of the run on, {} s", begin);
      section.has("release_from") ? section.wrong("release_from", expected)
                                  : section.wrong("name", "`release_from` beside it, " + expected);
    }
    const double least = std::isfinite(end) ? least_interval * end : 0;
    if (tracer.every && *tracer.every < least) {
      section.wrong("release_every", message("at least {:.3g} s between releases, {:.0e} of the `end` in [time]", least,
                                             least_interval));
    }
    if (tracer.last && !tracer.every) section.wrong("release_to", "`release_every` beside it");
    if (tracer.last && *tracer.last < tracer.start) section.wrong("release_to", "a time from `release_from` on");
    tracer.every_steps = section.optional_integer("every_steps", 1);
    tracers.push_back(tracer);
  }
  return tracers;
}

}  // namespace solenoid
