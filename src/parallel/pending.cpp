#include "parallel/pending.hpp"

#ifdef SOLENOID_CUDA

#include <map>
#include <memory>
#include <vector>

#include "parallel/cuda_stream.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

struct ResultPlace::Slot {
  void* memory;
  std::size_t bytes;
  cudaEvent_t done;
};

namespace {

/// Slots that nobody uses, by their size.
std::map<std::size_t, std::vector<ResultPlace::Slot*>>& spare_slots() {
  static auto& spare = *new std::map<std::size_t, std::vector<ResultPlace::Slot*>>;  // results may outlive any other
  return spare;
}

}  // namespace

ResultPlace::ResultPlace(std::size_t bytes) {
  auto& spare = spare_slots()[bytes];
  if (spare.empty()) {
    auto made = std::make_unique<Slot>(Slot{pinned_allocate(bytes), bytes, {}});
    check_cuda(cudaEventCreateWithFlags(&made->done, cudaEventDisableTiming), "making an event");
    spare.push_back(made.release());
  }
  slot_ = spare.back();
  spare.pop_back();
}
ResultPlace::~ResultPlace() {
  if (slot_) spare_slots()[slot_->bytes].push_back(slot_);
}

void* ResultPlace::data() const { return slot_->memory; }
void ResultPlace::mark() { check_cuda(cudaEventRecord(slot_->done, cuda::kernel_stream()), "marking a result"); }
void ResultPlace::wait() const { check_cuda(cudaEventSynchronize(slot_->done), "waiting for a result"); }

}  // namespace solenoid

#endif
