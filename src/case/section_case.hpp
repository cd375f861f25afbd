/// The [[section]] tables of the case file.
#pragma once

#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "case/toml_section.hpp"
#include "model/quantity.hpp"

namespace solenoid {

/// `patches`: those of the case; `quantities`: of the model.
std::vector<SectionSettings> read_sections(std::vector<TomlSection> sections, const std::vector<std::string>& patches,
                                           const std::vector<QuantityInfo>& quantities);

}  // namespace solenoid
