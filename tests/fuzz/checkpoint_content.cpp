/// Checkpoints whose seal is right and whose content is not what Solenoid writes: the input says, a few bytes an
/// object, what is taken out of one and put into it.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "fuzz/one_rank.hpp"
#include "fuzz/target.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/file_seal.hpp"
#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid::fuzz {
namespace {

using hdf5::Handle;

LocalNumbering numbering() {
  LocalNumbering cells;
  cells.owned = 8;
  cells.global_count = 8;
  for (int i = 0; i < cells.owned; ++i) cells.global_id.push_back(i);
  return cells;
}

/// Two triangles.
MeshSource square() {
  MeshSource mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.cells = {0, 1, 2, 0, 2, 3};
  mesh.cell_region = {0, -1};
  mesh.regions = {"fluid"};
  mesh.boundary_faces = {0, 1, 1, 2, 2, 3, 3, 0};
  mesh.boundary_patch = {0, 1, 0, 1};
  mesh.patches = {"walls", "ends"};
  return mesh;
}

/// A checkpoint without its seal.
std::string whole() {
  InputFile file;
  const LocalNumbering cells = numbering();
  CheckpointWriter writer(one_rank(), file.path(), {12, 0.5, 2.5, 7, R"({"a": 1})"});
  writer.mesh(square());
  writer.number("time", 0.5);
  writer.number("count", std::int64_t{-5});
  writer.list("series", {1, 2, 3});
  writer.array("vectors", cells, std::vector<real>(24, 1), 3);
  writer.close();
  std::ifstream in(file.path(), std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  return content.substr(0, content.size() - 24);
}

class Bytes {
 public:
  explicit Bytes(std::string_view text) : left_(text) {}
  bool has_more() const { return !left_.empty(); }
  unsigned below(std::size_t limit) {
    const unsigned byte = left_.empty() ? 0 : static_cast<unsigned char>(left_.front());
    left_.remove_prefix(std::min<std::size_t>(1, left_.size()));
    return byte % static_cast<unsigned>(limit);
  }
  template <class T, std::size_t N>
  T one_of(const std::array<T, N>& list) {
    return list[below(N)];
  }

 private:
  std::string_view left_;
};

constexpr std::array<const char*, 7> objects{"/", "numbers", "arrays", "case", "arrays/vectors", "mesh", "lists"};
constexpr std::array<const char*, 12> attributes{
    "dimension", "origin", "case_fingerprint", "layout", "step", "time", "wall_seconds", "mesh", "count",
    "x",         "value",  "fingerprint"};
constexpr std::array<const char*, 18> links{"mesh/points",
                                            "mesh/cells",
                                            "mesh/cell_region",
                                            "mesh/boundary_faces",
                                            "mesh/boundary_patch",
                                            "mesh/patches",
                                            "mesh/regions",
                                            "numbers",
                                            "arrays",
                                            "case",
                                            "arrays/vectors",
                                            "arrays/x",
                                            "arrays/vectors/x",
                                            "numbers/x",
                                            "x",
                                            "lists",
                                            "lists/series",
                                            "lists/x"};
constexpr std::array<hsize_t, 10> sizes{0, 1, 2, 3, 8, 24, 1000, hsize_t{1} << 31, hsize_t{1} << 40, hsize_t{1} << 62};

Handle type_of(Bytes& bytes) {
  const std::array<hid_t, 6> numbers{H5T_NATIVE_INT64, H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT,
                                     H5T_NATIVE_INT8,  H5T_STD_REF_OBJ,   H5T_NATIVE_LDOUBLE};
  const unsigned kind = bytes.below(numbers.size() + 4);
  if (kind < numbers.size()) return {H5Tcopy(numbers[kind]), H5Tclose};
  if (kind == numbers.size()) return hdf5::text_type(bytes.below(256));
  if (kind == numbers.size() + 1) return hdf5::text_type(H5T_VARIABLE);
  if (kind == numbers.size() + 2) return {H5Tvlen_create(H5T_NATIVE_INT), H5Tclose};
  const hsize_t count = bytes.one_of(sizes);
  return {H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &count), H5Tclose};
}

Handle space_of(Bytes& bytes) {
  const unsigned rank = bytes.below(5);
  if (rank == 4) return {H5Screate(H5S_NULL), H5Sclose};
  if (rank == 0) return {H5Screate(H5S_SCALAR), H5Sclose};
  std::array<hsize_t, 3> size;
  for (hsize_t& s : size) s = bytes.one_of(sizes);
  return {H5Screate_simple(static_cast<int>(rank), size.data(), nullptr), H5Sclose};
}

/// Attributes hold 64 KiB at most; for more HDF5 asks for the memory before it refuses.
bool fits_an_attribute(hid_t type, hid_t space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  return points >= 0 && static_cast<hsize_t>(points) <= (hsize_t{1} << 16) / std::max<hsize_t>(H5Tget_size(type), 1);
}

/// Writes some bytes into it where it is small and its values are no pointers.
template <class Write>
void fill(hid_t type, hid_t space, unsigned value, const Write& write) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const bool has_pointers = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0;
  if (points < 0 || points > 1000 || H5Tget_size(type) > 1000 || has_pointers) return;
  const std::vector<unsigned char> values(static_cast<std::size_t>(points) * H5Tget_size(type) + 1,
                                          static_cast<unsigned char>(value));
  write(values.data());
}

