#include "run/observe/profiles.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace {

using Values = std::vector<double>;

/// Moves `mean` towards `values`, which have this share of the weight.
void move_towards(const Values& values, double share, Values& mean) {
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += share * (values[k] - mean[k]);
}

}  // namespace

/// The profile of one quantity: its mean over planes and time, by the trapezoidal rule over time, and its variances
/// and covariances about it: the mean over time of those in the planes, and those in time of the planes' means.
class ProfiledQuantity : public SampledQuantity {
 public:
  ProfiledQuantity(const PlaneProfile& planes, const Quantity& quantity, bool with_variance)
      : planes_(planes), quantity_(quantity), with_variance_(with_variance), now_(planes) {}

  void sample(real dt) override {
    const std::vector<real> values = to_host(quantity_.evaluate());
    const int components = quantity_.info.components;
    Values mean = planes_.means(values, quantity_.info.at, components), spread;
    if (with_variance_) spread = planes_.spread(values, quantity_.info.at, components, mean);
    if (now_.last.empty()) {
      now_.positions = planes_.positions(), now_.place = planes_.place();
      now_.mean = mean, now_.spread = spread;
      now_.products.assign(spread.size(), 0);
    } else if (dt > 0) {
      add(now_.last, now_.last_spread, dt / 2);
      add(mean, spread, dt / 2);
    }
    now_.last = std::move(mean), now_.last_spread = std::move(spread);
  }
  void begin_anew() override { now_ = Sums(planes_); }
  void sample_for_output(real dt) override {
    kept_ = now_;
    sample(dt);
  }
  void restore() override { now_ = std::move(kept_); }

  const std::string& name() const override { return quantity_.info.name; }
  std::string fault() const override {
    if (now_.positions != planes_.positions()) return "the samples so far are of other planes";
    if (now_.place != planes_.place()) return "the samples so far are of another direction or part of the mesh";
    return with_variance_ && now_.last_spread.empty() ? "the samples so far have no variance" : "";
  }
  void visit_state(const std::string& name, StateVisitor& visitor) override {
    visitor.list(name + "_positions", now_.positions);
    visitor.list(name + "_place", now_.place);
    visitor.list(name + "_last", now_.last);
    visitor.list(name + "_mean", now_.mean);
    visitor.number(name + "_weight", now_.weight);
    if (!with_variance_) return;
    visitor.list(name + "_last_spread", now_.last_spread);
    visitor.list(name + "_spread", now_.spread);
    visitor.list(name + "_products", now_.products);
  }

  void add_columns(std::vector<std::string>& columns) const {
    const QuantityInfo& info = quantity_.info;
    const bool is_vector = info.components > 1;
    const auto add_all = [&](const char* what, const std::string& unit, const std::array<const char*, 3>& ends) {
      for (const char* end : ends) {
        columns.push_back(message("{}_{}{} [{}]", info.name, what, is_vector ? end : "", unit));
        if (!is_vector) return;
      }
    };
    const std::string square = message("({})^2", info.unit);
    add_all("mean", info.unit, {"_x", "_y", "_z"});
    if (with_variance_) add_all("variance", square, {"_x", "_y", "_z"});
    if (with_variance_ && is_vector) add_all("covariance", square, {"_xy", "_yz", "_zx"});
  }
  void add_values(std::size_t plane, std::vector<CsvValue>& row) const {
    const std::size_t count = planes_.positions().size(), width = now_.mean.size() / count,
                      squares = now_.spread.size() / count;
    for (std::size_t k = width * plane; k < width * (plane + 1); ++k) row.emplace_back(now_.mean[k]);
    for (std::size_t k = squares * plane; k < squares * (plane + 1); ++k) {
      row.emplace_back(now_.spread[k] + (now_.weight > 0 ? now_.products[k] / now_.weight : 0));
    }
  }

 private:
  /// All so far; `place`: empty before the first sample, and in checkpoints that have none; `spread`: mean over time of
  /// that in the planes; `products`: of differences in time of the planes' means from `mean`, weighted (West 1979,
  /// Comm. ACM 22, 532-535).
  struct Sums {
    Sums() = default;
    explicit Sums(const PlaneProfile& of) : positions(of.positions()) {}
    Values positions, place, last, last_spread, mean, spread, products;
    real weight = 0;  // [s]
  };

