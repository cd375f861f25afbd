/// Replacement for BoomerAMG in a build without hypre.
#include "solve/boomeramg.hpp"

namespace solenoid {

std::string hypre_version() { return ""; }

struct BoomerAmg::Parts {};

BoomerAmg::BoomerAmg(const Comm&, const LocalNumbering&, const MatrixRows&, const std::vector<real>&, int) {
  throw Error(ExitCode::bad_input, message("preconditioner \"boomeramg\" {}", needs_hypre), true);
}
BoomerAmg::~BoomerAmg() = default;
BoomerAmg::BoomerAmg(BoomerAmg&&) noexcept = default;

void BoomerAmg::cycle(const real*, real*) const {}

}  // namespace solenoid
