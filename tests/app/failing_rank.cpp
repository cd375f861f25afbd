/// A program in which one rank fails, for the test that nobody waits for it: `alone` outside any guard while the others
/// wait, `together` inside one.
#include <cstdio>
#include <string>

#include "app/program.hpp"

int main(int argc, char** argv) {
  using namespace solenoid;
  MpiSession mpi(argc, argv);
  const Comm comm;
  const std::string how = argc > 1 ? argv[1] : "";
  const auto fail_on_last = [&] {
    require_input(comm.rank() != comm.size() - 1, [] { return "the last rank fails on purpose"; });
  };
  return static_cast<int>(answer_for_errors(comm, [&] {
    if (how == "together") comm.guard(fail_on_last);
    if (how == "alone") fail_on_last();
    comm.barrier();
    std::printf("rank %d got past the failure\n", comm.rank());
    return ExitCode::done;
  }));
}
