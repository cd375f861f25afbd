/// .msh files of either format, text and binary, from the file to a mesh, also between a periodic pair.
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
  if (mesh.patches.size() < 2) return 0;
  const PatchPairs pairs{{mesh.patches[0], mesh.patches[1]}};
  fuzz::accepts([&] { mesh_of_file(summary, 1, pairs, "a.msh", [](const std::string&) {}); });
  return 0;
}
