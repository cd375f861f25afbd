/// The kernels of this rank as they queue: their number, and a second stream of the GPU beside the first.
#pragma once

namespace solenoid {

/// A second stream. While it exists, this rank's kernels and copies run concurrently with later ones outside it. They
/// start after all earlier work (`after_all`) or only after earlier work aside. The CPU build does everything at once.
class Aside {
 public:
  explicit Aside(bool after_all);
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
};
bool aside_is_done();
void wait_for_aside();  ///< blocks the host
void join_aside();      ///< orders later kernels and copies after it

// Kernels launched by this rank (in the CPU build: passes over its values), including those of replayed graphs.
void count_launch(long count = 1);
long kernel_launches();

}  // namespace solenoid
