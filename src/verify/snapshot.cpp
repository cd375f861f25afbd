#include "verify/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "model/frame.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

namespace {

CaseMesh mesh_seen_in(const Comm& comm, const ModelSetup& setup, std::optional<MeshSource> source, int refine,
                      const Frame& frame) {
  Log quiet(comm, true);
  Phases phases;
  if (source) {
    for (Vec3& point : source->points) point = frame.place(point);
  }
  return share_mesh(comm, setup, std::move(source), refine, quiet, phases);
}

/// The averages from the start: a few steps would not reach their own start.
std::vector<AverageSettings> from_the_start(std::vector<AverageSettings> averages) {
  for (AverageSettings& average : averages) {
    average.from = 0;
    average.every_steps = 1;
  }
  return averages;
}

/// The dimension of `source`, which is on rank 0; the same on every rank. Collective.
int dimension_of_mesh(const Comm& comm, const std::optional<MeshSource>& source) {
  return static_cast<int>(comm.max(std::int64_t{source ? source->dimension : 0}));
}

}  // namespace

ShortRun::ShortRun(const Comm& comm, const Case& wanted, const std::optional<MeshSource>& source, const Frame& frame)
    : frame_(frame),
      setup_(wanted.setup->transformed(frame, dimension_of_mesh(comm, source))),
      mesh_(mesh_seen_in(comm, *setup_, source, wanted.mesh.refine, frame)),
      model_(setup_->model(*mesh_.local, std::move(mesh_.wide))),
      averages_(*mesh_.local, from_the_start(wanted.averages), model_->quantities()) {
  model_->start();
  if (setup_->time) averages_.sample(0, model_->time());
}

std::vector<Quantity> ShortRun::quantities() const {
  std::vector<Quantity> all = model_->quantities();
  for (Quantity& quantity : averages_.quantities()) all.push_back(std::move(quantity));
  return all;
}

void ShortRun::advance(int steps) {
  if (!setup_->time) {
    model_->solve_steady();
    return model_->diagnose();
  }
  for (int k = 0; k < steps && !setup_->time->is_over(model_->time()); ++k) advance(1, next_step());
}

void ShortRun::advance(int steps, real dt) {
  for (int k = 0; k < steps; ++k) {
    model_->advance(dt);
    model_->diagnose();
    averages_.sample(++steps_, model_->time());
  }
}

namespace {

class Copier : public StateVisitor {
 public:
  explicit Copier(std::vector<Snapshot::Values>& to) : to_(to) {}
  void number(const std::string& name, real& value) override { to_.push_back({name, "", {value}}); }
  void number(const std::string& name, std::int64_t& value) override {
    to_.push_back({name, "-", {static_cast<real>(value)}});
  }
  void list(const std::string& name, std::vector<double>& values) override { to_.push_back({name, "", values}); }

 private:
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    std::vector<real> owned(static_cast<std::size_t>(numbering.owned) * components);
    copy_to_host(owned.data(), values, owned.size() * sizeof(real));
    to_.push_back({name, "", std::move(owned)});
    return true;
  }
  std::vector<Snapshot::Values>& to_;
};

bool comes_before(const Vec3& a, const Vec3& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }

/// The centroid of points in the case's own frame; the order of the points does not change a bit.
Vec3 middle_of(const MeshPart& part, std::span<const int> corners, const Frame& frame) {
  std::vector<Vec3> points;
  for (const int point : corners) points.push_back(frame.place_before(part.points[point]));
  std::sort(points.begin(), points.end(), comes_before);
  return std::accumulate(points.begin(), points.end(), Vec3{}) / static_cast<real>(points.size());
}

/// The values owned by this rank.
Snapshot::Shown look_at(ShortRun& run, const Quantity& quantity) {
  const LocalMesh& mesh = *run.mesh().local;
  const MeshPart& part = mesh.part();
  const int components = quantity.info.components;
  std::vector<real> values = to_host(quantity.evaluate());
  Snapshot::Shown shown{quantity.info, {}, {}};
  if (quantity.info.at == ValuesAt::boundary_faces) {
    for (int k = 0; k < mesh.boundary().size(); ++k) {
      const BoundaryFace& face = mesh.boundary()[k];
      if (!face.is_owned) continue;
      shown.places.push_back(middle_of(part, part.face_points_of(face.face), run.frame()));
      shown.values.insert(shown.values.end(), values.begin() + components * k, values.begin() + components * (k + 1));
    }
    return shown;
  }
  if (quantity.info.at == ValuesAt::nodes) {
    for (int n = 0; n < mesh.owned<Node>(); ++n) shown.places.push_back(run.frame().place_before(part.points[n]));
  } else {
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      shown.places.push_back(middle_of(part, part.cell_points_of(c), run.frame()));
    }
  }
  values.resize(components * shown.places.size());
  shown.values = std::move(values);
  return shown;
}

