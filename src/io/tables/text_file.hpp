/// Small text files, written whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

/// Replaces `file` by `text`: a reader sees the old content or the new one, never a part. A link of that name is
/// replaced, not followed. Serial. Throws Error (exit code 1) that names the file and the reason.
void write_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace solenoid
