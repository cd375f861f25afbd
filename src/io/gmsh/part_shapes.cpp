#include "io/gmsh/part_shapes.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/mesh_forecast.hpp"
#include "io/gmsh/mesh_request.hpp"
#include "io/gmsh/part_unit.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

constexpr double flat = 1e-6;  // by the extent of the part
constexpr double gap = 1e-5;   // between faces that CAD systems write, by the same

std::string format_of(const fs::path& file) {
  const std::string extension = extension_of(file);
  if (extension == ".brep") return "brep";
  return extension == ".iges" || extension == ".igs" ? "iges" : "step";
}

bool is_in_a_plane() {
  const gmsh::Extents size = gmsh::extents_of_model();
  return size.z <= flat * std::max(size.x, size.y);
}

class Import {
 public:
  explicit Import(const fs::path& file) : name_(file.string()), format_(format_of(file)) {
    read_.unit = unit_of_lengths(file);
    if (read_.unit.metres) set_unit(*read_.unit.metres);
    read();
    if (read_.dimension == 2 && !is_in_a_plane()) {
      gmsh::set_option("Geometry.Tolerance", gap * extent_of_model());
      gmsh::set_option("Geometry.OCCSewFaces", 1);
      gmsh::set_option("Geometry.OCCMakeSolids", 1);
      gmsh::occ::remove(read_.shapes);
      read();
    }
    require_input(read_.dimension == 3 || (read_.dimension == 2 && is_in_a_plane()), [&] { return fault(); });
  }

  PartShapes result() && { return std::move(read_); }

 private:
  /// OpenCASCADE converts lengths to mm unless it is told a unit that it knows, and before it has read an .iges it
  /// knows none.
  void set_unit(double metres) {
    if (format_ == "iges") {
      read();
      gmsh::occ::remove(read_.shapes);
    }
    gmsh::set_text_option("Geometry.OCCTargetUnit", word_of_unit(metres));
  }

  void read() {
    ask_gmsh(name_, "Gmsh cannot read it", [&] {
      read_.shapes = gmsh::occ::import(name_, format_);
      require_input(!read_.shapes.empty(), [&] { return message("{}: has no shape", name_); });
      gmsh::occ::synchronize();
    });
    read_.dimension = read_.shapes.front().first;
  }

  std::string fault() const {
    if (read_.dimension != 2) return message("{}: has neither solids nor faces; expected one of them", name_);
    return message(
        "{}: has {} surfaces that enclose no solid; expected solids, or faces in the x-y plane: close the surfaces, or "
        "make a solid of them, in the CAD system",
        name_, gmsh::entities(2).size());
  }

  std::string name_, format_;
  PartShapes read_;
};

}  // namespace

PartShapes import_shapes(const fs::path& file) { return Import(file).result(); }

}  // namespace solenoid
