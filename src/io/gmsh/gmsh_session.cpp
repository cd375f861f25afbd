#include "io/gmsh/gmsh_session.hpp"

#include <new>
#include <vector>

#include "base/error.hpp"
#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

GmshSession::GmshSession(const std::optional<double>& size) {
  std::vector<std::string> arguments{"solenoid"};
  if (size) arguments.insert(arguments.end(), {"-setnumber", "lc", message("{}", *size)});
  gmsh::initialize(arguments);
  gmsh::set_option("General.Terminal", 0);
  for (const char* threads :
       {"General.NumThreads", "Mesh.MaxNumThreads1D", "Mesh.MaxNumThreads2D", "Mesh.MaxNumThreads3D"}) {
    gmsh::set_option(threads, 1);  // meshing with threads is not reproducible
  }
  gmsh::start_log();
}

GmshSession::~GmshSession() {
  gmsh::stop_log();
  gmsh::finalize();
}

void ask_gmsh(const std::string& file, const std::string& failure, const std::function<void()>& calls) {
  std::string reason;
  try {
    calls();
    return;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(
        ExitCode::failure,
        message("{}: {}: memory ran out; take a larger edge length, or a machine with more memory", file, failure));
  } catch (const std::exception& error) {
    reason = error.what();
  }
  throw Error(ExitCode::bad_input, message("{}: {}: {}", file, failure, reason));
}

void forget_warnings() {
  gmsh::stop_log();
  gmsh::start_log();
}

void say_warnings(const GmshReports& reports) {
  constexpr int most = 3;
  int count = 0;
  for (const std::string& line : gmsh::log()) {
    // Debian's Gmsh warns of this for every periodic curve, but copies the nodes.
    if (line.find("must be compiled with ANN support") != std::string::npos) continue;
    if (line.starts_with("Warning") && ++count <= most) reports.say("Gmsh: " + line);
  }
  if (count > most) reports.say(message("Gmsh: {} more warnings", count - most));
  forget_warnings();
}

}  // namespace solenoid
