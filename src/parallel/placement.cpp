#include "parallel/placement.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#ifdef SOLENOID_CUDA
#include <cstring>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "parallel/cuda_stream.hpp"
#endif
#include "parallel/host_threads.hpp"
#include "parallel/threads.hpp"

namespace solenoid {

#ifdef SOLENOID_CUDA

const char* backend_name() { return "cuda"; }

#ifdef SOLENOID_CUDA_ON_HOST
int values_beyond_caches() { return 1 << 20; }  // a loop stands in for the GPU: the measurement has no meaning
#else
int values_beyond_caches() { return 1 << 27; }
#endif

Device select_device(const Comm& comm) {
  Device device;
  comm.guard([&] {
    const cudaError_t status = cudaGetDeviceCount(&device.count);
    require(status == cudaSuccess && device.count > 0, [&] {
      return message(
          "this build computes on NVIDIA GPUs and finds none here ({}): run on a machine with one, or build the preset "
          "cpu",
          cudaGetErrorString(status));
    });
  });
  const Comm::NodeShare share = comm.node_share();
  comm.guard([] { thread_count(); });
  share_processors(comm);
  comm.guard([&] {
    device.index = share.rank % device.count;
    check_cuda(cudaSetDevice(device.index), "choosing a device");
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, device.index), "asking the device its name");
    device.name = properties.name;
    std::memcpy(&device.id, properties.uuid.bytes, sizeof device.id);
  });
  return device;
}

int ranks_on_device(const Comm& comm) {
  int devices = 0;
  comm.guard([&] { check_cuda(cudaGetDeviceCount(&devices), "counting devices"); });
  return (comm.node_share().size + devices - 1) / devices;
}

bool mpi_is_gpu_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && !defined(SOLENOID_CUDA_ON_HOST)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

#else

const char* backend_name() { return "cpu"; }

int values_beyond_caches() { return 1 << 24; }

Device select_device(const Comm& comm) {
  comm.guard([] { thread_count(); });
  const int threads = thread_count();
  return {message("CPU, {} thread{} a rank", threads, threads == 1 ? "" : "s"), 0, 0, 0, threads};
}

int ranks_on_device(const Comm& comm) { return comm.node_share().size; }

bool mpi_is_gpu_aware() { return false; }

#endif

