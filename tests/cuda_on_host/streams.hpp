/// Streams as queues of work that nobody has done yet: it is done when somebody has to wait for it, and not before.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "memory.hpp"

namespace cuda_on_host {

using Work = std::function<void()>;

/// What the host has asked of the device so far.
struct Calls {
  long kernels = 0;   // those of graphs included
  long launches = 0;  // of kernels one by one, and of graphs
  long copies_to_device = 0, copies_to_host = 0, bytes_to_host = 0;
  long waits = 0;        // of the host for the device
  long allocations = 0;  // of device and page-locked memory
};
inline Calls& calls() {
  static Calls all;
  return all;
}

struct Graph {
  std::vector<Work> work;
  long kernels = 0;
};

struct Stream {
  std::deque<Work> queue;
  long given = 0, done = 0;          // pieces of work
  int asked = 0;                     // queries in turn that found work undone
  std::unique_ptr<Graph> recording;  // gets the work in place of the queue
  bool spoiled = false;              // the recording, by a call that none may contain
};

/// A place in a stream: everything given to it before the event was recorded.
struct Event {
  Stream* stream = nullptr;
  long place = 0;
};

inline std::vector<std::unique_ptr<Stream>>& streams() {
  static auto& all = *new std::vector<std::unique_ptr<Stream>>;
  return all;
}

/// Does the first `place` pieces of work of the stream, as far as they are not done yet.
inline void work_until(Stream& stream, long place) {
  if (stream.done >= place) return;
  const DeviceMemory::Access access;
  while (stream.done < place) {
    const Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    work();  // may go on in other streams, but asks this one for nothing beyond what is done
    ++stream.done;
  }
}

inline void work_until_all_is_done() {
  static bool forwards = false;  // streams that nothing orders come in one order or the other
  forwards = !forwards;
  for (std::size_t k = 0; k < streams().size(); ++k) {
    Stream& stream = *streams()[forwards ? k : streams().size() - 1 - k];
    work_until(stream, stream.given);
  }
}

inline void give(Stream& stream, Work work) {
  if (stream.recording) {
    stream.recording->work.push_back(std::move(work));
  } else {
    stream.queue.push_back(std::move(work));
    ++stream.given;
  }
  stream.asked = 0;
}

/// The same for work of so many kernels, each with its launch.
inline void give_kernels(Stream& stream, long kernels, Work work) {
  (stream.recording ? stream.recording->kernels : calls().kernels) += kernels;
  if (!stream.recording) calls().launches += kernels;
  give(stream, std::move(work));
}

/// True where the stream records; what cannot be recorded spoils the recording.
inline bool spoils(Stream& stream) {
  if (stream.recording) stream.spoiled = true;
  return stream.recording != nullptr;
}
inline bool spoils_any() {
  bool any = false;
  for (const auto& stream : streams()) any = spoils(*stream) || any;
  return any;
}

}  // namespace cuda_on_host
