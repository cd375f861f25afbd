#include "run/checkpoint/checkpoints.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "io/checkpoint/checkpoint_list.hpp"
#include "mesh/mesh_fingerprint.hpp"
#include "parallel/memory.hpp"
#include "run/checkpoint/case_changes.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

std::string name_of(int step, const char* extension) { return message("checkpoint_{:06}.{}", step, extension); }

/// Removes the checkpoints of this run beyond the first `keep` of `found`. Serial.
void remove_beyond(std::size_t keep, const OutputFolder& folder, const std::vector<FoundCheckpoint>& found) {
  for (const FoundCheckpoint& checkpoint : found) {
    if (!folder.lists(checkpoint.file.filename().string())) continue;
    std::error_code ignored;  // a surplus checkpoint does no harm
    if (keep == 0) {
      fs::remove(checkpoint.file, ignored);
      fs::remove(NextStep::file_of(checkpoint.file), ignored);
    } else {
      --keep;
    }
  }
}

/// Flushes `file` to the disk, so that it survives a crash of the machine.
void bring_to_disk(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  const bool done = descriptor >= 0 && fsync(descriptor) == 0;
  if (descriptor >= 0) close(descriptor);
  require(done, [&] { return message("{}: cannot be brought to the disk", file.string()); });
}

class Saver : public StateVisitor {
 public:
  explicit Saver(CheckpointWriter& writer) : writer_(writer) {}
  void number(const std::string& name, real& value) override { writer_.number(name, static_cast<double>(value)); }
  void number(const std::string& name, std::int64_t& value) override { writer_.number(name, value); }
  void list(const std::string& name, std::vector<double>& values) override { writer_.list(name, values); }

 private:
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    std::vector<real> owned(static_cast<std::size_t>(numbering.owned) * components);
    copy_to_host(owned.data(), values, owned.size() * sizeof(real));
    writer_.array(name, numbering, owned, components);
    return true;
  }
  CheckpointWriter& writer_;
};

class Restorer : public StateVisitor {
 public:
  explicit Restorer(CheckpointReader& reader) : reader_(reader) {}
  void number(const std::string& name, real& value) override { take(name, reader_.number(name), value); }
  void number(const std::string& name, std::int64_t& value) override { take(name, reader_.integer(name), value); }
  void list(const std::string& name, std::vector<double>& values) override { take(name, reader_.list(name), values); }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  template <class From, class To>
  void take(const std::string& name, const std::optional<From>& found, To& value) {
    if (found) {
      value = static_cast<To>(*found);
    } else {
      missing_.push_back(name);
    }
  }
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    const auto owned = reader_.array(name, numbering, components);
    if (owned) {
      copy_to_device(values, owned->data(), owned->size() * sizeof(real));
    } else {
      missing_.push_back(name);
    }
    return owned.has_value();
  }
  CheckpointReader& reader_;
  std::vector<std::string> missing_;
};

/// Whether a restart has no use for the changed value: vessels stay as full as they are.
bool has_no_effect(const CaseChange& change) { return change.key.ends_with(".windkessel.initial"); }

/// Whether this change of the case leaves the steps unchanged.
bool changes_no_step(const CaseChange& change) { return change.key == "title" || change.key.starts_with("checkpoint"); }

/// Throws unless the case of the checkpoint has the same physics. Collective.
void require_same_physics(const CheckpointReader& checkpoint, const nlohmann::json& now, const nlohmann::json& before) {
  for (const char* physics : {"flow", "heat", "wave", "waves"}) {
    const bool was = before.contains(physics), is = now.contains(physics);
    require_on_all_ranks(
        was == is,
        [&] {
          return message("{}: is of a case {} [{}], this one is {} it: a run continues with its own physics",
                         checkpoint.path().string(), was ? "with" : "without", physics, is ? "with" : "without");
        },
        ExitCode::bad_input);
  }
}

}  // namespace

Checkpoints::Checkpoints(const Case& wanted, const CaseMesh& mesh, const RunState& state)
    : case_(wanted), mesh_(mesh), state_(state), fingerprint_(fingerprint_of(*mesh.local)) {}

void Checkpoints::open(const OutputFolder& folder, double wall_seconds) {
  folder_ = folder;
  last_time_ = state_.model.time();
  last_wall_ = wall_seconds;
  const std::optional<RunMoment>& moment = folder.goes_on_from();
  comm().guard([&] {
    if (!comm().is_root() || !moment) return;
    std::vector<FoundCheckpoint> later = checkpoints_in(folder.path());
    std::erase_if(later, [&](const FoundCheckpoint& checkpoint) { return checkpoint.step <= moment->step; });
    remove_beyond(0, folder, later);
  });
}