namespace {

std::string counted(std::size_t count, const std::string& what) {
  return message("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Ranks of one node and their common processors.
struct Share {
  int first = 0;  ///< the lowest of these ranks
  std::size_t ranks = 0, threads = 0;
  int most_threads = 0, node_size = 0;
  Processors processors, cores;

  void add(int rank, const RankPlace& place) {
    if (ranks == 0) first = rank;
    ++ranks;
    threads += static_cast<std::size_t>(place.threads);
    most_threads = std::max(most_threads, place.threads);
    node_size = place.node_size;
    processors |= place.processors;
    cores |= place.cores;
  }
  /// Ranks per core or threads per processor, whichever is more; at most 1 without conflict. Threads may use all
  /// processors of a core.
  double crowd() const {
    return std::max(static_cast<double>(ranks) / static_cast<double>(cores.count()),
                    static_cast<double>(threads) / static_cast<double>(processors.count()));
  }
  bool is_bound() const { return processors.count() < static_cast<std::size_t>(node_size); }
};

std::string warning_of(const Share& share, bool of_whole_node, int nodes) {
  const std::size_t cores = share.cores.count();
  std::string text = share.ranks == 1 ? message("the {} threads of rank {}", share.most_threads, share.first)
                                      : message("{} ranks", share.ranks);
  if (share.ranks > 1 && share.most_threads > 1) text += message(" of {} threads each", share.most_threads);
  text += (share.is_bound() ? " are bound to " : " share ") + counted(cores, "core");
  if (nodes > 1) text += message(" of the node of rank {}", share.first);

  std::vector<std::string> ways;
  if (share.most_threads > 1)
    ways.push_back(message("set OMP_NUM_THREADS={}", std::max(cores / share.ranks, std::size_t{1})));
  if (of_whole_node && share.ranks > cores) ways.push_back(message("take at most {} there", counted(cores, "rank")));
  if (share.is_bound() && share.most_threads > 1) {
    ways.push_back(
        message("give each rank the cores of its threads (mpirun --map-by slot:PE={}, srun --cpus-per-task={})",
                share.most_threads, share.most_threads));
  } else if (share.is_bound()) {
    ways.push_back("give each rank a core of its own (mpirun --bind-to core, srun --cpu-bind=cores)");
  }
  return text + " and wait for each other: " + joined(ways, ", or ");
}

/// The worst conflict over processors, in words; nullopt if there is none.
std::optional<std::string> crowded_cores(const std::vector<RankPlace>& places, int nodes) {
  std::map<int, Share> of_node;
  std::map<std::pair<int, std::string>, Share> of_the_same_processors;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const RankPlace& place = places[rank];
    if (place.processors.none()) return std::nullopt;
    of_node[place.node].add(static_cast<int>(rank), place);
    of_the_same_processors[{place.node, place.processors.to_string()}].add(static_cast<int>(rank), place);
  }
  const auto is_less_crowded = [](const auto& a, const auto& b) { return a.second.crowd() < b.second.crowd(); };
  const Share& node = std::max_element(of_node.begin(), of_node.end(), is_less_crowded)->second;
  if (node.crowd() > 1) return warning_of(node, true, nodes);
  const Share& share =
      std::max_element(of_the_same_processors.begin(), of_the_same_processors.end(), is_less_crowded)->second;
  if (share.crowd() > 1) return warning_of(share, false, nodes);
  return std::nullopt;
}

/// The node with the most ranks per device, in words; nullopt if each rank has its own.
std::optional<std::string> shared_devices(const std::vector<RankPlace>& places) {
  std::map<int, std::multiset<std::int64_t>> of_node;
  for (const RankPlace& place : places) of_node[place.node].insert(place.device);
  std::size_t ranks = 0, devices = 1;
  for (const auto& [node, ids] : of_node) {
    const std::size_t different = std::set(ids.begin(), ids.end()).size();
    if (ids.size() * devices > ranks * different) ranks = ids.size(), devices = different;
  }
  if (ranks <= devices) return std::nullopt;
  return message(
      "{} ranks of a node share {}, which is right for tests and slow for work: take {} there (srun "
      "--ntasks-per-node={}), or show each rank a device of its own (srun --gpus-per-task=1)",
      ranks, counted(devices, "device"), counted(devices, "rank"), devices);
}

std::string binding_of(const std::vector<RankPlace>& places) {
  const auto all = [&](const auto& holds) { return std::all_of(places.begin(), places.end(), holds); };
  if (all([](const RankPlace& place) {
        return place.processors.none() || place.processors.count() >= static_cast<std::size_t>(place.node_size);
      })) {
    return "none";
  }
  return all([](const RankPlace& place) { return place.cores.count() == 1; }) ? "core" : "cores";
}

/// The first processor of the core of this one.
int first_of_core(int processor) {
  std::ifstream siblings(message("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
  int first = processor;
  return siblings >> first ? first : processor;
}

RankPlace place_of_this_rank(const Comm& comm, const Device& device) {
  RankPlace place;
  place.node = comm.node_share().first;
  place.threads = device.threads;
  place.node_size = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  place.device = device.id;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return place;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    place.processors.set(static_cast<std::size_t>(processor));
    place.cores.set(static_cast<std::size_t>(first_of_core(processor)));
  }
  return place;
}

// A place as numbers, for transfer to rank 0.
constexpr std::size_t bits_a_word = 32, words_of_processors = CPU_SETSIZE / bits_a_word;
constexpr std::size_t words_of_place = 4 + 2 * words_of_processors;

void append(std::vector<std::int64_t>& words, Processors processors) {
  const Processors low(0xffffffffU);
  for (std::size_t k = 0; k < words_of_processors; ++k, processors >>= bits_a_word) {
    words.push_back(static_cast<std::int64_t>((processors & low).to_ullong()));
  }
}

Processors processors_from(const std::int64_t* words) {
  Processors processors;
  for (std::size_t k = words_of_processors; k-- > 0;) {
    processors = processors << bits_a_word | Processors(static_cast<unsigned long long>(words[k]));
  }
  return processors;
}

std::vector<std::int64_t> as_words(const RankPlace& place) {
  std::vector<std::int64_t> words{place.node, place.threads, place.node_size, place.device};
  append(words, place.processors);
  append(words, place.cores);
  return words;
}

RankPlace from_words(const std::int64_t* words) {
  return {static_cast<int>(words[0]), static_cast<int>(words[1]),
          static_cast<int>(words[2]), words[3],
          processors_from(words + 4), processors_from(words + 4 + words_of_processors)};
}

}  // namespace

Placement placement_of(const std::vector<RankPlace>& places, const Device& device) {
  Placement placement;
  placement.ranks = static_cast<int>(places.size());
  std::set<int> nodes;
  std::set<std::int64_t> devices;
  for (const RankPlace& place : places) {
    nodes.insert(place.node);
    devices.insert(place.device);
    placement.threads = std::max(placement.threads, place.threads);
  }
  placement.nodes = static_cast<int>(nodes.size());
  placement.device = device.name;
  placement.binding = binding_of(places);

  std::string& text = placement.text;
  text = counted(places.size(), "rank");
  if (placement.nodes > 1) text += message(" on {} nodes", placement.nodes);
  text += ", " + device.name;
  if (device.count > 0) {
    placement.devices = static_cast<int>(devices.size());
    text += ", " + counted(devices.size(), "device");
    if (const auto warning = shared_devices(places)) placement.warnings.push_back(*warning);
  }
  if (placement.binding != "none") text += placement.binding == "core" ? ", bound to a core" : ", bound to cores";
  if (placement.binding != "none" && placement.ranks > 1) text += " each";
  if (const auto warning = crowded_cores(places, placement.nodes)) placement.warnings.push_back(*warning);
  return placement;
}

Placement find_placement(const Comm& comm, const Device& device) {
  const std::vector<std::int64_t> words = comm.gather_on_root(as_words(place_of_this_rank(comm, device)));
  if (!comm.is_root()) return {};
  std::vector<RankPlace> places;
  for (std::size_t k = 0; k < words.size(); k += words_of_place) places.push_back(from_words(&words[k]));
  return placement_of(places, device);
}

}  // namespace solenoid
