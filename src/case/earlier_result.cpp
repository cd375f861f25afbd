#include "case/earlier_result.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "case/checkpoint_output.hpp"
#include "case/quadratic_velocity.hpp"
#include "io/checkpoint/checkpoint_list.hpp"
#include "io/paraview/piece_locator.hpp"

namespace solenoid {

namespace fs = std::filesystem;

EarlierResult::EarlierResult(const fs::path& base, std::string given, std::string key)
    : folder_(base / given), given_(std::move(given)), key_(std::move(key)) {}

namespace {

/// The series `name` in a folder, in either format; null if there is none.
std::unique_ptr<ResultOutput> series_in(const fs::path& folder, const std::string& name) {
  const fs::path pvd = folder / (name + ".pvd"), one_file = folder / (name + ".vtkhdf");
  std::error_code ignored;  // what cannot be looked at is not there
  if (fs::exists(pvd, ignored)) return read_pvd_output(pvd);
  return fs::exists(one_file, ignored) ? read_vtkhdf_output(one_file) : nullptr;
}

constexpr const char* of_a_part = "shows a part of its mesh, by `within` or `every_cells` in [output]";

}  // namespace

/// The fields of the folder, if they show the whole mesh; else its newest checkpoint that can be read.
std::unique_ptr<ResultOutput> EarlierResult::newest() const {
  std::error_code ignored;
  const bool is_file = fs::is_regular_file(folder_, ignored) && folder_.extension() == ".h5";
  require_input(is_file || fs::is_directory(folder_, ignored), [&] {
    return message(
        "{}: {}: no such folder: expected the result folder of an earlier run, or a file checkpoint_NNNNNN.h5", key_,
        folder_.string());
  });
  passed_over_.clear();
  if (auto fields = series_in(folder_, "fields")) {
    if (!fields->is_part()) return fields;
    passed_over_.push_back(message("passed over the fields of {}: their last output {}", folder_.string(), of_a_part));
  }
  std::vector<FoundCheckpoint> checkpoints = checkpoints_in(folder_);
  if (is_file) checkpoints = {{0, folder_}};
  require_input(!checkpoints.empty(), [&] {
    return passed_over_.empty()
               ? message(
                     "{}: {}: has no results: expected the folder of an earlier run, with fields.pvd, "
                     "fields.vtkhdf or a checkpoint_NNNNNN.h5",
                     key_, folder_.string())
               : message("{}: {}: its last output {}: expected all cells, or a checkpoint_NNNNNN.h5 beside it", key_,
                         folder_.string(), of_a_part);
  });
  is_checkpoint_ = true;
  for (std::size_t k = 0; k + 1 < checkpoints.size(); ++k) {
    try {
      return read_checkpoint_output(checkpoints[k].file);
    } catch (const Error& error) {  // the next older one may be whole
      if (error.code() != ExitCode::bad_input) throw;
      passed_over_.push_back(message("passed over {}", error.what()));
    }
  }
  return read_checkpoint_output(checkpoints.back().file);
}

const ResultOutput& EarlierResult::output() const {
  if (output_) return *output_;
  auto read = newest();
  require_input(std::isfinite(read->time()) && read->time() >= 0, [&] {
    return message("{}: {}: its last output is at t = {} s, expected a time of 0 or more", key_, folder_.string(),
                   read->time());
  });
  output_ = std::move(read);
  return *output_;
}

std::vector<std::string> EarlierResult::remarks() const {
  std::vector<std::string> all = output().remarks();
  all.insert(all.begin(), passed_over_.begin(), passed_over_.end());
  return all;
}

double EarlierResult::time_if_there() const {
  try {
    return time();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    return 0;
  }
}

int EarlierResult::dimension() const {
  int dimension = 0;
  for (int k = 0; k < output().pieces() && dimension == 0; ++k) {
    const ResultPiece piece = output().piece(k, "", 0);
    if (!piece.cells.empty()) dimension = piece.dimension;
  }
  return dimension;
}

/// Calls take(piece, i, nearest) for each point i, with the nearest point of each piece that is nearer than those of
/// the pieces before.
template <class Take>
void EarlierResult::search(const ResultOutput& output, std::span<const Vec3> points, const std::string& name,
                           int components, const Take& take) const {
  constexpr real far = std::numeric_limits<real>::max();
  std::vector<real> nearest(points.size(), far);
  for (int k = 0; k < output.pieces(); ++k) {
    const ResultPiece piece = output.piece(k, name, components);
    const PieceLocator locator(piece);
    const auto in_piece = take(piece);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (nearest[i] == 0) continue;
      const PointInCell found = locator.nearest(points[i]);
      if (found.cell < 0 || !(found.distance < nearest[i])) continue;
      nearest[i] = found.distance;
      in_piece(i, found);
    }
  }
  const bool are_found = std::none_of(nearest.begin(), nearest.end(), [](real distance) { return distance == far; });
  require_input(are_found, [&] { return message("{}: {}: its last output has no cells", key_, folder_.string()); });
}

void EarlierResult::velocity(std::span<const Vec3> points, std::span<Vec3> values) const {
  require_input(output().has("velocity", 3), [&] {
    return message(
        "{}: {}: has no `velocity` at its points: expected the result of a flow with \"velocity\" among "
        "the `fields` of [output]",
        key_, folder_.string());
  });
  search(output(), points, "velocity", 3, [&](const ResultPiece& piece) {
    return [&values, velocity = std::make_shared<QuadraticVelocity>(piece)](std::size_t i, const PointInCell& found) {
      values[i] = velocity->at(found);
    };
  });
}

