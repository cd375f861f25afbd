#include "model/patch_average.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "mesh/host_exchange.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

std::vector<int> places_on(const LocalMesh& mesh, const std::vector<int>& patches) {
  std::vector<int> places;
  for (int k = 0; k < mesh.boundary().size(); ++k) {
    const BoundaryFace& face = mesh.boundary()[k];
    if (face.is_owned && std::find(patches.begin(), patches.end(), face.patch) != patches.end()) places.push_back(k);
  }
  return places;
}

/// The position of each of these ids, from 0 to `count` - 1 and each on one rank, among those of all ranks. Collective.
std::vector<std::int64_t> positions_among_all(const Comm& comm, const std::vector<std::int64_t>& ids,
                                              std::int64_t count) {
  const std::int64_t of_rank = std::max<std::int64_t>((count + comm.size() - 1) / comm.size(), 1);
  std::vector<std::vector<std::int64_t>> asked(comm.size());
  for (const std::int64_t id : ids) asked[static_cast<std::size_t>(id / of_rank)].push_back(id);
  std::vector<std::vector<std::int64_t>> lists = exchange_lists(comm, asked);
  std::vector<std::int64_t> sorted;
  for (const auto& list : lists) sorted.insert(sorted.end(), list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::int64_t> counts = comm.gather(std::ssize(sorted));
  const std::int64_t before = std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::int64_t{0});
  for (auto& list : lists) {
    for (std::int64_t& id : list) id = before + (std::lower_bound(sorted.begin(), sorted.end(), id) - sorted.begin());
  }
  const std::vector<std::vector<std::int64_t>> answers = exchange_lists(comm, lists);
  std::vector<std::size_t> next(comm.size());
  std::vector<std::int64_t> positions;
  for (const std::int64_t id : ids) {
    const auto rank = static_cast<std::size_t>(id / of_rank);
    positions.push_back(answers[rank][next[rank]++]);
  }
  return positions;
}

/// Collective.
LocalNumbering numbering_of(const LocalMesh& mesh, const std::vector<int>& places) {
  std::vector<std::int64_t> ids;
  for (const int place : places) ids.push_back(mesh.numbering<Face>().global_id[mesh.boundary()[place].face]);
  LocalNumbering numbering;
  numbering.owned = static_cast<int>(ids.size());
  numbering.global_count = mesh.comm().sum(static_cast<std::int64_t>(ids.size()));
  numbering.global_id = positions_among_all(mesh.comm(), ids, mesh.global_count<Face>());
  numbering.owner.assign(ids.size(), mesh.comm().rank());
  return numbering;
}

template <class T>
void pick(int count, const int* places, const T* on_boundary, View<Face, T> values) {
  forall(
      count, SOLENOID_KERNEL(int i) { values[Index<Face>{i}] = on_boundary[places[i]]; });
}

template <class T>
void spread(int count, const int* places, View<Face, const T> values, T* on_boundary) {
  forall(
      count, SOLENOID_KERNEL(int i) { on_boundary[places[i]] = values[Index<Face>{i}]; });
}

void compute_magnitudes(int count, View<Face, const Vec3> vectors, View<Face, real> magnitudes) {
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        magnitudes[f] = norm(vectors[f]);
      });
}

void compute_oscillatory_index(int count, const int* places, View<Face, const Vec3> mean,
                               View<Face, const real> magnitude, real* on_boundary) {
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        const real of_mean = norm(mean[f]);
        on_boundary[places[i]] = of_mean < magnitude[f] ? (1 - of_mean / magnitude[f]) / 2 : 0;
      });
}

template <class T>
class AveragedOnPatches : public AveragedQuantity {
 public:
  AveragedOnPatches(const PatchFaces& faces, const Quantity& quantity, bool with_variance)
      : faces_(faces),
        quantity_(quantity),
        name_(quantity.info.name + "_on_patches"),
        with_variance_(with_variance),
        patches_(of_this_case()),
        values_(faces.layout()),
        average_(faces.layout(), with_variance),
        shown_(faces.mesh()) {
    if constexpr (is_vector) magnitude_.emplace(faces);
  }

  void sample(real dt) override {
    const BoundaryField<T>& present = *std::get<BoundaryField<T>*>(quantity_.evaluate());
    pick<T>(count(), faces_.places(), present.data(), values_.view());
    average_.sample(values_, dt);
    if constexpr (is_vector) {
      compute_magnitudes(count(), std::as_const(values_).view(), magnitude_->values.view());
      magnitude_->average.sample(magnitude_->values, dt);
    }
  }

