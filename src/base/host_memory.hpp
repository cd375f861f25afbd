/// Memory of this process, and the message when the system refuses more.
#pragma once

#include <cstddef>
#include <new>
#include <string>

namespace solenoid {

/// Largest resident memory this process has had [bytes].
std::size_t host_bytes_peak();

/// Resident memory that is in use [bytes]: gives back what is free before it looks. 0 where the system does not say.
std::size_t host_bytes_in_use();

/// What the program is about while this exists, such as "setting up the solver". In the main thread.
class Purpose {
 public:
  explicit Purpose(std::string what);
  ~Purpose();
  Purpose(const Purpose&) = delete;
  Purpose& operator=(const Purpose&) = delete;

  /// Of the innermost one that the last exception ended, else that lives; empty where there is none.
  static std::string of_failure();

 private:
  std::string what_;
  const Purpose* before_;
  int exceptions_;
};

/// Memory that was refused, where it is known how much.
struct OutOfMemory : std::bad_alloc {
  std::size_t bytes;       ///< asked for
  std::size_t held;        ///< by this rank in the same place [bytes]
  bool on_device = false;  ///< not on the host
  explicit OutOfMemory(std::size_t asked_for) : bytes(asked_for), held(host_bytes_peak()) {}
  OutOfMemory(std::size_t asked_for, std::size_t held_on_device)
      : bytes(asked_for), held(held_on_device), on_device(true) {}
};

/// What to say of it: for which purpose it was, how much, and what to do.
std::string text_of_refusal(const std::bad_alloc& refusal);

}  // namespace solenoid
