#include "base/host_memory.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {

const Purpose* current_purpose = nullptr;
std::string ended_purpose;  // the innermost one ended by an exception

std::string megabytes(std::size_t bytes) { return message("{:.3g} MB", 1e-6 * static_cast<double>(bytes)); }

/// The number after `key` in a file of lines such as /proc/meminfo; infinity if there is none.
double number_in(const char* file, const std::string& key) {
  std::ifstream in(file);
  double value = std::numeric_limits<double>::infinity();
  for (std::string word; in >> word;) {
    if (word == key && in >> value) return value;
  }
  return std::numeric_limits<double>::infinity();
}

/// The number that is the content of a file; infinity if the file is missing or holds a word.
double number_of(const char* file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? value : std::numeric_limits<double>::infinity();
}

}  // namespace

std::size_t host_bytes_peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void return_free_memory() { malloc_trim(0); }

std::size_t host_bytes_in_use() {
  return_free_memory();
  std::size_t pages_of_program = 0, pages_resident = 0;
  std::ifstream("/proc/self/statm") >> pages_of_program >> pages_resident;
  return pages_resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double host_bytes_left() {
  double left = 1024 * number_in("/proc/meminfo", "MemAvailable:");
  const double group = number_of("/sys/fs/cgroup/memory.max"), used = number_of("/sys/fs/cgroup/memory.current");
  if (std::isfinite(group) && std::isfinite(used)) left = std::min(left, std::max(0.0, group - used));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    left = std::min(left, static_cast<double>(limit.rlim_cur));
  }
  return left;
}

void limit_host_memory(double bytes) {
  const double most = 1024 * number_in("/proc/self/status", "VmData:") + bytes;
  rlimit limit{};
  if (!std::isfinite(most) || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, static_cast<rlim_t>(most));
  setrlimit(RLIMIT_DATA, &limit);
}

Purpose::Purpose(std::string what)
    : what_(std::move(what)), before_(std::exchange(current_purpose, this)), exceptions_(std::uncaught_exceptions()) {
  ended_purpose.clear();
}

Purpose::~Purpose() {
  const bool has_failed = std::uncaught_exceptions() > exceptions_;
  if (has_failed && ended_purpose.empty()) ended_purpose = std::move(what_);
  current_purpose = before_;
}

std::string Purpose::of_failure() {
  return ended_purpose.empty() && current_purpose ? current_purpose->what_ : ended_purpose;
}

std::string text_of_refusal(const std::bad_alloc& refusal) {
  const std::string purpose = Purpose::of_failure();
  const auto* known = dynamic_cast<const OutOfMemory*>(&refusal);
  return message(
      "out of memory{}{}: {} {}; use more ranks, a coarser mesh, or a machine with more memory",
      known && known->on_device ? " on the device" : "", purpose.empty() ? "" : " while " + purpose,
      known ? megabytes(known->bytes) + " were refused to a rank that has" : "a rank was refused more than its",
      megabytes(known ? known->held : host_bytes_peak()));
}

}  // namespace solenoid
