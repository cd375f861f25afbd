#include "run/result/version.hpp"

#include "parallel/placement.hpp"
#include "solve/boomeramg.hpp"

namespace solenoid {

nlohmann::ordered_json version_summary() {
  const std::string hypre = hypre_version();
  return {{"version", SOLENOID_VERSION},
          {"commit", git_commit()},
          {"backend", backend_name()},
          {"processors", SOLENOID_CPU_LEVEL},
          {"precision", precision_name},
          {"mpi", mpi_library_version()},
          {"gpu_aware_mpi", mpi_is_gpu_aware()},
          {"hypre", hypre.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(hypre)}};
}

std::string version_text(const Comm& comm) {
  const std::string hypre = hypre_version();
  const std::string level = SOLENOID_CPU_LEVEL;
  return message(
      "solenoid {} (commit {})\nbackend: {}{}\nprecision: {}\nMPI: {}, GPU-aware: {}, {} rank{}\nhypre: {}\n",
      SOLENOID_VERSION, git_commit(), backend_name(), level.empty() ? "" : ", for processors from " + level + " on",
      precision_name, mpi_library_version(), mpi_is_gpu_aware() ? "yes" : "no", comm.size(),
      comm.size() == 1 ? "" : "s", hypre.empty() ? "no" : hypre);
}

}  // namespace solenoid