  void begin_anew() override {
    patches_ = of_this_case();
    average_.begin_anew();
    if constexpr (is_vector) magnitude_->average.begin_anew();
  }
  void sample_for_output(real dt) override {
    average_.keep();
    if constexpr (is_vector) magnitude_->average.keep();
    sample(dt);
  }
  void restore() override {
    average_.restore();
    if constexpr (is_vector) magnitude_->average.restore();
  }

  std::vector<Quantity> quantities() override {
    const std::vector<QuantityInfo> infos = infos_of_averages(quantity_.info, with_variance_);
    std::vector<Quantity> all{{infos[0], false, [this] { return shown(average_.mean()); }}};
    if (with_variance_) all.push_back({infos[1], false, [this] { return shown(average_.variance()); }});
    if constexpr (is_vector) {
      if (with_variance_) all.push_back({infos[2], false, [this] { return shown(average_.covariance()); }});
      QuantityInfo magnitude = infos[0];
      magnitude.name = quantity_.info.name + "_magnitude_mean";
      magnitude.components = 1;
      magnitude.turns_in_mirror = false;
      all.push_back({magnitude, false, [this] { return magnitude_->shown(); }});
      QuantityInfo index = magnitude;
      index.name = quantity_.info.name + "_oscillatory_index";
      index.unit = "1";
      all.push_back({index, false, [this] { return magnitude_->shown_index(average_.mean()); }});
    }
    return all;
  }

  const std::string& name() const override { return name_; }
  std::string fault() const override {
    if (patches_ != of_this_case()) return "the samples so far are of other patches";
    return average_.is_consistent() ? "" : "the samples so far have no variance";
  }
  void visit_state(const std::string& name, StateVisitor& visitor) override {
    visitor.list(name + "_patches", patches_);
    average_.visit_state(name, visitor);
    if constexpr (is_vector) magnitude_->average.visit_state(name + "_magnitude", visitor);
  }

 private:
  static constexpr bool is_vector = std::is_same_v<T, Vec3>;

  struct Magnitude {
    explicit Magnitude(const PatchFaces& on)
        : faces(on), values(on.layout()), average(on.layout(), false), on_boundary(on.mesh()) {}
    const PatchFaces& faces;
    Field<Face> values;
    TimeAverage<Face, real> average;
    BoundaryField<real> on_boundary;

    Evaluated shown() {
      spread<real>(faces.layout().owned(), faces.places(), std::as_const(average.mean()).view(), on_boundary.data());
      return &on_boundary;
    }
    Evaluated shown_index(const Field<Face, Vec3>& mean) {
      compute_oscillatory_index(faces.layout().owned(), faces.places(), mean.view(),
                                std::as_const(average.mean()).view(), on_boundary.data());
      return &on_boundary;
    }
  };

  int count() const { return faces_.layout().owned(); }
  std::vector<double> of_this_case() const { return {faces_.patches().begin(), faces_.patches().end()}; }
  Evaluated shown(const Field<Face, T>& values) {
    spread<T>(count(), faces_.places(), values.view(), shown_.data());
    return &shown_;
  }

  const PatchFaces& faces_;
  Quantity quantity_;
  std::string name_;
  bool with_variance_;
  std::vector<double> patches_;  // of the samples
  Field<Face, T> values_;
  TimeAverage<Face, T> average_;
  BoundaryField<T> shown_;
  std::optional<Magnitude> magnitude_;  // of vectors
};

}  // namespace

PatchFaces::PatchFaces(const LocalMesh& mesh, std::vector<int> patches)
    : mesh_(mesh),
      patches_(std::move(patches)),
      layout_(mesh.comm(), numbering_of(mesh, places_on(mesh, patches_))),
      places_(places_on(mesh, patches_)) {
  std::sort(patches_.begin(), patches_.end());
}

std::unique_ptr<AveragedQuantity> averaged_on_patches(const PatchFaces& faces, const Quantity& quantity,
                                                      bool with_variance) {
  if (quantity.info.components > 1) return std::make_unique<AveragedOnPatches<Vec3>>(faces, quantity, with_variance);
  return std::make_unique<AveragedOnPatches<real>>(faces, quantity, with_variance);
}

}  // namespace solenoid
