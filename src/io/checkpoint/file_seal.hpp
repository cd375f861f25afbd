/// A checksum at the end of a file, by which damage is found before any library reads it.
#pragma once

#include <filesystem>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// Appends the seal: a mark, the number of bytes before it, and their fingerprint. All ranks must have closed the file;
/// each reads a part of it. Collective; throws a collective Error that names the file and the reason.
void seal_file(const Comm& comm, const std::filesystem::path& file);

/// The fault of a file that should have a seal; empty if none. Each rank reads a part. Collective; throws a collective
/// Error (exit code 2) if the file cannot be read.
std::string broken_seal(const Comm& comm, const std::filesystem::path& file);

}  // namespace solenoid
