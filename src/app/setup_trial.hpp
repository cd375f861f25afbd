/// A trial of a run's set-up on one rank: its refusals and its memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case_file.hpp"
#include "mesh/partition.hpp"

namespace solenoid {

/// Memory [bytes]; in the CPU build the device's is part of the host's.
struct Bytes {
  double host = 0, device = 0;
};

/// What the arrays of a run hold for each cell of the mesh, but where it says otherwise.
struct ArraysPerCell {
  Bytes whole;  ///< the mesh as it is shared out, on the rank that reads it
  Bytes share;  ///< a rank's share of the mesh
  Bytes wide;   ///< the same with more layers of halo, where the model takes that
  Bytes model;
  Bytes on_every_rank;  ///< in all: what several ranks hold whole, each of them
  int wide_layers = 0;
  double beside = 1;  ///< what the process takes at most of the host's memory to make them, over what they hold; 1
                      ///< where something before took more

  /// Of the rank with most to do.
  Bytes of_rank(const PartitionReport& partition) const;
  /// Of the reading rank while it shares out the mesh.
  Bytes of_reader(const PartitionReport& partition, std::int64_t cells) const;
};

struct SetupTrial {
  std::vector<std::string> faults;      ///< of the case, with this mesh
  std::vector<std::string> remarks;     ///< of the model
  std::string obstacle;                 ///< what this machine lacks to try it; empty: nothing
  std::optional<ArraysPerCell> arrays;  ///< absent where the set-up did not come to its end
};

/// Makes the model of the case for the whole mesh, and what looks at it, on this rank alone, so that nobody else has to
/// come; nothing is solved. Takes the time and memory of a run on one rank before its first step. Serial.
SetupTrial try_setup(const Case& wanted, const GlobalMesh& whole);

}  // namespace solenoid
