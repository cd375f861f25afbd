#include "physics/tracer/tracer_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "mesh/host_exchange.hpp"

namespace solenoid {

namespace {

constexpr real time_round_off = 1e-9;        // of a time
constexpr std::int64_t id_base = 1 << 20;    // tracer and cell ids are split into two reals
constexpr std::int64_t most_rows = 1 << 30;  // plausible in a checkpoint

/// Reals per tracer in a state.
constexpr int row_length = 8;

bool comes_first(const Tracer& a, const Tracer& b) { return a.id < b.id; }

}  // namespace

TracerSet::TracerSet(const LocalMesh& mesh, std::string name, const PointSampler& seeds, const Releases& releases)
    : mesh_(mesh),
      name_(std::move(name)),
      releases_(releases),
      seed_count_(static_cast<std::int64_t>(seeds.points().size())) {
  for (const auto& [point, cell] : seeds.cells()) {
    Tracer seed;
    seed.place = seeds.points()[static_cast<std::size_t>(point)];
    seed.id = point;
    seed.cell = cell;
    seed.cell_id = mesh.numbering<Cell>().global_id[cell];
    seeds_.push_back(seed);
  }
  counts_.left.resize(mesh.part().patches.size());
}

bool TracerSet::is_due(real time) const {
  const real due = time_of(next_release_);
  if (releases_.every <= 0 && next_release_ > 0) return false;
  const real slack = time_round_off * std::abs(due);
  return due <= time + slack && due <= releases_.end + slack;
}

/// Releases the tracers due in a step that begins at `begin` and lasts `length` [s].
void TracerSet::release(real begin, real length) {
  for (; is_due(begin + length); ++next_release_) {
    for (Tracer seed : seeds_) {
      seed.born = std::clamp(time_of(next_release_), begin, begin + length);
      seed.begin = length > 0 ? std::clamp<real>((seed.born - begin) / length, 0, 1) : 1;
      seed.id += counts_.released;
      seed.set_out();
      tracers_.push_back(seed);
    }
    counts_.released += seed_count_;
    counts_.alive += seed_count_;
  }
}

void TracerSet::start(real time) {
  release(time, 0);
  for (Tracer& tracer : tracers_) tracer.stage = TracerStage::done;
}

void TracerSet::advance(const TracerAdvection& paths, const CarryingStep& step, real begin) {
  const Comm& comm = mesh_.comm();
  for (Tracer& tracer : tracers_) {
    tracer.begin = 0;
    tracer.set_out();
  }
  release(begin, step.dt);
  std::vector<Tracer> moved = std::exchange(tracers_, {});
  for (bool is_under_way = true; is_under_way;) {
    paths.advance(moved, step);
    std::vector<std::int64_t> gone(counts_.left.size() + 2);  // by patch, lost, to other ranks
    const std::vector<std::vector<Tracer>> sent = settle(std::move(moved), gone);
    comm.sum(std::span<std::int64_t>(gone));
    is_under_way = gone.back() > 0;
    gone.pop_back();
    counts_.alive -= std::accumulate(gone.begin(), gone.end(), std::int64_t{0});
    counts_.lost += gone.back();
    for (std::size_t p = 0; p < counts_.left.size(); ++p) counts_.left[p] += gone[p];
    moved.clear();
    if (!is_under_way) break;
    for (std::vector<Tracer>& came : exchange_lists(comm, sent)) {
      for (Tracer& tracer : came) {
        tracer.cell = owned_cell(tracer.cell_id);
        moved.push_back(tracer);
      }
    }
  }
  std::sort(tracers_.begin(), tracers_.end(), comes_first);
}

/// Keeps tracers that have finished in owned cells and counts the others; returns those to send, by rank.
std::vector<std::vector<Tracer>> TracerSet::settle(std::vector<Tracer> moved, std::vector<std::int64_t>& gone) {
  const LocalNumbering& cells = mesh_.numbering<Cell>();
  std::vector<std::vector<Tracer>> sent(mesh_.comm().size());
  for (Tracer& tracer : moved) {
    if (tracer.stage == TracerStage::left) {
      ++gone[static_cast<std::size_t>(tracer.patch)];
    } else if (tracer.stage == TracerStage::lost) {
      ++gone[counts_.left.size()];
    } else {
      tracer.cell_id = cells.global_id[tracer.cell];
      const bool is_home = tracer.stage == TracerStage::done && tracer.cell < cells.owned;
      gone.back() += !is_home;
      (is_home ? tracers_ : sent[cells.owner[tracer.cell]]).push_back(tracer);
    }
  }
  return sent;
}

/// -1 if this rank does not own the cell.
int TracerSet::owned_cell(std::int64_t id) const {
  const LocalNumbering& cells = mesh_.numbering<Cell>();
  const auto end = cells.global_id.begin() + cells.owned, at = std::lower_bound(cells.global_id.begin(), end, id);
  return at != end && *at == id ? static_cast<int>(at - cells.global_id.begin()) : -1;
}

std::vector<real> TracerSet::state_rows() const {
  std::vector<real> rows;
  for (const Tracer& t : tracers_) {
    rows.insert(rows.end(), {t.place.x, t.place.y, t.place.z, t.born, static_cast<real>(t.id / id_base),
                             static_cast<real>(t.id % id_base), static_cast<real>(t.cell_id / id_base),
                             static_cast<real>(t.cell_id % id_base)});
  }
  return rows;
}

/// Rows without numbers, which the visitor left out, are no tracers.
void TracerSet::set_rows(const std::vector<real>& rows) {
  tracers_.clear();
  for (std::size_t at = 0; at + row_length <= rows.size(); at += row_length) {
    const real* const row = rows.data() + at;
    const bool are_numbers = std::all_of(row, row + 4, [](real x) { return std::isfinite(x); });
    const auto is_count = [](real x) { return x >= 0 && x < static_cast<real>(most_rows); };
    if (!are_numbers || !std::all_of(row + 4, row + row_length, is_count)) continue;
    Tracer tracer;
    tracer.place = {row[0], row[1], row[2]};
    tracer.born = row[3];
    tracer.id = static_cast<std::int64_t>(row[4]) * id_base + static_cast<std::int64_t>(row[5]);
    tracer.cell_id = static_cast<std::int64_t>(row[6]) * id_base + static_cast<std::int64_t>(row[7]);
    tracers_.push_back(tracer);
  }
}

void TracerSet::visit_state(StateVisitor& visitor) {
  const Comm& comm = mesh_.comm();
  const std::string name = "tracer_" + name_ + "_";
  const std::int64_t alive = counts_.alive;
  visitor.number(name + "released", counts_.released);
  visitor.number(name + "lost", counts_.lost);
  for (std::size_t p = 0; p < counts_.left.size(); ++p) {
    visitor.number(name + "left_" + std::to_string(p), counts_.left[p]);
  }
  visitor.number(name + "alive", counts_.alive);
  if (counts_.alive < 0 || counts_.alive > most_rows) counts_.alive = 0;

  std::vector<real> rows = state_rows();
  numbering_ = {};
  if (counts_.alive == alive) {  // by their ids, independent of the rank
    std::vector<std::int64_t> own;
    for (const Tracer& tracer : tracers_) own.push_back(tracer.id);
    std::vector<std::int64_t> all = from_all_ranks(comm, own);
    std::sort(all.begin(), all.end());
    for (const std::int64_t one : own) {
      numbering_.global_id.push_back(std::lower_bound(all.begin(), all.end(), one) - all.begin());
    }
  } else {  // a state replaces them: an even share of rows for each rank
    const std::int64_t begin = counts_.alive * comm.rank() / comm.size(),
                       end = counts_.alive * (comm.rank() + 1) / comm.size();
    for (std::int64_t row = begin; row < end; ++row) numbering_.global_id.push_back(row);
    rows.assign(static_cast<std::size_t>(end - begin) * row_length, std::numeric_limits<real>::quiet_NaN());
  }
  numbering_.owned = static_cast<int>(numbering_.global_id.size());
  numbering_.global_count = counts_.alive;
  numbering_.owner.assign(numbering_.global_id.size(), comm.rank());
  if (counts_.alive == 0) return set_rows(rows);
  DeviceArray<real> on_device(rows);
  visitor.rows(name + "tracers", numbering_, on_device, row_length);
  const std::vector<real> seen = on_device.to_host();
  if (rows.empty() || std::memcmp(seen.data(), rows.data(), rows.size() * sizeof(real)) != 0) set_rows(seen);
}

void TracerSet::restored(real time) {
  std::vector<Tracer> here;
  for (Tracer& tracer : from_all_ranks(mesh_.comm(), tracers_)) {
    tracer.cell = owned_cell(tracer.cell_id);
    if (tracer.cell >= 0) here.push_back(tracer);
  }
  tracers_ = std::move(here);
  std::sort(tracers_.begin(), tracers_.end(), comes_first);
  counts_.alive = mesh_.comm().sum(static_cast<std::int64_t>(tracers_.size()));
  for (next_release_ = 0; is_due(time);) ++next_release_;
  const bool is_new = counts_.released == 0;
  if (is_new && next_release_ > 0) --next_release_;
}

}  // namespace solenoid
