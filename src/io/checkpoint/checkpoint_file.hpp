/// The state of a model in one HDF5 file, by global id: written and read by any number of ranks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/real.hpp"
#include "mesh/local_numbering.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Header of a checkpoint.
struct CheckpointHeader {
  std::int64_t step = 0;
  double time = 0;          ///< [s]
  double wall_seconds = 0;  ///< of the run so far
  std::int64_t mesh = 0;    ///< fingerprint of the mesh
  std::string settings;     ///< the case with all defaults as JSON
};

/// Writes a checkpoint: the mesh, numbers, arrays, then close(). Collective; throws a collective Error (exit code 1)
/// that names the path and the reason.
class CheckpointWriter {
 public:
  /// Creates `file`, or replaces it; the path is the same on every rank.
  CheckpointWriter(const Comm& comm, const std::filesystem::path& file, const CheckpointHeader& header);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// Writes the mesh as it was read: on rank 0, or shared out by shared_by_rows().
  void mesh(const std::optional<MeshSource>& source);
  void number(const std::string& name, double value);
  void number(const std::string& name, std::int64_t value);
  /// `components` values for each owned entity of `numbering`, which outlives the writer.
  void array(const std::string& name, const LocalNumbering& numbering, const std::vector<real>& values, int components);
  /// Values that are the same on every rank.
  void list(const std::string& name, const std::vector<double>& values);
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads a checkpoint. All functions are collective.
class CheckpointReader {
 public:
  /// Reads all of `file` and compares it with its checksums. Throws a collective Error (exit code 2) that names the
  /// file and the fault if it is no checkpoint, broken, or of another precision.
  CheckpointReader(const Comm& comm, const std::filesystem::path& file);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  const CheckpointHeader& header() const;
  const std::filesystem::path& path() const;
  /// The mesh as it was read, on rank 0. Throws a collective Error (exit code 2) if it is incomplete.
  std::optional<MeshSource> mesh() const;
  // nullopt if the name is absent, or if the array has another size.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::int64_t> integer(const std::string& name) const;
  std::optional<std::vector<real>> array(const std::string& name, const LocalNumbering& numbering, int components);
  std::optional<std::vector<double>> list(const std::string& name) const;
  /// Names in the file that have not been read so far: numbers, integers, lists, arrays, each ascending.
  std::vector<std::string> left_over() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
