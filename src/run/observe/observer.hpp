/// Outputs of a running model: quantities, a schedule, and a sink.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/output_folder.hpp"
#include "io/tables/csv.hpp"
#include "model/model.hpp"
#include "run/observe/output_times.hpp"

namespace solenoid {

/// Where values go. Everything is collective.
class Sink {
 public:
  virtual ~Sink() = default;

  /// What open() goes on with where the run does, if that is a table.
  virtual std::optional<GrowingTable> table() const { return std::nullopt; }
  /// Writes into `folder` from here on. Throws a collective Error (exit code 1) where a file cannot be written, as
  /// write() does.
  virtual void open(const OutputFolder& folder) = 0;
  /// The values now, `step` 0 being the start; `time` [s].
  virtual void write(int step, real time) = 0;
  /// The same but for what takes a solve: of a model that fails. Returns the names of what is left out, or nothing
  /// where this sink has no use for it.
  virtual std::vector<std::string> write_without_solves(int, real) { return {}; }
  /// Shows `visitor` what conclude() needs of earlier steps.
  virtual void visit_state(StateVisitor&) {}
  /// Adds what it has to say at the end of the run. Not collective.
  virtual void conclude(ModelOutcome&) const {}
};

struct Observer {
  OutputTimes schedule;
  bool at_ends;   ///< of the run, too, whatever the schedule says
  bool is_noted;  ///< keeps to [output], and the log says that there is something new to look at
  std::unique_ptr<Sink> sink;
};

// Those of `quantities` that the words for fields ask for: with those that nobody has to ask for; and with those that
// every line has.
std::vector<Quantity> for_fields(const std::vector<Quantity>& quantities, const std::vector<std::string>& words);
std::vector<Quantity> for_lines(const std::vector<Quantity>& quantities, const std::vector<std::string>& words);

}  // namespace solenoid