void change(hid_t file, Bytes& bytes) {
  switch (bytes.below(5)) {
    case 0: {
      const Handle object(H5Oopen(file, bytes.one_of(objects), H5P_DEFAULT), H5Oclose);
      H5Adelete(object, bytes.one_of(attributes));
      break;
    }
    case 1:
      H5Ldelete(file, bytes.one_of(links), H5P_DEFAULT);
      break;
    case 2: {
      const Handle object(H5Oopen(file, bytes.one_of(objects), H5P_DEFAULT), H5Oclose);
      const char* const name = bytes.one_of(attributes);
      const Handle type = type_of(bytes), space = space_of(bytes);
      H5Adelete(object, name);
      if (!fits_an_attribute(type, space)) break;
      const Handle made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      const unsigned value = bytes.below(256);
      if (made.is_there()) fill(type, space, value, [&](const void* values) { H5Awrite(made, type, values); });
      break;
    }
    case 3: {
      const char* const name = bytes.one_of(links);
      const Handle type = type_of(bytes), space = space_of(bytes);
      H5Ldelete(file, name, H5P_DEFAULT);
      const Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
      const unsigned value = bytes.below(256);
      if (made.is_there()) {
        fill(type, space, value,
             [&](const void* values) { H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values); });
      }
      break;
    }
    default: {
      const char* const name = bytes.one_of(links);
      H5Ldelete(file, name, H5P_DEFAULT);
      if (bytes.below(2) == 0) {
        const Handle made(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      } else {
        H5Lcreate_soft(bytes.one_of(links), file, name, H5P_DEFAULT, H5P_DEFAULT);
      }
    }
  }
}

/// The file `content` in memory, with the changes that `bytes` say.
std::string changed(const std::string& content, Bytes bytes) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 12, false);
  std::string image = content;
  H5Pset_file_image(access, image.data(), image.size());
  const Handle file(H5Fopen("in memory", H5F_ACC_RDWR, access), H5Fclose);
  expect(file.is_there(), "the checkpoint cannot be opened");
  for (int changes = 0; changes < 16 && bytes.has_more(); ++changes) change(file, bytes);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  expect(size > 0, "the changed checkpoint cannot be had");
  image.resize(static_cast<std::size_t>(size));
  H5Fget_file_image(file, image.data(), image.size());
  return image;
}

}  // namespace
}  // namespace solenoid::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  static const std::string whole = fuzz::whole();
  hdf5::be_silent();
  file.put(fuzz::changed(whole, fuzz::Bytes(fuzz::text_of(data, size))));
  seal_file(fuzz::one_rank(), file.path());
  fuzz::accepts([&] {
    CheckpointReader reader(fuzz::one_rank(), file.path());
    reader.number("time");
    reader.integer("count");
    reader.list("series");
    const LocalNumbering cells = fuzz::numbering();
    for (const char* name : {"vectors", "x"}) {
      for (const int components : {1, 3}) reader.array(name, cells, components);
    }
    reader.left_over();
    reader.mesh();
  });
  return 0;
}
