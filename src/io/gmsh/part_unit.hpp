/// The length unit that a file of a CAD system states.
#pragma once

#include <filesystem>
#include <optional>

namespace solenoid {

/// In metres, of a .step or .iges; nullopt for other files, and if it is not found, or not one of those known here.
std::optional<double> unit_of_part(const std::filesystem::path& file);

/// OpenCASCADE's word for a unit; "" if it has none.
const char* word_of_unit(double metres);

/// "mm", "in", ...; else "0.5 m".
std::string text_of_unit(double metres);

}  // namespace solenoid
