/// .msh files of either format, text and binary, from the file to a mesh.
#include "fuzz/target.hpp"
#include "io/msh/msh_check.hpp"
#include "io/msh/msh_mesh.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  file.put(fuzz::text_of(data, size));
  MshSummary summary;
  if (!fuzz::accepts([&] { summary = check_msh(file.path(), "a.msh"); })) return 0;
  MeshSource mesh;
  if (!fuzz::accepts([&] { mesh = mesh_of_records(summary.records, summary.dimension, 1, "a.msh"); })) return 0;
  fuzz::expect(mesh.dimension == summary.dimension && mesh.cell_count() == summary.cells,
               "another number of cells than the file has");
  return 0;
}
