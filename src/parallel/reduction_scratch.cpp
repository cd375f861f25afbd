#include "parallel/reduction_scratch.hpp"

#include "parallel/copy.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes) {
  static ReductionScratch scratch{nullptr, nullptr, nullptr};
  static std::size_t device_size = 0, pinned_size = 0;
  if (device_size < device_bytes) {
    device_free(scratch.device, device_size);
    scratch.device = nullptr;
    device_size = 0;
    scratch.device = device_allocate(2 * device_bytes);
    device_size = 2 * device_bytes;
  }
  if (!scratch.arrived) {
    const unsigned none = 0;
    scratch.arrived = static_cast<unsigned*>(device_allocate(sizeof none));
    copy_to_device(scratch.arrived, &none, sizeof none);
  }
  if (pinned_size < pinned_bytes) {
    pinned_free(scratch.pinned);
    scratch.pinned = pinned_allocate(pinned_bytes);
    pinned_size = pinned_bytes;
  }
  return scratch;
}

}  // namespace solenoid
