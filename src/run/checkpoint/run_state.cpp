#include "run/checkpoint/run_state.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/output_file.hpp"
#include "base/partial_sum.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

namespace {

/// Adds each array of a state by global ids, and its numbers once.
class Examiner : public StateVisitor {
 public:
  explicit Examiner(bool is_root) : is_root_(is_root) {}
  void number(const std::string&, real& value) override { add_number(value); }
  void number(const std::string&, std::int64_t& value) override { add_number(value); }
  void list(const std::string&, std::vector<double>& values) override {
    for (const double value : values) add_number(value);
  }
  Fingerprint fingerprint;

 private:
  template <class T>
  void add_number(T value) {
    ++arrays_;
    if (is_root_) fingerprint.add(place(0), value);
  }
  bool array(const std::string&, const LocalNumbering& numbering, real* values, int components) override {
    ++arrays_;
    std::vector<real> owned(static_cast<std::size_t>(numbering.owned) * components);
    copy_to_host(owned.data(), values, owned.size() * sizeof(real));
    for (std::size_t k = 0; k < owned.size(); ++k) {
      const std::int64_t id =
          numbering.global_id[k / components] * components + static_cast<std::int64_t>(k % components);
      fingerprint.add(place(id), owned[k]);
    }
    return true;
  }
  /// Fingerprint key of entry `at` of the current array.
  std::uint64_t place(std::int64_t at) const {
    constexpr int bits = 48;  // for entries
    return (arrays_ << bits) + static_cast<std::uint64_t>(at);
  }
  bool is_root_;
  std::uint64_t arrays_ = 0;
};

}  // namespace

void NextStep::write(const std::filesystem::path& file) const {
  const nlohmann::ordered_json json{{"step", step}, {"ranks", ranks}, {"fingerprint", fingerprint}};
  write_text_file(file, json.dump() + "\n");
}

std::optional<NextStep> NextStep::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  for (const char* key : {"step", "ranks", "fingerprint"}) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_number_integer()) return std::nullopt;
  }
  return NextStep{json["step"].get<int>(), json["ranks"].get<int>(), json["fingerprint"].get<std::int64_t>()};
}

std::int64_t fingerprint_of(const Comm& comm, const RunState& state) {
  Examiner examiner(comm.is_root());
  state.visit(examiner);
  return examiner.fingerprint.of_all_ranks(comm);
}

std::string comparison(const NextStep& expected, const NextStep& found) {
  if (expected.fingerprint == found.fingerprint) {
    return message("step {} is the one of the run before, in every bit", found.step);
  }
  if (expected.ranks != found.ranks && !sums_are_exact()) {
    return message("step {} is the one of the run before but for round-off: it had {} rank{}", found.step,
                   expected.ranks, expected.ranks == 1 ? "" : "s");
  }
  return message(
      "warning: step {} is not in every bit the one of the run before: another version, compiler or machine, or "
      "another number of threads",
      found.step);
}

}  // namespace solenoid
