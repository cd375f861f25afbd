/// A checksum at the end of a file, by which damage is found before any library reads it.
#pragma once

#include <filesystem>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// Appends the seal: a mark, the number of bytes in front of it, and their fingerprint. Every rank has closed the file,
/// and reads a part of it. Collective; throws a collective Error that names the file and the reason.
void seal_file(const Comm& comm, const std::filesystem::path& file);

/// What is wrong with a file that should have a seal, or nothing. Every rank reads a part of it. Collective; throws a
/// collective Error (exit code 2) where it cannot be read.
std::string broken_seal(const Comm& comm, const std::filesystem::path& file);

}  // namespace solenoid
