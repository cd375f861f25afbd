/// .su2 files, from the file to a mesh.
#include "fuzz/target.hpp"
#include "io/foreign/su2_mesh.hpp"
#include "io/msh/msh_mesh.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  file.put(fuzz::text_of(data, size));
  FileMesh found;
  if (!fuzz::accepts([&] { found = read_su2_mesh(file.path(), "a.su2"); })) return 0;
  MeshSource mesh;
  if (!fuzz::accepts([&] { mesh = mesh_of_records(found.records, found.dimension, 1, "a.su2"); })) return 0;
  fuzz::expect(mesh.cell_count() == found.cells, "another number of cells than the file has");
  return 0;
}