real largest_of(const std::vector<real>& values) {
  real largest = 0;
  for (const real value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

bool is_same(real a, real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// The power of two between two arrays of the same, unknown unit; 1 for zero or non-finite values. Collective.
real ratio_of_units(const Comm& comm, const std::vector<real>& a, const std::vector<real>& b) {
  const real of_a = comm.max(largest_of(a)), of_b = comm.max(largest_of(b));
  const bool is_none = !(of_a > 0 && of_b > 0 && std::isfinite(of_a) && std::isfinite(of_b));
  return is_none ? 1 : std::ldexp(real{1}, std::ilogb(of_a) - std::ilogb(of_b));
}

/// Counts different values and records the name of the first. Collective.
class BitCount {
 public:
  explicit BitCount(const Comm& comm) : comm_(comm) {}
  void compare(const std::string& name, const std::vector<real>& a, real unit_of_a, const std::vector<real>& b,
               real unit_of_b) {
    std::int64_t differ = a.size() == b.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
      differ += !is_same(a[k] / unit_of_a, b[k] / unit_of_b);
    differ = comm_.sum(differ);
    if (differ > 0 && found_.largest == 0) found_.of = name;
    found_.largest += static_cast<double>(differ);
  }
  const Difference& found() const { return found_; }

 private:
  const Comm& comm_;
  Difference found_;
};

/// A quantity of all ranks on rank 0, sorted by place, in the case's own frame.
struct Gathered {
  std::vector<Vec3> places;
  std::vector<real> values;
};

std::vector<Vec3> as_vectors(const std::vector<real>& values) {
  std::vector<Vec3> vectors(values.size() / 3);
  for (std::size_t k = 0; k < vectors.size(); ++k) vectors[k] = {values[3 * k], values[3 * k + 1], values[3 * k + 2]};
  return vectors;
}

Gathered in_order(const Snapshot::Shown& shown, const Frame& frame) {
  const int components = shown.info.components;
  const real sign = frame.mirrors() && shown.info.turns_in_mirror ? -1 : 1;
  const real factor = sign / frame.factor(shown.info.unit);
  std::vector<real> values = shown.values;
  if (components == 3) {
    std::vector<Vec3> vectors = as_vectors(values);
    for (Vec3& vector : vectors) vector = frame.turned_back(vector);
    values = flat(vectors);
  }
  std::vector<std::size_t> order(shown.places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return comes_before(shown.places[a], shown.places[b]); });
  Gathered gathered;
  for (const std::size_t k : order) {
    gathered.places.push_back(shown.places[k]);
    for (int i = 0; i < components; ++i) gathered.values.push_back(factor * values[components * k + i]);
  }
  return gathered;
}

/// The quantity of all ranks, on rank 0. Collective.
Snapshot::Shown gather(const Comm& comm, const Snapshot::Shown& shown) {
  return {shown.info, as_vectors(comm.gather_on_root(flat(shown.places))), comm.gather_on_root(shown.values)};
}

/// Compares values, grouped by unit.
class Comparison {
 public:
  void add(const std::string& name, const std::string& unit, const std::vector<real>& a, const std::vector<real>& b) {
    Unit& of = units_[unit];
    of.scale = std::max(of.scale, largest_of(b));
    for (std::size_t k = 0; k < b.size(); ++k) {
      const real apart = std::isfinite(a[k] - b[k]) ? std::abs(a[k] - b[k]) : std::numeric_limits<real>::infinity();
      if (apart > of.apart) of = {of.scale, apart, name};
    }
  }
  /// The largest relative difference in a domain of this extent [m].
  Difference worst(real extent) const {
    const auto speeds = units_.find("m/s");
    const real speed = speeds == units_.end() ? 0 : speeds->second.scale;
    Difference worst;
    for (const auto& [unit, of] : units_) {
      const real scale = std::max({of.scale, usual(unit, speed, extent), std::numeric_limits<real>::min()});
      const double relative = of.apart / scale;
      if (relative > worst.largest) worst = {relative, of.name};
    }
    return worst;
  }

 private:
  /// Scale of a unit at that speed: flow rates near round-off count as zero relative to it.
  static real usual(const std::string& unit, real speed, real extent) {
    const Dimension of = dimension_of(unit);
    if (of.second >= 0 || of.kilogram != 0 || of.kelvin != 0) return 0;
    return std::pow(speed, static_cast<real>(-of.second)) * std::pow(extent, static_cast<real>(of.metre + of.second));
  }
  struct Unit {
    real scale = 0, apart = 0;
    std::string name;
  };
  std::map<std::string, Unit> units_;
};

}  // namespace

Snapshot::Shown main_quantity(ShortRun& run) { return look_at(run, run.model().quantities().front()); }

Snapshot snapshot_of(ShortRun& run) {
  Snapshot snapshot;
  snapshot.frame = run.frame();
  Copier copier(snapshot.state);
  run.state().visit(copier);
  for (const HistoryColumn& column : run.model().history()) {
    const real value = std::visit([](auto v) { return static_cast<real>(v); }, column.value());
    snapshot.figures.push_back({column.name, column.unit, {value}});
  }
  for (const Quantity& quantity : run.quantities()) snapshot.shown.push_back(look_at(run, quantity));
  return snapshot;
}

Difference count_of_different_bits(const Comm& comm, const Snapshot& a, const Snapshot& b) {
  BitCount count(comm);
  for (std::size_t k = 0; k < a.state.size(); ++k) {
    const auto &of_a = a.state[k], &of_b = b.state[k];
    const bool is_known = of_a.unit == "-" || a.frame == b.frame;
    const real ratio = is_known ? 1 : ratio_of_units(comm, of_a.values, of_b.values);
    count.compare(of_a.name, of_a.values, ratio, of_b.values, 1);
  }
  for (std::size_t k = 0; k < a.figures.size(); ++k) {
    const auto &of_a = a.figures[k], &of_b = b.figures[k];
    count.compare(of_a.name, of_a.values, a.frame.factor(of_a.unit), of_b.values, b.frame.factor(of_b.unit));
  }
  for (std::size_t k = 0; k < a.shown.size(); ++k) {
    const auto &of_a = a.shown[k], &of_b = b.shown[k];
    count.compare(of_a.info.name, of_a.values, a.frame.factor(of_a.info.unit), of_b.values,
                  b.frame.factor(of_b.info.unit));
  }
  return count.found();
}

Difference relative_difference(const Comm& comm, const Snapshot& a, const Snapshot& b, bool b_is_on_root) {
  Comparison comparison;
  Box box;
  for (std::size_t k = 0; k < a.shown.size(); ++k) {
    if (a.shown[k].info.depends_on_frame) continue;
    const Snapshot::Shown all_of_a = gather(comm, a.shown[k]);
    const Snapshot::Shown all_of_b = b_is_on_root ? Snapshot::Shown{} : gather(comm, b.shown[k]);
    comm.guard([&] {
      if (!comm.is_root()) return;
      const Gathered of_a = in_order(all_of_a, a.frame), of_b = in_order(b_is_on_root ? b.shown[k] : all_of_b, b.frame);
      const auto is_apart = [](const Vec3& x, const Vec3& y) { return comes_before(x, y) || comes_before(y, x); };
      require(std::equal(of_a.places.begin(), of_a.places.end(), of_b.places.begin(), of_b.places.end(),
                         [&](const Vec3& x, const Vec3& y) { return !is_apart(x, y); }),
              [&] { return message("{}: the two runs have it at different places", all_of_a.info.name); });
      for (const Vec3& place : of_a.places) box.include(place);
      comparison.add(all_of_a.info.name, all_of_a.info.unit, of_a.values, of_b.values);
    });
  }
  for (std::size_t k = 0; k < a.figures.size() && comm.is_root(); ++k) {
    const auto &of_a = a.figures[k], &of_b = b.figures[k];
    if (of_a.unit == "-") continue;
    comparison.add(of_a.name, of_a.unit, {of_a.values[0] / a.frame.factor(of_a.unit)},
                   {of_b.values[0] / b.frame.factor(of_b.unit)});
  }
  const Vec3 size = box.size();
  const Difference worst = comparison.worst(std::max({size.x, size.y, size.z}));  // on rank 0
  return {comm.max(comm.is_root() ? static_cast<real>(worst.largest) : real{0}), comm.broadcast(worst.of)};
}

real distance(const Comm& comm, const Snapshot::Shown& a, const Snapshot::Shown& b) {
  real square = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) square += (a.values[k] - b.values[k]) * (a.values[k] - b.values[k]);
  const std::int64_t count = comm.sum(static_cast<std::int64_t>(a.values.size()));
  return std::sqrt(comm.sum(square) / static_cast<real>(std::max<std::int64_t>(count, 1)));
}

}  // namespace solenoid
