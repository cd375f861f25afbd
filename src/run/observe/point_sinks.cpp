#include "run/observe/point_sinks.hpp"

#include "base/error.hpp"

namespace solenoid {

PointSampler find_points(const std::string& file, const LineSettings& line, const LocalMesh& mesh) {
  std::vector<Vec3> points;  // including both ends
  for (int i = 0; i < line.points; ++i) {
    const real place = static_cast<real>(i) / (line.points - 1);
    points.push_back((1 - place) * line.from + place * line.to);
  }
  return {mesh, std::move(points), message("{}: [[line]] `{}`", file, line.name)};
}

PointSampler find_points(const std::string& file, const ProbeSettings& probe, const LocalMesh& mesh) {
  return {mesh, probe.points, message("{}: `points` of [[probe]] `{}`", file, probe.name)};
}

PointTable::PointTable(PointSampler points, const std::vector<Quantity>& quantities) : points_(std::move(points)) {
  for (const Quantity& quantity : quantities) {
    if (quantity.info.columns.empty()) continue;
    for (const std::string& column : quantity.info.columns) {
      names_.push_back(message("{} [{}]", column, quantity.info.unit));
    }
    columns_.push_back({quantity.info.components, quantity.at_points(points_)});
  }
}

std::vector<std::string> PointTable::columns(std::vector<std::string> before) const {
  before.insert(before.end(), names_.begin(), names_.end());
  return before;
}

std::vector<std::vector<CsvValue>> PointTable::rows() const {
  std::vector<std::vector<CsvValue>> rows(points().size());
  for (const Column& column : columns_) {
    const std::vector<real> values = column.values();
    for (std::size_t k = 0; k < values.size(); ++k) rows[k / column.components].push_back(values[k]);
  }
  return rows;
}

LineSink::LineSink(const std::string& file, const LineSettings& line, const LocalMesh& mesh,
                   const std::vector<Quantity>& quantities)
    : comm_(mesh.comm()), line_(line), table_(find_points(file, line, mesh), quantities) {}

void LineSink::write(int step, real) {
  std::vector<std::vector<CsvValue>> rows = table_.rows();
  comm_.guard([&] {
    if (!comm_.is_root()) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vec3& x = table_.points()[i];
      rows[i].insert(rows[i].begin(), {norm(x - line_.from), x.x, x.y, x.z});
    }
    write_csv(folder_.file(message("lines/{}_{:06}.csv", line_.name, step)),
              table_.columns({"s [m]", "x [m]", "y [m]", "z [m]"}), rows);
  });
}

ProbeSink::ProbeSink(const std::string& file, const ProbeSettings& probe, const LocalMesh& mesh,
                     const std::vector<Quantity>& quantities)
    : comm_(mesh.comm()), name_(probe.name), table_(find_points(file, probe, mesh), quantities) {}

std::optional<GrowingTable> ProbeSink::table() const {
  return GrowingTable{"probes/" + name_ + ".csv", table_.columns({"time [s]", "x [m]", "y [m]", "z [m]"})};
}

void ProbeSink::open(const OutputFolder& folder) {
  comm_.guard([&] {
    if (comm_.is_root()) csv_.emplace(file_of(*table(), folder));
  });
}

void ProbeSink::write(int, real time) {
  const std::vector<std::vector<CsvValue>> rows = table_.rows();
  comm_.guard([&] {
    if (!csv_) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vec3& x = table_.points()[i];
      std::vector<CsvValue> row{time, x.x, x.y, x.z};
      row.insert(row.end(), rows[i].begin(), rows[i].end());
      csv_->row(row);
    }
  });
}

}  // namespace solenoid
