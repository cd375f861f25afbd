/// Kernels and copies in a second stream of the GPU, beside the others.
#pragma once

namespace solenoid {

/// While it lives, this rank's kernels and copies go beside those that come after it. They begin once all is done that
/// came before (`after_all`), or only what went aside before. In the CPU build everything is done at once.
class Aside {
 public:
  explicit Aside(bool after_all);
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
};
bool aside_is_done();
void wait_for_aside();  ///< the host does
void join_aside();      ///< kernels and copies from here on do

}  // namespace solenoid
