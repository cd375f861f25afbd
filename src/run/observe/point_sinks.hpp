/// Quantities at points, in tables: profiles along lines, and time series of probes.
#pragma once

#include <optional>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/point_sampler.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

// The points of a line and of a probe, found in the mesh. Collective. They throw a collective Error (exit code 2) that
// names the case in `file`, the table and the point where one lies outside the mesh.
PointSampler find_points(const std::string& file, const LineSettings& line, const LocalMesh& mesh);
PointSampler find_points(const std::string& file, const ProbeSettings& probe, const LocalMesh& mesh);

/// The quantities that have columns, at points: their columns, and their values for each point.
class PointTable {
 public:
  PointTable(PointSampler points, const std::vector<Quantity>& quantities);
  // `points` are referred to.
  PointTable(const PointTable&) = delete;
  PointTable& operator=(const PointTable&) = delete;

  const std::vector<Vec3>& points() const { return points_.points(); }
  /// With the columns of what comes before.
  std::vector<std::string> columns(std::vector<std::string> before) const;
  /// A row for each point, on every rank. Collective.
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
