#include "physics/flow/solenoidal/forest_balance.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "field/assign.hpp"
#include "parallel/running_sums.hpp"

namespace solenoid {

namespace forest {  // with a name: on a GPU nobody calls pack()

/// As many spacings as that; 0 if it is not finite.
SOLENOID_HD inline std::uint64_t whole(real spacings) {
  constexpr real limit = 0x1p63;
  return spacings > -limit && spacings < limit ? static_cast<std::uint64_t>(static_cast<std::int64_t>(spacings)) : 0;
}

/// Puts the imbalances of cells in spacings where their places are.
template <class Imbalance>
struct PutImbalance {
  Imbalance imbalance;
  real spacing;
  const int* place;
  std::uint64_t* sums;
  SOLENOID_HD void operator()(int c) const { sums[place[c]] = whole(imbalance(Index<Cell>{c}) / spacing); }
  void pack(int first, int count) const {
    if (count < pack_width) {
      for (int l = 0; l < count; ++l) (*this)(first + l);
      return;
    }
    const auto values = imbalance.pack(Index<Cell>{first});
    for (int l = 0; l < pack_width; ++l) sums[place[first + l]] = whole(values.value[l] / spacing);
  }
};

}  // namespace forest

namespace {

/// The face of a step, counted from 1, with the step's sign; 0 where this rank has no flux to change.
int way_out(const RankForest::Step& step) {
  return step.face != RankForest::none && step.is_owned ? step.sign * (step.face + 1) : 0;
}

SOLENOID_HD void subtract(std::uint64_t spacings, real spacing, int way, View<Face, real> U) {
  const real amount = static_cast<real>(static_cast<std::int64_t>(spacings)) * spacing;
  if (way > 0) U[Index<Face>{way - 1}] -= amount;
  if (way < 0) U[Index<Face>{-way - 1}] += amount;
}

#ifdef SOLENOID_CHECKED
/// Throws Error (exit code 1) where fluxes are no multiples of the spacing; finite ones. Collective.
template <class Imbalance>
void require_multiples(const LocalMesh& mesh, const Imbalance& imbalance, real spacing) {
  const real rest = reduce_max(
      mesh.owned<Cell>(), 0, SOLENOID_KERNEL(int c) {
        const real spacings = imbalance(Index<Cell>{c}) / spacing;
        return std::abs(spacings - std::trunc(spacings));
      });
  const real worst = mesh.comm().max(std::isfinite(rest) ? rest : real{0});
  require_on_all_ranks(worst == 0, [&] {
    return message("fluxes to be balanced are no multiples of {}: {} of it is left", spacing, worst);
  });
}
#endif

}  // namespace

ForestBalance::ForestBalance(const LocalMesh& mesh, const RankForest& forest)
    : mesh_(mesh), first_(forest.first), before_(forest.before), from_roots_(forest.from_roots) {
  const auto owned = static_cast<std::size_t>(mesh.owned<Cell>());
  std::vector<int> size(owned, 1), place(owned), end(owned), way(owned), next(owned), begin_of_tree{0};
  for (auto step = forest.steps.rbegin(); step != forest.steps.rend(); ++step) size[step->before] += size[step->cell];
  const auto put = [&](const RankForest::Step& step, int& at) {
    place[step.cell] = at;
    next[step.cell] = at + 1;
    way[step.cell] = way_out(step);
    end[step.cell] = at += size[step.cell];
  };
  int at = 0;
  for (const RankForest::Step& root : forest.roots) {
    put(root, at);
    begin_of_tree.push_back(at);
  }
  for (const RankForest::Step& step : forest.steps) put(step, next[step.before]);
  place_ = DeviceArray<int>(place);
  end_ = DeviceArray<int>(end);
  way_out_ = DeviceArray<int>(way);
  sums_ = DeviceArray<std::uint64_t>(std::vector<std::uint64_t>(owned + 1, 0));
  if (mesh.comm().size() == 1) return;

  begin_of_tree_ = DeviceArray<int>(begin_of_tree);
  sums_of_trees_ = DeviceArray<std::uint64_t>(begin_of_tree.size());
  std::vector<RankForest::Arrival> arrivals = forest.arrivals;
  const auto place_of = [&](const RankForest::Arrival& arrival) { return place[arrival.step.before]; };
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [&](const auto& a, const auto& b) { return place_of(a) < place_of(b); });
  std::vector<int> arrivals_before(owned + 1, 0), way_of_arrival;
  for (const RankForest::Arrival& arrival : arrivals) {
    ++arrivals_before[place_of(arrival) + 1];
    way_of_arrival.push_back(way_out(arrival.step));
    arrives_from_.push_back(arrival.from);
  }
  for (std::size_t k = 0; k < owned; ++k) arrivals_before[k + 1] += arrivals_before[k];
  arrivals_before_ = DeviceArray<int>(arrivals_before);
  way_of_arrival_ = DeviceArray<int>(way_of_arrival);
  sums_of_arrivals_ = DeviceArray<std::uint64_t>(arrivals.size() + 1);
}

