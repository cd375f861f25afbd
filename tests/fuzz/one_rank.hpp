/// MPI for a fuzz target: this process alone, from the first input to the end.
#pragma once

#include "base/comm.hpp"

namespace solenoid::fuzz {

inline const Comm& one_rank() {
  static int no_words = 0;
  static char** words = nullptr;
  static const MpiSession mpi(no_words, words);
  static const Comm comm;
  return comm;
}

}  // namespace solenoid::fuzz
