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

/// What a checkpoint says of itself.
struct CheckpointHeader {
  std::int64_t step = 0;
  double time = 0;          ///< [s]
  double wall_seconds = 0;  ///< of the run so far
  std::int64_t mesh = 0;    ///< its fingerprint
  std::string settings;     ///< the case with all defaults, JSON
};

/// Writes a checkpoint: the mesh, numbers, arrays, then close(). Collective; throws a collective Error (exit code 1)
/// that names the path and the reason.
class CheckpointWriter {
 public:
  /// Makes `file` anew, or in the place of what is there; the same path on every rank.
  CheckpointWriter(const Comm& comm, const std::filesystem::path& file, const CheckpointHeader& header);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// What rank 0 has, as it was read.
  void mesh(const std::optional<MeshSource>& source);
  void number(const std::string& name, double value);
  void number(const std::string& name, std::int64_t value);
  /// `components` values for each owned entity of `numbering`, which outlives this.
  void array(const std::string& name, const LocalNumbering& numbering, const std::vector<real>& values, int components);
  /// Values that every rank has.
  void list(const std::string& name, const std::vector<double>& values);
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads a checkpoint. Everything is collective.
class CheckpointReader {
 public:
  /// Reads all of `file` once and compares it with its checksums. Throws a collective Error (exit code 2) that names
  /// the file and what is wrong where it is no checkpoint, broken, or of another precision.
  CheckpointReader(const Comm& comm, const std::filesystem::path& file);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  const CheckpointHeader& header() const;
  const std::filesystem::path& path() const;
  /// As it was read, on rank 0. Throws a collective Error (exit code 2) where it is not there whole.
  std::optional<MeshSource> mesh() const;
  // Nothing where it has none of that name, or an array of another size.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::int64_t> integer(const std::string& name) const;
  std::optional<std::vector<real>> array(const std::string& name, const LocalNumbering& numbering, int components);
  std::optional<std::vector<double>> list(const std::string& name) const;
  /// What it has and nobody has asked for, in order.
  std::vector<std::string> left_over() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
