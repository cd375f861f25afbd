/// Solenoid: incompressible flow on triangle and tetrahedral meshes. Everything starts here; the rooms are named in
/// docs/developer.md.
#include "app/program.hpp"
#include "base/comm.hpp"

int main(int argc, char** argv) {
  solenoid::MpiSession mpi(argc, argv);
  return static_cast<int>(solenoid::run_program(solenoid::Comm(), argc, argv));
}