/// Running sums of the arrivals from trees that hang into own ones: the outflow of their cells, and of the trees that
/// hang into them.
std::vector<std::uint64_t> ForestBalance::sums_of_arrivals() {
  const std::vector<std::uint64_t> of_own = sums_of_trees_.to_host();
  std::vector<std::int64_t> of_trees(before_.size(), 0);
  for (std::size_t tree = 0; tree + 1 < of_own.size(); ++tree) {
    of_trees[first_ + tree] = static_cast<std::int64_t>(of_own[tree + 1] - of_own[tree]);
  }
  mesh_.comm().sum(std::span(of_trees));
  for (auto tree = from_roots_.rbegin(); tree != from_roots_.rend(); ++tree) {
    if (before_[*tree] != RankForest::none) of_trees[before_[*tree]] += of_trees[*tree];
  }
  std::vector<std::uint64_t> sums{0};
  for (const int tree : arrives_from_) sums.push_back(sums.back() + static_cast<std::uint64_t>(of_trees[tree]));
  return sums;
}

void ForestBalance::balance(real spacing, Field<Face>& flux) {
  const int cells = mesh_.owned<Cell>();
  const auto imbalance = mesh_.D * halo(flux);
  const int* const place = place_.data();
  const int* const end = end_.data();
  const int* const way_out = way_out_.data();
  std::uint64_t* const sums = sums_.data();
  const auto U = flux.view();
#ifdef SOLENOID_CHECKED
  require_multiples(mesh_, imbalance, spacing);
#endif
  count_traffic(bytes_read(imbalance, cells) + static_cast<std::int64_t>((sizeof(int) + sizeof *sums) * cells));
  using Imbalance = std::remove_cvref_t<decltype(imbalance)>;
  forall(cells, forest::PutImbalance<Imbalance>{imbalance, spacing, place, sums});
  count_traffic(static_cast<std::int64_t>(2 * sizeof *sums * cells));
  make_running_sums(sums_);

  if (mesh_.comm().size() > 1) {
    const int* const begin_of_tree = begin_of_tree_.data();
    std::uint64_t* const of_trees = sums_of_trees_.data();
    forall(
        static_cast<int>(begin_of_tree_.size()), SOLENOID_KERNEL(int t) { of_trees[t] = sums[begin_of_tree[t]]; });
    sums_of_arrivals_.from_host(sums_of_arrivals());
    const int* const arrivals_before = arrivals_before_.data();
    const int* const way_of_arrival = way_of_arrival_.data();
    const std::uint64_t* const arrived = sums_of_arrivals_.data();
    forall(
        cells + 1, SOLENOID_KERNEL(int k) { sums[k] += arrived[arrivals_before[k]]; });
    forall(
        static_cast<int>(way_of_arrival_.size()),
        SOLENOID_KERNEL(int k) { subtract(arrived[k + 1] - arrived[k], spacing, way_of_arrival[k], U); });
  }

  count_traffic(static_cast<std::int64_t>((3 * sizeof(int) + sizeof *sums + 2 * sizeof(real)) * cells));
  forall(
      cells, SOLENOID_KERNEL(int c) { subtract(sums[end[c]] - sums[place[c]], spacing, way_out[c], U); });
}

}  // namespace solenoid
