/// .stl files, from the file to closed surfaces.
#include "fuzz/target.hpp"
#include "io/gmsh/stl_surface.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  file.put(fuzz::text_of(data, size));
  StlTriangles found;
  if (!fuzz::accepts([&] { found = read_stl(file.path()); })) return 0;
  const std::size_t count = found.triangles.size();
  StlSurface surface;
  if (!fuzz::accepts([&] { surface = divide_stl(found, 40, "a.stl"); })) return 0;
  fuzz::expect(surface.surface_of.size() == count, "another number of triangles than the file has");
  return 0;
}
