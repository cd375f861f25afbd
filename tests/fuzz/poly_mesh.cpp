/// The files of a polyMesh, one after the other with a form feed between, from the folder to a mesh.
#include <stdlib.h>

#include <array>
#include <string>

#include "fuzz/target.hpp"
#include "io/foreign/poly_mesh.hpp"
#include "io/msh/msh_mesh.hpp"

namespace {

/// A folder of links to files in memory.
class InputFolder {
 public:
  InputFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "polyMesh-XXXXXX").string();
    solenoid::fuzz::expect(mkdtemp(name.data()) != nullptr, "there is no folder for the input's files");
    path_ = name;
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::filesystem::create_symlink(files_[k].path(), path_ / names[k]);
    }
  }
  ~InputFolder() { std::filesystem::remove_all(path_); }
  InputFolder(const InputFolder&) = delete;
  InputFolder& operator=(const InputFolder&) = delete;

  void put(std::string_view content) {
    for (solenoid::fuzz::InputFile& file : files_) {
      const std::size_t end = content.find('\f');
      file.put(content.substr(0, end));
      content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    }
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::array<const char*, 6> names{"points", "faces", "owner", "neighbour", "boundary", "cellZones"};
  std::array<solenoid::fuzz::InputFile, names.size()> files_;
  std::filesystem::path path_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static InputFolder folder;
  folder.put(fuzz::text_of(data, size));
  FileMesh found;
  if (!fuzz::accepts([&] { found = read_poly_mesh(folder.path(), "polyMesh"); })) return 0;
  MeshSource mesh;
  if (!fuzz::accepts([&] { mesh = mesh_of_records(found.records, found.dimension, 1, "polyMesh"); })) return 0;
  fuzz::expect(mesh.cell_count() == found.cells, "another number of cells than the files have");
  return 0;
}
