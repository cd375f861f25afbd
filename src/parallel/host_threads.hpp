/// The threads of a rank for set-up code.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

/// Divides the processors of a node among the ranks that may run on the same ones, unless OMP_NUM_THREADS is set.
/// Collective.
void share_processors(const Comm& comm);

/// Calls body(begin, end) on ranges of `piece` items, the last of fewer, that make up [0, n), in any order on the
/// threads of this rank: for loops of set-up code whose items do not depend on each other. Throws the first exception
/// of `body` when all have ended. Not from two threads at a time, nor in a kernel.
void over_host_threads(int n, int piece, const std::function<void(int begin, int end)>& body);

/// Objects for the use of one thread at a time, made as they are needed.
template <class T>
class Spares {
 public:
  explicit Spares(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// Calls work(object) with an object that no other thread uses meanwhile.
  template <class Work>
  void use(const Work& work) {
    std::unique_ptr<T> object;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) object = std::move(idle_.back()), idle_.pop_back();
    }
    if (!object) object = make_();
    work(*object);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(object));
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace solenoid
