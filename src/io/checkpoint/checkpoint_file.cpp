#include "io/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "io/checkpoint/checkpoint_mesh.hpp"
#include "io/checkpoint/file_seal.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/hdf5/id_blocks.hpp"

namespace solenoid {

namespace {

using hdf5::Handle;
using hdf5::links_of;
using hdf5::read_attribute;
using hdf5::type_of;
using hdf5::write_attribute;

constexpr std::int64_t layout_version = 2;

// Names of the attributes of `object`, ascending.
std::vector<std::string> attributes_of(hid_t object) {
  std::vector<std::string> names;
  H5Aiterate2(
      object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
        static_cast<std::vector<std::string>*>(into)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

/// Adds a block's values, at their positions in the whole array.
void add_to(Fingerprint& fingerprint, const IdBlock& block, int components, const std::vector<real>& values) {
  const auto first = static_cast<std::uint64_t>(block.begin) * static_cast<std::uint64_t>(components);
  for (std::size_t k = 0; k < values.size(); ++k) fingerprint.add(first + k, values[k]);
}

/// This rank's rows of a dataset, and their transfer mode.
struct Selection {
  Handle file, memory, transfer;
  Selection(Handle of_file, const IdBlock& block, int components)
      : file(std::move(of_file)), transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose) {
    const hsize_t start[2]{static_cast<hsize_t>(block.begin), 0},
        count[2]{static_cast<hsize_t>(block.count), static_cast<hsize_t>(components)};
    memory = Handle(H5Screate_simple(2, count, nullptr), H5Sclose);
    if (block.count > 0) {
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr);
    } else {
      H5Sselect_none(file);
      H5Sselect_none(memory);
    }
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  }
};

std::int64_t fingerprint_of(const std::string& text) {
  Fingerprint fingerprint;
  for (std::size_t k = 0; k < text.size(); ++k) fingerprint.add(k, std::int64_t{text[k]});
  return fingerprint.of_this_rank();
}

}  // namespace

struct CheckpointWriter::Parts {
  Comm comm;
  std::filesystem::path path;
  hdf5::Handle file, numbers, lists, arrays;
  std::map<const LocalNumbering*, IdBlocks> blocks{};

