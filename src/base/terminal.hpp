/// The user's screen: whether there is one, and its width.
#pragma once

#include <cstddef>

namespace solenoid {

/// The terminal behind standard output, if there is one. Open MPI's mpirun gives each rank a pseudo-terminal whatever
/// its own output is, so under a launcher the launcher's output counts.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_there() const { return screen_ >= 0; }
  std::size_t columns() const;  ///< current width of the terminal; 80 if unknown

 private:
  int screen_ = -1;  // open file of the terminal
};

}  // namespace solenoid
