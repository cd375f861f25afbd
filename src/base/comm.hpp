/// MPI for the program: its lifetime, sums and maxima over ranks, and errors that reach every rank.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/real.hpp"
#include "base/vec3.hpp"

namespace solenoid {

/// Initialises MPI in its constructor, finalises it in its destructor. One object, in main.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// The ranks of a run. A light handle: copies refer to the same communicator.
class Comm {
 public:
  explicit Comm(MPI_Comm comm = MPI_COMM_WORLD);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return comm_; }

  // Collective: every rank calls, every rank receives the result.
  real sum(real value) const;
  real max(real value) const;
  real min(real value) const;
  std::int64_t sum(std::int64_t value) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  void sum(std::span<real> values) const;
  void sum(std::span<std::int64_t> values) const;
  void min(std::span<std::int64_t> values) const;
  Vec3 of_least(real key, const Vec3& x) const;  ///< the x of the lowest rank whose key is least
  void barrier() const;
  std::string broadcast(std::string text, int from = 0) const;
  std::vector<std::int64_t> gather(std::int64_t value) const;  ///< one value per rank, on every rank
  // The values of all ranks in rank order, on rank 0; empty elsewhere.
  std::vector<std::int64_t> gather_on_root(const std::vector<std::int64_t>& values) const;
  std::vector<real> gather_on_root(const std::vector<real>& values) const;

  /// Runs `work` on each rank. If it throws anywhere, every rank throws one collective Error: the code and message of
  /// the lowest failing rank (with its number, unless it is rank 0). `work` holds the steps that may fail on one rank
  /// only, and nothing collective on these ranks: a rank that failed earlier would not join in. Other communicators,
  /// such as MPI_COMM_SELF, are allowed.
  void guard(const std::function<void()>& work) const;

  /// Every collective function calls this first. In checked builds it throws Error (exit code 1) with the name `what`
  /// if this rank is inside the work of a guard of this communicator.
#ifdef SOLENOID_CHECKED
  void require_outside_guard(const char* what) const;
#else
  void require_outside_guard(const char*) const {}
#endif

  /// Ends all ranks at once with `code`, for a rank that failed alone while the others wait.
  [[noreturn]] void abort(ExitCode code) const;

  /// The ranks of this node and this rank's number among them, for the choice of a device. `first` is the lowest of
  /// them.
  struct NodeShare {
    int rank, size, first;
  };
  NodeShare node_share() const;

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

/// The MPI library's name and version, for `--version` and summary.json.
std::string mpi_library_version();

}  // namespace solenoid
