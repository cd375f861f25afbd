#include "case/average_case.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "case/case_words.hpp"
#include "case/section_case.hpp"
#include "model/time_average.hpp"

namespace solenoid {

namespace {

/// Whether a name ends as m_000123, an output of the average m.
bool ends_like_an_output(const std::string& name) {
  constexpr std::size_t least_digits = 6;
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != name.npos && name[last] == '_' && name.size() - last > least_digits;
}

/// The field words of quantities at nodes or in cells.
std::vector<std::string> fields_inside(const ModelSetup& setup) {
  std::vector<QuantityInfo> inside = setup.quantities();
  std::erase_if(inside, [](const QuantityInfo& info) { return !AveragedQuantity::takes(info); });
  return field_words(inside, false);
}

/// The first two of the words.
std::vector<std::string> usual_of(const std::vector<std::string>& fields) {
  return {fields.begin(), fields.begin() + std::min<std::ptrdiff_t>(2, std::ssize(fields))};
}

template <class Settings>
void read_samples(TomlSection& section, double end, Settings& settings) {
  settings.from = section.real("from", not_negative, settings.from);
  if (settings.from >= end) section.wrong("from", message("a time before the `end` of the run in [time], {} s", end));
  settings.variance = section.flag("variance", settings.variance);
  settings.every_steps = section.integer("every_steps", 1, settings.every_steps);
}

}  // namespace

std::vector<AverageSettings> read_averages(std::vector<TomlSection> sections, const ModelSetup& setup, double end) {
  const std::vector<QuantityInfo> all = setup.quantities();
  const bool has_on_every_patch = std::any_of(all.begin(), all.end(), [](const QuantityInfo& info) {
    return info.at == ValuesAt::boundary_faces && info.field.empty();
  });
  const std::vector<std::string> fields = fields_inside(setup), usual = usual_of(fields);
  std::vector<AverageSettings> averages;
  for (TomlSection& section : sections) {
    AverageSettings average;
    average.name = read_name(section, averages, "average");
    average.patches = section.words("patches", setup.patches(), {}, 1);
    if (!average.patches.empty() && ends_like_an_output(average.name)) {
      section.wrong("name", "beside `patches` a name that does not end with _ and six digits or more, as outputs do");
    }
    average.fields = section.words("fields", fields, usual, has_on_every_patch && section.has("patches") ? 0 : 1);
    read_samples(section, end, average);
    averages.push_back(average);
  }
  return averages;
}

std::vector<ProfileSettings> read_profiles(std::vector<TomlSection> sections, const ModelSetup& setup, double end) {
  constexpr int most_planes = 10'000;
  const std::vector<std::string> fields = fields_inside(setup);
  std::vector<ProfileSettings> profiles;
  for (TomlSection& section : sections) {
    ProfileSettings profile;
    profile.name = read_name(section, profiles, "profile");
    profile.fields = section.words("fields", fields, usual_of(fields), 1);
    const Vec3 along = section.vector("direction", profile.planes.normal);
    if (norm(along) > 0) {
      profile.planes.normal = along / norm(along);
    } else {
      section.wrong("direction", "a direction other than [0, 0, 0]");
    }
    section.exclusive("points", "positions", false);
    profile.planes.points = section.optional_integer("points", 2).value_or(0);
    if (profile.planes.points > most_planes) section.wrong("points", message("at most {}", most_planes));
    profile.planes.positions = section.ascending("positions", any_number);
    if (profile.planes.positions.size() == 1) section.wrong("positions", "two numbers or more");
    if (const auto within = section.optional_table("within")) profile.planes.within = read_within(*within);
    read_samples(section, end, profile);
    profiles.push_back(profile);
  }
  return profiles;
}

}  // namespace solenoid
