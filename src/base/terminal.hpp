/// The user's screen: whether there is one, and its width.
#pragma once

#include <cstddef>

namespace solenoid {

/// The terminal behind standard output, if one is there. Open MPI's mpirun gives each rank a pseudo-terminal whatever
/// its own output goes to, so under a launcher it is the launcher's output that counts.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_there() const { return screen_ >= 0; }
  std::size_t columns() const;  ///< of the terminal as it is now; 80 where that cannot be found out

 private:
  int screen_ = -1;  // open file of the terminal
};

}  // namespace solenoid
