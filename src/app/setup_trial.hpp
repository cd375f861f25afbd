/// A trial of a run's set-up on one rank: its refusals and its memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/case_file.hpp"
#include "mesh/partition.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

/// Calls work() and adds its bad-input Error to `faults`. Other errors propagate.
template <class Work>
void attempt(std::vector<std::string>& faults, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    faults.push_back(error.what());
  }
}

/// Memory [bytes]; in the CPU build the device memory is part of the host memory.
struct Bytes {
  double host = 0, device = 0;
};

/// Memory of the arrays of a run per cell of the mesh, unless noted.
struct ArraysPerCell {
  Bytes whole;  ///< the mesh during distribution, on the reading rank
  Bytes share;  ///< a rank's share of the mesh
  Bytes wide;   ///< the same with more layers of halo, if the model needs them
  Bytes model;
  Bytes on_every_rank;  ///< in total, not per cell: data that each of several ranks holds whole
  int wide_layers = 0;
  double beside = 1;  ///< peak host memory of the process while it makes the arrays, over their size; 1 if an earlier
                      ///< peak was higher

  /// Memory of the rank with most cells.
  Bytes of_rank(const PartitionReport& partition) const;
  /// Memory of the reading rank while it distributes the mesh.
  Bytes of_reader(const PartitionReport& partition, std::int64_t cells) const;
};

struct SetupTrial {
  std::vector<std::string> faults;      ///< of the case on this mesh
  std::vector<std::string> warnings;    ///< of the case on this mesh
  std::vector<std::string> remarks;     ///< of the model
  std::string obstacle;                 ///< why this machine could not try it; empty: it could
  std::optional<ArraysPerCell> arrays;  ///< absent if the set-up did not complete
  std::vector<ArraysOf> device_arrays;  ///< of the whole mesh, likewise
};

/// Creates the model of the case and its observers for the whole mesh on this rank alone, so other ranks need not take
/// part; nothing is solved. `is_coarser`: than the mesh of the run, whose outputs may show cells where this has none.
/// Needs the time and memory of a run on one rank before its first step. Serial.
SetupTrial try_setup(const Case& wanted, const GlobalMesh& whole, bool is_coarser = false);

}  // namespace solenoid
