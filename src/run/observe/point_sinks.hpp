/// Quantities at points, in tables: profiles along lines, and time series of probes.
#pragma once

#include <optional>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/point_sampler.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

// Locate the points of a line and of a probe in the mesh. Collective. Throw a collective Error (exit code 2) with the
// case `file`, the table and the point if one lies outside the mesh.
PointSampler find_points(const std::string& file, const LineSettings& line, const LocalMesh& mesh);
PointSampler find_points(const std::string& file, const ProbeSettings& probe, const LocalMesh& mesh);

/// Table of the quantities with columns: column names, and values at points.
class PointTable {
 public:
  PointTable(PointSampler points, const std::vector<Quantity>& quantities);
  // The columns refer to `points_`.
  PointTable(const PointTable&) = delete;
  PointTable& operator=(const PointTable&) = delete;

  const std::vector<Vec3>& points() const { return points_.points(); }
  /// The column names after those in `before`.
  std::vector<std::string> columns(std::vector<std::string> before) const;
  /// One row per point, on every rank. Collective.
  std::vector<std::vector<CsvValue>> rows() const;

 private:
  struct Column {
    int components;
    AtPoints values;
  };
  PointSampler points_;
  std::vector<std::string> names_;
  std::vector<Column> columns_;
};

/// lines/NAME_<step>.csv
class LineSink : public Sink {
 public:
  LineSink(const std::string& file, const LineSettings& line, const LocalMesh& mesh,
           const std::vector<Quantity>& quantities);
  void open(const OutputFolder& folder) override { folder_ = folder; }
  void write(int step, real time) override;

 private:
  const Comm& comm_;
  LineSettings line_;
  PointTable table_;
  OutputFolder folder_;
};

/// probes/NAME.csv
class ProbeSink : public Sink {
 public:
  ProbeSink(const std::string& file, const ProbeSettings& probe, const LocalMesh& mesh,
            const std::vector<Quantity>& quantities);
  std::optional<GrowingTable> table() const override;
  void open(const OutputFolder& folder) override;
  void write(int step, real time) override;

 private:
  const Comm& comm_;
  std::string name_;
  PointTable table_;
  std::optional<CsvFile> csv_;  // on rank 0
};

}  // namespace solenoid
