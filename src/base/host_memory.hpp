/// Memory of this process, and the message when the system refuses more.
#pragma once

#include <cstddef>
#include <new>
#include <string>

namespace solenoid {

/// Peak resident memory of this process [bytes].
std::size_t host_bytes_peak();

/// Returns free memory of the heap to the system, such as that of a set-up which is over.
void return_free_memory();

/// Resident memory in use [bytes], after free memory is returned to the system. 0 where the system does not report it.
std::size_t host_bytes_in_use();

/// Memory available to this process [bytes]: the least of the machine's, its control group's, and the whole limit on
/// its address space; infinity where the system does not report it.
double host_bytes_left();

/// Refuses this process, and those it starts, more than `bytes` beyond the memory that it has; infinity: no limit.
void limit_host_memory(double bytes);

/// The current activity of the program while this exists, such as "setting up the solver". Main thread only.
class Purpose {
 public:
  explicit Purpose(std::string what);
  ~Purpose();
  Purpose(const Purpose&) = delete;
  Purpose& operator=(const Purpose&) = delete;

  /// The innermost purpose ended by the last exception, else the current one; empty if there is none.
  static std::string of_failure();

 private:
  std::string what_;
  const Purpose* before_;
  int exceptions_;
};

/// A refused allocation of known size.
struct OutOfMemory : std::bad_alloc {
  std::size_t bytes;       ///< requested
  std::size_t held;        ///< by this rank in the same memory [bytes]
  bool on_device = false;  ///< else on the host
  explicit OutOfMemory(std::size_t asked_for) : bytes(asked_for), held(host_bytes_peak()) {}
  OutOfMemory(std::size_t asked_for, std::size_t held_on_device)
      : bytes(asked_for), held(held_on_device), on_device(true) {}
};

/// The message for the user: the purpose, the size, and the remedy.
std::string text_of_refusal(const std::bad_alloc& refusal);

}  // namespace solenoid
