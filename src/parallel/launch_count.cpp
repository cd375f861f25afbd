#include "parallel/launch_count.hpp"

namespace solenoid {

namespace {
long launches = 0;
}  // namespace

void count_launch(long count) { launches += count; }
long kernel_launches() { return launches; }

}  // namespace solenoid