  /// work() calls HDF5 on every rank and returns false on failure. Collective.
  template <class Work>
  void require_done(const Work& work) const {
    hdf5::require_written(comm, path, work);
  }
};

CheckpointWriter::CheckpointWriter(const Comm& comm, const std::filesystem::path& file, const CheckpointHeader& header)
    : parts_(new Parts{comm, file, {}, {}, {}, {}}) {
  hdf5::be_silent();
  Parts& m = *parts_;
  m.require_done([&] {
    const Handle access = hdf5::access_by(comm);
    m.file = Handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (!m.file.is_there()) return false;
    m.numbers = Handle(H5Gcreate2(m.file, "numbers", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    m.lists = Handle(H5Gcreate2(m.file, "lists", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    m.arrays = Handle(H5Gcreate2(m.file, "arrays", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    return m.numbers.is_there() && m.lists.is_there() && m.arrays.is_there() &&
           hdf5::write_text(m.file, "case", header.settings) &&
           write_attribute(m.file, "case_fingerprint", fingerprint_of(header.settings)) &&
           write_attribute(m.file, "layout", layout_version) && write_attribute(m.file, "step", header.step) &&
           write_attribute(m.file, "time", header.time) &&
           write_attribute(m.file, "wall_seconds", header.wall_seconds) && write_attribute(m.file, "mesh", header.mesh);
  });
}
CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::mesh(const std::optional<MeshSource>& source) {
  write_mesh_group(parts_->comm, parts_->file, parts_->path, source);
}

void CheckpointWriter::number(const std::string& name, double value) {
  parts_->require_done([&] { return write_attribute(parts_->numbers, name, value); });
}
void CheckpointWriter::number(const std::string& name, std::int64_t value) {
  parts_->require_done([&] { return write_attribute(parts_->numbers, name, value); });
}

void CheckpointWriter::array(const std::string& name, const LocalNumbering& numbering, const std::vector<real>& values,
                             int components) {
  Parts& m = *parts_;
  const IdBlocks& blocks = m.blocks.try_emplace(&numbering, m.comm, numbering).first->second;
  const std::vector<real> block = blocks.to_block(values, components);
  Fingerprint fingerprint;
  add_to(fingerprint, blocks.own(), components, block);
  const std::int64_t of_all = fingerprint.of_all_ranks(m.comm);
  m.require_done([&] {
    const hsize_t size[2]{static_cast<hsize_t>(blocks.ids()), static_cast<hsize_t>(components)};
    Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
    const Handle dataset(
        H5Dcreate2(m.arrays, name.c_str(), type_of<real>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    const Selection selection(std::move(space), blocks.own(), components);
    return dataset.is_there() && write_attribute(dataset, "fingerprint", of_all) &&
           H5Dwrite(dataset, type_of<real>(), selection.memory, selection.file, selection.transfer, block.data()) >= 0;
  });
}

void CheckpointWriter::list(const std::string& name, const std::vector<double>& values) {
  Parts& m = *parts_;
  const IdBlock block(static_cast<std::int64_t>(values.size()), m.comm.size(), m.comm.rank());
  m.require_done([&] {
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle rows(
        H5Dcreate2(m.lists, name.c_str(), type_of<double>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    return rows.is_there() &&
           hdf5::move_rows(rows, type_of<double>(), block.begin, block.count, values.data() + block.begin, nullptr);
  });
}

void CheckpointWriter::close() {
  Parts& m = *parts_;
  m.require_done([&] {
    const bool done = H5Fflush(m.file, H5F_SCOPE_GLOBAL) >= 0;
    return m.numbers.reset() && m.lists.reset() && m.arrays.reset() && m.file.reset() && done;
  });
  seal_file(m.comm, m.path);
}

struct CheckpointReader::Parts {
  Comm comm;
  std::filesystem::path path;
  hdf5::Handle file{}, arrays{};
  hsize_t bytes = 0;  // of the file
  CheckpointHeader header{};
  std::map<std::string, double> numbers{};
  std::map<std::string, std::int64_t> integers{};
  std::map<std::string, std::vector<double>> lists{};
  std::map<std::string, std::pair<std::int64_t, int>> sizes{};  // of arrays: rows, components
  std::map<const LocalNumbering*, IdBlocks> blocks{};
  mutable std::set<std::string> asked{};

  void open();
  std::string read_header();
  std::string read_numbers();
  std::string read_lists();
  std::optional<std::vector<real>> read_block(const std::string& name, const IdBlock& block, int components) const;
};

void CheckpointReader::Parts::open() {
  comm.guard([&] {
    require_input(std::filesystem::is_regular_file(path), [&] { return message("{}: no such file", path.string()); });
  });
  const std::string wrong = broken_seal(comm, path);  // HDF5 would crash on some damage
  comm.guard([&] { require_input(wrong.empty(), [&] { return message("{}: {}", path.string(), wrong); }); });
  const Handle access = hdf5::access_by(comm);
  file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  H5Fget_filesize(file, &bytes);
  arrays = file.is_there() ? Handle(H5Gopen2(file, "arrays", H5P_DEFAULT), H5Gclose) : Handle();
  comm.guard([&] {
    require_input(arrays.is_there(),
                  [&] { return message("{}: is no checkpoint, or not whole: {}", path.string(), hdf5::reason()); });
  });
}

/// The fault of the header; empty if none.
std::string CheckpointReader::Parts::read_header() {
  const auto layout = read_attribute<std::int64_t>(file, "layout");
  if (layout != layout_version) return "is no checkpoint that this version of Solenoid reads";
  const auto step = read_attribute<std::int64_t>(file, "step"), mesh = read_attribute<std::int64_t>(file, "mesh");
  const auto time = read_attribute<double>(file, "time"), wall = read_attribute<double>(file, "wall_seconds");
  const auto settings = hdf5::read_text(file, "case", bytes);
  if (!step || !mesh || !time || !wall) return "is broken: its header is incomplete";
  if (!settings || read_attribute<std::int64_t>(file, "case_fingerprint") != fingerprint_of(*settings)) {
    return "is broken: its case differs from that written";
  }
  header = {*step, *time, *wall, *mesh, *settings};
  return "";
}

/// The fault of the numbers or arrays; empty if none.
std::string CheckpointReader::Parts::read_numbers() {
  const Handle group(H5Gopen2(file, "numbers", H5P_DEFAULT), H5Gclose);
  for (const std::string& name : attributes_of(group)) {
    const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) == H5T_INTEGER) {
      if (const auto value = read_attribute<std::int64_t>(group, name)) integers[name] = *value;
    } else if (const auto value = read_attribute<double>(group, name)) {
      numbers[name] = *value;
    }
  }
  for (const std::string& name : links_of(arrays)) {
    const Handle dataset(H5Dopen2(arrays, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t size[2]{};
    if (H5Sget_simple_extent_ndims(space) != 2 || H5Sget_simple_extent_dims(space, size, nullptr) < 0) continue;
    if (size[1] > std::min<hsize_t>(bytes, std::numeric_limits<int>::max()) ||
        size[0] > bytes / std::max<hsize_t>(size[1], 1)) {
      return message("is broken: `{}` has more values than the file has bytes", name);
    }
    sizes[name] = {static_cast<std::int64_t>(size[0]), static_cast<int>(size[1])};
  }
  return "";
}

/// The fault of the lists; empty if none. Files of older versions have no lists.
std::string CheckpointReader::Parts::read_lists() {
  if (H5Lexists(file, "lists", H5P_DEFAULT) <= 0) return "";
  const Handle group(H5Gopen2(file, "lists", H5P_DEFAULT), H5Gclose);
  for (const std::string& name : links_of(group)) {
    const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    const auto [rows, components] = hdf5::count_rows(dataset);
    const bool fits = components == 1 && static_cast<hsize_t>(rows) <= bytes / sizeof(double);
    if (!fits || !hdf5::read_rows(dataset, lists[name])) return message("is broken: `{}` cannot be read", name);
  }
  return "";
}

/// nullopt if the block cannot be read. Collective.
std::optional<std::vector<real>> CheckpointReader::Parts::read_block(const std::string& name, const IdBlock& block,
                                                                     int components) const {
  const Handle dataset(H5Dopen2(arrays, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Selection selection(Handle(H5Dget_space(dataset), H5Sclose), block, components);
  std::vector<real> values(static_cast<std::size_t>(block.count) * components);
  const bool done =
      H5Dread(dataset, type_of<real>(), selection.memory, selection.file, selection.transfer, values.data()) >= 0;
  return done ? std::optional(std::move(values)) : std::nullopt;
}

CheckpointReader::CheckpointReader(const Comm& comm, const std::filesystem::path& file)
    : parts_(new Parts{comm, file}) {
  hdf5::be_silent();
  Parts& m = *parts_;
  m.open();
  std::string wrong = m.read_header();
  if (wrong.empty()) wrong = m.read_numbers();
  if (wrong.empty()) wrong = m.read_lists();
  for (const auto& [name, size] : m.sizes) {
    const Handle dataset(H5Dopen2(m.arrays, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(dataset), H5Tclose);
    if (wrong.empty() && H5Tget_size(type) != sizeof(real)) {
      wrong = message("is of another precision than this program, which has {}", precision_name);
    }
    const auto [rows, components] = size;
    const IdBlock block(rows, comm.size(), comm.rank());
    const auto values = m.read_block(name, block, components);
    if (wrong.empty() && !values) wrong = message("is broken: `{}` cannot be read", name);
    Fingerprint fingerprint;
    if (values) add_to(fingerprint, block, components, *values);
    const bool is_same = fingerprint.of_all_ranks(comm) == read_attribute<std::int64_t>(dataset, "fingerprint");
    if (wrong.empty() && !is_same) wrong = message("is broken: `{}` differs from that written", name);
  }
  comm.guard([&] { require_input(wrong.empty(), [&] { return message("{}: {}", file.string(), wrong); }); });
}
CheckpointReader::~CheckpointReader() = default;

const CheckpointHeader& CheckpointReader::header() const { return parts_->header; }
const std::filesystem::path& CheckpointReader::path() const { return parts_->path; }

std::optional<MeshSource> CheckpointReader::mesh() const {
  const Parts& m = *parts_;
  std::optional<MeshSource> source = read_mesh_group(m.comm, m.file, m.bytes);
  m.comm.guard([&] {
    require_input(source || !m.comm.is_root(),
                  [&] { return message("{}: is broken: its mesh differs from that written", m.path.string()); });
  });
  if (source) source->name = m.path.string();
  return source;
}

std::optional<double> CheckpointReader::number(const std::string& name) const {
  parts_->asked.insert(name);
  const auto found = parts_->numbers.find(name);
  return found == parts_->numbers.end() ? std::nullopt : std::optional(found->second);
}
std::optional<std::int64_t> CheckpointReader::integer(const std::string& name) const {
  parts_->asked.insert(name);
  const auto found = parts_->integers.find(name);
  return found == parts_->integers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<double>> CheckpointReader::list(const std::string& name) const {
  parts_->asked.insert(name);
  const auto found = parts_->lists.find(name);
  return found == parts_->lists.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<real>> CheckpointReader::array(const std::string& name, const LocalNumbering& numbering,
                                                         int components) {
  Parts& m = *parts_;
  m.asked.insert(name);
  const auto found = m.sizes.find(name);
  if (found == m.sizes.end() || found->second != std::pair(numbering.global_count, components)) return std::nullopt;
  const IdBlocks& blocks = m.blocks.try_emplace(&numbering, m.comm, numbering).first->second;
  const auto block = m.read_block(name, blocks.own(), components);
  m.comm.guard(
      [&] { require(block.has_value(), [&] { return message("{}: `{}` cannot be read", m.path.string(), name); }); });
  return blocks.from_block(*block, components);
}

std::vector<std::string> CheckpointReader::left_over() const {
  std::vector<std::string> names;
  const auto add = [&](const auto& table) {
    for (const auto& entry : table) {
      if (!parts_->asked.contains(entry.first)) names.push_back(entry.first);
    }
  };
  add(parts_->numbers), add(parts_->integers), add(parts_->lists), add(parts_->sizes);
  return names;
}

}  // namespace solenoid
