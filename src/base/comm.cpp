#include "base/comm.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace solenoid {

namespace {
MPI_Datatype mpi_real() { return std::is_same_v<real, double> ? MPI_DOUBLE : MPI_FLOAT; }

template <class T>
T reduce(const Comm& comm, const char* what, T value, MPI_Datatype type, MPI_Op operation) {
  comm.require_outside_guard(what);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, comm.handle());
  return value;
}
template <class T>
void reduce(const Comm& comm, const char* what, std::span<T> values, MPI_Datatype type, MPI_Op operation) {
  comm.require_outside_guard(what);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, comm.handle());
}
template <class T>
std::vector<T> gather_values(const Comm& comm, const std::vector<T>& values, MPI_Datatype type) {
  const std::vector<std::int64_t> sizes = comm.gather(static_cast<std::int64_t>(values.size()));
  std::int64_t total = 0;
  std::vector<int> count, begin;
  for (std::int64_t size : sizes) {
    begin.push_back(static_cast<int>(total));
    count.push_back(static_cast<int>(size));
    total += size;
  }
  require_on_all_ranks(total <= std::numeric_limits<int>::max(),
                       [&] { return message("{} values are too many to be gathered on one rank", total); });
  std::vector<T> all(comm.is_root() ? static_cast<std::size_t>(total) : 0);
  MPI_Gatherv(values.data(), static_cast<int>(values.size()), type, all.data(), count.data(), begin.data(), type, 0,
              comm.handle());
  return all;
}

/// For a process without a launcher Open MPI would start a daemon, which requires ssh, and search for networks: a third
/// of a second. The user's own Open MPI settings take precedence.
void start_alone_without_daemon() {
  for (const char* of_launcher :
       {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE", "PMI_FD", "SLURM_PROCID"}) {
    if (std::getenv(of_launcher)) return;
  }
  constexpr int keep = 0;
  for (const auto& [setting, value] :
       {std::pair{"OMPI_MCA_ess_singleton_isolated", "1"},
        {"OMPI_MCA_orte_create_session_dirs", "0"},  // all such processes would share one directory
        {"OMPI_MCA_sharedfp", "^sm"},                // its file lies in that directory
        {"OMPI_MCA_pml", "ob1"},
        {"OMPI_MCA_btl", "self"}}) {
    setenv(setting, value, keep);
  }
}

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) {
  start_alone_without_daemon();
  int provided = 0;  // kernels may run on threads, but only the main thread calls MPI
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
}
MpiSession::~MpiSession() { MPI_Finalize(); }

Comm::Comm(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

real Comm::sum(real value) const { return reduce(*this, "Comm::sum", value, mpi_real(), MPI_SUM); }
real Comm::max(real value) const { return reduce(*this, "Comm::max", value, mpi_real(), MPI_MAX); }
real Comm::min(real value) const { return reduce(*this, "Comm::min", value, mpi_real(), MPI_MIN); }
std::int64_t Comm::sum(std::int64_t value) const { return reduce(*this, "Comm::sum", value, MPI_INT64_T, MPI_SUM); }
std::int64_t Comm::max(std::int64_t value) const { return reduce(*this, "Comm::max", value, MPI_INT64_T, MPI_MAX); }
std::int64_t Comm::min(std::int64_t value) const { return reduce(*this, "Comm::min", value, MPI_INT64_T, MPI_MIN); }

Vec3 Comm::of_least(real key, const Vec3& x) const {
  const real least = min(key);
  const std::int64_t holder = min(std::int64_t{key == least ? rank_ : size_});
  real values[3] = {x.x, x.y, x.z};
  if (rank_ != holder) std::fill(values, values + 3, real{0});
  sum(std::span<real>(values));
  return {values[0], values[1], values[2]};
}

void Comm::sum(std::span<real> values) const { reduce(*this, "Comm::sum", values, mpi_real(), MPI_SUM); }
void Comm::sum(std::span<std::int64_t> values) const { reduce(*this, "Comm::sum", values, MPI_INT64_T, MPI_SUM); }
void Comm::min(std::span<std::int64_t> values) const { reduce(*this, "Comm::min", values, MPI_INT64_T, MPI_MIN); }

void Comm::barrier() const {
  require_outside_guard("Comm::barrier");
  MPI_Barrier(comm_);
}

std::string Comm::broadcast(std::string text, int from) const {
  require_outside_guard("Comm::broadcast");
  std::int64_t length = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, from, comm_);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, from, comm_);
  return text;
}

std::vector<std::int64_t> Comm::gather(std::int64_t value) const {
  require_outside_guard("Comm::gather");
  std::vector<std::int64_t> all(static_cast<std::size_t>(size_));
  MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm_);
  return all;
}

std::vector<std::int64_t> Comm::gather_on_root(const std::vector<std::int64_t>& values) const {
  return gather_values(*this, values, MPI_INT64_T);
}
std::vector<real> Comm::gather_on_root(const std::vector<real>& values) const {
  return gather_values(*this, values, mpi_real());
}

namespace {
#ifdef SOLENOID_CHECKED
/// Communicators with a guard whose work this rank is executing, the innermost last. Copies of a Comm refer to the same
/// one.
std::vector<MPI_Comm> guarding;

struct InsideGuard {
  explicit InsideGuard(MPI_Comm comm) { guarding.push_back(comm); }
  ~InsideGuard() { guarding.pop_back(); }
  InsideGuard(const InsideGuard&) = delete;
  InsideGuard& operator=(const InsideGuard&) = delete;
};
#else
struct InsideGuard {
  explicit InsideGuard(MPI_Comm) {}
};
#endif
}  // namespace

#ifdef SOLENOID_CHECKED
void Comm::require_outside_guard(const char* what) const {
  require(std::find(guarding.begin(), guarding.end(), comm_) == guarding.end(), [&] {
    return message(
        "{} is collective and was called inside a guard of the same ranks, where one that failed before would not join "
        "in: call it ahead of the guard or behind it",
        what);
  });
}
#endif

void Comm::guard(const std::function<void()>& work) const {
  require_outside_guard("Comm::guard");
  std::optional<Error> failure;
  try {
    const InsideGuard mark(comm_);
    work();
  } catch (...) {
    failure = current_error();
  }
  const std::int64_t failed = sum(std::int64_t{failure ? 1 : 0});
  if (failed == 0) return;

  const int speaker = static_cast<int>(min(std::int64_t{failure ? rank_ : size_}));
  std::int64_t code = failure ? static_cast<std::int64_t>(failure->code()) : 0;
  MPI_Bcast(&code, 1, MPI_INT64_T, speaker, comm_);
  std::string text = broadcast(failure ? failure->what() : "", speaker);
  if (speaker != 0) text = "rank " + std::to_string(speaker) + ": " + text;
  throw Error(static_cast<ExitCode>(code), text, true);
}

void Comm::abort(ExitCode code) const {
  MPI_Abort(comm_, static_cast<int>(code));
  std::abort();
}

Comm::NodeShare Comm::node_share() const {
  require_outside_guard("Comm::node_share");
  MPI_Comm node;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  NodeShare share{};
  MPI_Comm_rank(node, &share.rank);
  MPI_Comm_size(node, &share.size);
  share.first = rank_;
  MPI_Bcast(&share.first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return share;
}

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find(','));
}

}  // namespace solenoid