  void add(const Values& values, const Values& spread, real weight) {
    const real before = now_.weight;
    now_.weight += weight;
    if (with_variance_) {
      const real share = before * weight / now_.weight;
      const auto width = static_cast<std::size_t>(quantity_.info.components);
      const std::size_t squares = width == 3 ? 6 : width;
      for (std::size_t plane = 0; plane < planes_.positions().size(); ++plane) {
        const auto apart = [&](std::size_t c) { return values[width * plane + c] - now_.mean[width * plane + c]; };
        double* const products = &now_.products[squares * plane];
        for (std::size_t c = 0; c < width; ++c) products[c] += share * apart(c) * apart(c);
        for (std::size_t c = 0; c + width < squares; ++c)
          products[width + c] += share * apart(c) * apart((c + 1) % width);
      }
      move_towards(spread, weight / now_.weight, now_.spread);
    }
    move_towards(values, weight / now_.weight, now_.mean);
  }

  const PlaneProfile& planes_;
  Quantity quantity_;
  bool with_variance_;
  Sums now_, kept_;
};

namespace {

class ProfileSink : public Sink {
 public:
  ProfileSink(const Comm& comm, Profile& profile, std::string name)
      : comm_(comm), profile_(profile), name_(std::move(name)) {}

  void open(const OutputFolder& folder) override { folder_ = folder; }
  void write(int, real time) override {
    if (profile_.has_begun()) profile_.look(time, [&] { write_table(); });
  }
  std::vector<std::string> write_without_solves(int, real) override {
    if (profile_.has_begun()) write_table();
    return {};
  }
  void conclude(ModelOutcome& outcome) const override { profile_.conclude(outcome); }

 private:
  void write_table() {
    comm_.guard([&] {
      if (comm_.is_root())
        write_csv(folder_.file(message("profiles/{}.csv", name_)), profile_.columns(), profile_.rows());
    });
  }

  const Comm& comm_;
  Profile& profile_;
  std::string name_;
  OutputFolder folder_;
};

}  // namespace

PlaneProfile find_profile(const ModelSetup& setup, const ProfileSettings& settings, const LocalMesh& mesh) {
  return {mesh, settings.planes, setup.solids(), message("{}: [[profile]] `{}`", setup.file, settings.name)};
}

Profile::Profile(const LocalMesh& mesh, const ModelSetup& setup, const ProfileSettings& settings,
                 const std::vector<Quantity>& all)
    : SampledMeans({"profile", settings.name, settings.from, settings.every_steps}),
      settings_(settings),
      planes_(find_profile(setup, settings, mesh)),
      unit_of_volume_(mesh.dimension() == 2 ? "m^2" : "m^3") {
  for (const Quantity& quantity : for_fields(all, settings.fields)) {
    if (!AveragedQuantity::takes(quantity.info)) continue;
    quantities_.push_back(std::make_unique<ProfiledQuantity>(planes_, quantity, settings.variance));
    add(*quantities_.back());
  }
}

Profile::~Profile() = default;

std::vector<std::string> Profile::columns() const {
  std::vector<std::string> columns{"s [m]", message("volume [{}]", unit_of_volume_)};
  for (const auto& quantity : quantities_) quantity->add_columns(columns);
  return columns;
}

std::vector<std::vector<CsvValue>> Profile::rows() const {
  std::vector<std::vector<CsvValue>> rows;
  for (std::size_t plane = 0; plane < planes_.positions().size(); ++plane) {
    std::vector<CsvValue>& row = rows.emplace_back();
    row = {planes_.positions()[plane], planes_.volumes()[plane]};
    for (const auto& quantity : quantities_) quantity->add_values(plane, row);
  }
  return rows;
}

std::unique_ptr<Sink> Profile::sink(const LocalMesh& mesh) {
  return std::make_unique<ProfileSink>(mesh.comm(), *this, settings_.name);
}

}  // namespace solenoid
