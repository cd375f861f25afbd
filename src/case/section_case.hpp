/// The tables of cuts in the case file: [[section]], [[plane]], [[isosurface]].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "model/quantity.hpp"

namespace solenoid {

/// A part of space, { centre, radius } or { min, max }; nullopt if a fault is noted.
std::optional<PlaceOfPoints> read_within(TomlSection section);

// `quantities`: of the model.

/// `patches`: those of the case.
std::vector<SectionSettings> read_sections(std::vector<TomlSection> sections, const std::vector<std::string>& patches,
                                           const std::vector<QuantityInfo>& quantities);

// `usual`: the fields by default, those of [output].
std::vector<PlaneSettings> read_planes(std::vector<TomlSection> sections, const std::vector<QuantityInfo>& quantities,
                                       const std::vector<std::string>& usual);
std::vector<IsosurfaceSettings> read_isosurfaces(std::vector<TomlSection> sections,
                                                 const std::vector<QuantityInfo>& quantities,
                                                 const std::vector<std::string>& usual);

}  // namespace solenoid
