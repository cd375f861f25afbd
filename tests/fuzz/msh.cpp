/// What is checked of .msh files of either format, text and binary, before Gmsh sees them.
#include "fuzz/target.hpp"
#include "io/msh/msh_check.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file, rest;
  file.put(fuzz::text_of(data, size));
  MshSummary summary;
  if (!fuzz::accepts([&] { summary = check_msh(file.path(), "a.msh"); })) return 0;
  if (summary.extras.empty()) return 0;
  copy_without(file.path(), summary.extras, rest.path());
  const MshSummary of_rest = check_msh(rest.path(), "a.msh");
  fuzz::expect(of_rest.extras.empty() && of_rest.cells == summary.cells && of_rest.dimension == summary.dimension,
               "another mesh without what it does not depend on");
  return 0;
}