bool Checkpoints::is_due(int step, real time, double wall_seconds) const {
  const std::optional<CheckpointSettings>& settings = case_.checkpoint;
  if (!settings) return false;
  if (settings->every_steps && step % *settings->every_steps == 0) return true;
  constexpr double round_off = 1e-9;
  if (settings->every &&
      std::floor(time / *settings->every + round_off) > std::floor(last_time_ / *settings->every + round_off)) {
    return true;
  }
  constexpr double minute = 60;
  return settings->wall_minutes &&
         comm().max(static_cast<real>(wall_seconds - last_wall_)) >= *settings->wall_minutes * minute;
}

std::string Checkpoints::write(int step, real time, double wall_seconds) {
  const std::string name = name_of(step, "h5");
  std::optional<FreshFile> fresh;
  comm().guard([&] {
    if (comm().is_root()) fresh.emplace(folder_.file(name));
  });
  const fs::path file = comm().broadcast(fresh ? fresh->path().string() : "");
  {
    CheckpointWriter writer(comm(), file, {step, time, wall_seconds, fingerprint_, case_.settings().dump()});
    writer.mesh(mesh_.source);
    Saver saver(writer);
    state_.visit(saver);
    writer.close();
  }
  comm().guard([&] {
    if (!comm().is_root()) return;
    bring_to_disk(file);
    fresh->replace_file();
    const CheckpointSettings settings = case_.checkpoint.value_or(CheckpointSettings{});
    remove_beyond(static_cast<std::size_t>(settings.keep), folder_, checkpoints_in(folder_.path()));
  });
  last_time_ = time;
  last_wall_ = wall_seconds;
  last_step_ = step;
  return name;
}

std::optional<std::string> Checkpoints::diagnose_step(int step) {
  const bool is_noted = step == last_step_ + 1, is_compared = step == expected_step_;
  if (!is_noted && !is_compared) return std::nullopt;
  RunState of_step = state_;
  of_step.observers = {};  // their state depends on outputs, which come between a checkpoint and the next step
  const NextStep found{step, comm().size(), solenoid::fingerprint_of(comm(), of_step)};
  std::optional<std::string> said;
  comm().guard([&] {
    if (!comm().is_root()) return;
    if (is_noted) found.write(folder_.file(name_of(last_step_, "next")));
    if (is_compared && expected_) said = comparison(*expected_, found);
  });
  return said;
}

void Checkpoints::expect_as_after(const fs::path& file) {
  comm().guard([&] {
    if (comm().is_root()) expected_ = NextStep::read(NextStep::file_of(file));
  });
  expected_step_ = static_cast<int>(comm().max(std::int64_t{expected_ ? expected_->step : -1}));
}

std::unique_ptr<CheckpointReader> newest_checkpoint(const Comm& comm, const fs::path& folder,
                                                    const OutputList::Say& say) {
  std::string names;
  comm.guard([&] {
    if (!comm.is_root()) return;
    for (const FoundCheckpoint& checkpoint : checkpoints_in(folder)) names += checkpoint.file.string() + "\n";
  });
  names = comm.broadcast(names);
  for (std::size_t at = 0, end = names.find('\n'); end != names.npos; at = end + 1, end = names.find('\n', at)) {
    try {
      return std::make_unique<CheckpointReader>(comm, names.substr(at, end - at));
    } catch (const Error& error) {
      if (!error.collective()) throw;
      say(message("skipped {}", error.what()));
    }
  }
  const bool has_none = names.empty();
  require_on_all_ranks(
      has_none,
      [&] { return message("{}: no checkpoint there is whole; without --restart a run begins anew", folder.string()); },
      ExitCode::bad_input);
  return nullptr;
}

bool restore(CheckpointReader& checkpoint, const Case& wanted, const LocalMesh& mesh, const RunState& state,
             const OutputList::Say& say) {
  const bool has_these_numbers = checkpoint.header().mesh == fingerprint_of(mesh);
  require_on_all_ranks(
      has_these_numbers,
      [&] {
        return message(
            "{}: numbers the nodes and cells of its mesh otherwise than this program does: go on with the "
            "version that wrote it",
            checkpoint.path().string());
      },
      ExitCode::bad_input);
  const nlohmann::json now = wanted.settings(),
                       before = nlohmann::json::parse(checkpoint.header().settings, nullptr, false);
  std::vector<CaseChange> changes;
  if (before.is_object()) {
    require_same_physics(checkpoint, now, before);
    changes = changes_of_case(now, before);
    std::erase_if(changes, has_no_effect);
  }
  for (const CaseChange& change : changes) say("  changed  " + change.text);
  Restorer restorer(checkpoint);
  state.visit(restorer);
  state.restored();
  if (!restorer.missing().empty()) {
    say(message("warning: {}: has no {}: as at the start of a run", checkpoint.path().string(),
                joined(restorer.missing(), ", ")));
  }
  const std::vector<std::string> unused = checkpoint.left_over();
  if (!unused.empty()) {
    say(message("warning: {}: this case has no use for its {}", checkpoint.path().string(), joined(unused, ", ")));
  }
  return restorer.missing().empty() && std::all_of(changes.begin(), changes.end(), changes_no_step);
}

}  // namespace solenoid