void EarlierResult::scalar(const std::string& name, std::span<const Vec3> points, std::span<real> values) const {
  linear(output(), name, 1, points, values);
}

/// Of values in cells that of the cell.
void EarlierResult::linear(const ResultOutput& output, const std::string& name, int components,
                           std::span<const Vec3> points, std::span<real> values) const {
  search(output, points, name, components, [&](const ResultPiece& piece) {
    return [&](std::size_t i, const PointInCell& found) {
      const std::span<real> here = values.subspan(i * components, components);
      std::fill(here.begin(), here.end(), real{0});
      const auto add = [&](real weight, int row) {
        for (int j = 0; j < components; ++j) here[j] += weight * piece.values[row * components + j];
      };
      if (piece.is_in_cells) return add(1, found.cell);
      for (int k = 0; k < piece.corners(); ++k) add(found.weight[k], piece.cells[found.cell * piece.corners() + k]);
    };
  });
}

/// Where the averages of that name are; null if nowhere.
const ResultOutput* EarlierResult::output_of_average(const std::string& average) const {
  const ResultOutput& fields = output();
  if (is_checkpoint_) return &fields;
  const auto [found, is_new] = averages_.try_emplace(average);
  if (is_new) found->second = series_in(folder_ / "averages", average);
  return found->second.get();
}

namespace {

std::string in_checkpoint(const std::string& average, const std::string& quantity) {
  return "average_" + average + "_" + quantity;
}

constexpr const char* summary_name = "summary.json";

/// The times of an average in the summary of a run; empty without one.
nlohmann::json times_in_summary(const fs::path& folder, const std::string& average) {
  std::ifstream in(folder / summary_name);
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  const nlohmann::json::json_pointer place = nlohmann::json::json_pointer("/averages") / average;
  return summary.is_object() && summary.contains(place) ? summary[place] : nlohmann::json::object();
}

}  // namespace

std::optional<EarlierAverage> EarlierResult::average(const std::string& average, const std::string& quantity) const {
  const ResultOutput* const of = output_of_average(average);
  if (!of || of->is_part()) return std::nullopt;
  const auto has = [&](const std::string& name) { return of->has(name, 1) || of->has(name, 3); };
  if (is_checkpoint_) {
    const std::string name = in_checkpoint(average, quantity);
    const auto samples = of->number(name + "_samples"), first = of->number(name + "_first_time"),
               last = of->number(name + "_last_time"), weight = of->number(name + "_weight");
    if (!samples || *samples < 1 || !first || !last || !weight || !has(name + "_mean")) return std::nullopt;
    return EarlierAverage{static_cast<std::int64_t>(*samples), *first, *last, *weight, has(name + "_squares")};
  }
  const nlohmann::json times = times_in_summary(folder_, average);
  const nlohmann::json first = times.value("from_" + quantity, times.value("from", nlohmann::json())),
                       samples = times.value("samples", nlohmann::json());
  if (!first.is_number() || !samples.is_number() || !has(quantity + "_mean")) return std::nullopt;
  return EarlierAverage{samples.get<std::int64_t>(), first.get<double>(), of->time(), of->time() - first.get<double>(),
                        has(quantity + "_variance")};
}

std::string EarlierResult::fault_of_average(const std::string& average) const {
  std::error_code ignored;
  const ResultOutput* const of = output_of_average(average);
  const bool is_series = of && !is_checkpoint_;
  if (is_series && of->is_part()) return message("that of {} {}", given_, of_a_part);
  if (!is_series || fs::exists(folder_ / summary_name, ignored)) return "";
  return message(
      "{} lacks {}, with the times of its averages, for that run has not ended: give one of its checkpoints as "
      "`result`, or end it with --restart",
      given_, summary_name);
}

bool EarlierResult::average_at(const std::string& average, const std::string& quantity, AverageArray array,
                               std::span<const Vec3> points, int components, std::span<real> values) const {
  const ResultOutput* const of = output_of_average(average);
  constexpr const char* state[] = {"_last", "_mean", "_squares", "_products"};
  constexpr const char* shown[] = {nullptr, "_mean", "_variance", "_covariance"};
  const char* const ending = (is_checkpoint_ ? state : shown)[static_cast<int>(array)];
  if (!of || !ending) return false;
  const std::string name = (is_checkpoint_ ? in_checkpoint(average, quantity) : quantity) + ending;
  if (!of->has(name, components)) return false;
  linear(*of, name, components, points, values);
  if (is_checkpoint_ || array == AverageArray::mean) return true;
  const auto weight = static_cast<real>(EarlierResult::average(average, quantity).value_or(EarlierAverage{}).weight);
  for (real& value : values) value *= weight;
  return true;
}

void EarlierResult::distance(std::span<const Vec3> points, std::span<real> values) const {
  search(output(), points, "", 0, [&](const ResultPiece&) {
    return [&](std::size_t i, const PointInCell& found) { values[i] = found.distance; };
  });
}

Coefficient<real> EarlierResult::without(const std::string& name) const {
  const std::string text = message("{}: {}: has no `{}` at its points: give its initial values as `{}` in [initial]",
                                   key_, folder_.string(), name, name);
  return {[text](std::span<const Vec3>, real, std::span<real>) { throw Error(ExitCode::bad_input, text); },
          Dependence{.on_place = true}};
}

}  // namespace solenoid
