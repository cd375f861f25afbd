/// The folder a run writes into: never someone else's files, never two runs at once.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

/// The result folder of a running computation; held by rank 0 until the run is over. Serial.
class ResultFolder {
 public:
  /// Makes `folder`, or clears the results of an earlier run from it: nothing but what Solenoid wrote. Throws Error
  /// (exit code 2) where Solenoid did not make the folder or another run writes into it, 1 where the disk refuses.
  explicit ResultFolder(const std::filesystem::path& folder);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  /// What the new results replace, in a line for the log; empty where there was nothing.
  const std::string& replaced() const { return replaced_; }

 private:
  void lock(const std::filesystem::path& mark);

  int lock_ = -1;  // file descriptor of the mark, locked until the process ends in whatever way
  std::string replaced_;
};

/// Throws Error (exit code 2) unless `folder` is absent, empty, or made by Solenoid. Serial: rank 0.
void require_replaceable(const std::filesystem::path& folder);

}  // namespace solenoid
