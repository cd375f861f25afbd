/// The commands that read cases and meshes, in a build that cannot (SOLENOID_FILES=OFF): each says so.
#include "app/commands.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "verify/verify.hpp"

namespace solenoid {

namespace {

[[noreturn]] void refuse(const char* command) {
  const std::string text = message(
      "this build has no Gmsh and VTK, and so no command `{}`: build with them and the CMake option SOLENOID_FILES=ON, "
      "which is the default",
      command);
  throw Error(ExitCode::bad_input, text, true);
}

}  // namespace

ExitCode run_case(const Comm&, const RunOptions&) { refuse("run"); }

ExitCode verify(const Comm&, const VerifyOptions&) { refuse("verify"); }

void check(const Comm&, const CheckOptions&) { refuse("check"); }

MeshSource read_mesh(const MeshRequest& request, const std::function<void(const std::string&)>&) {
  throw Error(ExitCode::bad_input, message("{}: this build has no Gmsh and reads no meshes: take --square or --cube",
                                           request.file.string()));
}

}  // namespace solenoid
