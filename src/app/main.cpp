/// Solenoid: incompressible flow on triangle and tetrahedral meshes. The entry point of the program; docs/developer.md
/// lists the rooms.
#include "app/program.hpp"
#include "base/comm.hpp"

int main(int argc, char** argv) {
  solenoid::MpiSession mpi(argc, argv);
  return static_cast<int>(solenoid::run_program(solenoid::Comm(), argc, argv));
}
