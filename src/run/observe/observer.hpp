/// Outputs of a running model: quantities, a schedule, and a sink; and those of a case.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/output_folder.hpp"
#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/model.hpp"

namespace solenoid {

class Averages;
class Tracers;
struct Case;

/// The outputs of the settings, except those at the start and the end of the run.
class OutputTimes {
 public:
  /// `end`: of the run [s].
  OutputTimes(OutputSettings output, double end);

  /// The same schedule for a run that ends at `end` [s].
  OutputTimes until(double end) const { return {output_, end}; }

  /// The next time after `time` that a step must end at [s]: an output or the end.
  real next(real time) const;

  /// Whether an output is due after `step`, which ended at `time` [s].
  bool is_due(int step, real time) const;

 private:
  OutputSettings output_;
  real end_, slack_;
};

/// Destination of values. All functions are collective unless noted.
class Sink {
 public:
  virtual ~Sink() = default;

  /// The table that open() continues in a restart, if the sink has one.
  virtual std::optional<GrowingTable> table() const { return std::nullopt; }
  /// Writes into `folder` from now on. Throws a collective Error (exit code 1) if a file cannot be written; so does
  /// write().
  virtual void open(const OutputFolder& folder) = 0;
  /// Writes the current values; `step` 0: the start; `time` [s].
  virtual void write(int step, real time) = 0;
  /// The same without quantities that need a linear solve, after a failure of the model. Returns the names of the
  /// omitted ones. By default writes nothing.
  virtual std::vector<std::string> write_without_solves(int, real) { return {}; }
  /// Visits the data of earlier steps that conclude() needs.
  virtual void visit_state(StateVisitor&) {}
  /// Adds its results at the end of the run. Not collective.
  virtual void conclude(ModelOutcome&) const {}
};

struct Observer {
  OutputTimes schedule;
  bool at_ends;   ///< also due at both ends of the run, regardless of the schedule
  bool is_noted;  ///< follows [output]; the log reports its writes
  std::unique_ptr<Sink> sink;
};

// Selections by field words: for_fields() adds quantities without a field word, for_lines() those that every line has.
std::vector<Quantity> for_fields(const std::vector<Quantity>& quantities, const std::vector<std::string>& words);
std::vector<Quantity> for_lines(const std::vector<Quantity>& quantities, const std::vector<std::string>& words);

/// Removes those that need a linear solve; returns their field words, each once.
std::vector<std::string> remove_solves(std::vector<Quantity>& quantities);

/// The observers of a case, tables first, then outputs, each with its quantities of the model. They keep references to
/// the arguments, which must outlive them. Collective. Throws a collective Error (exit code 2) if a point lies outside
/// the mesh, or a section or a plane misses it.
std::vector<Observer> observers_of(const Case& wanted, const LocalMesh& mesh, Model& model, const Averages& averages,
                                   Tracers& tracers);

}  // namespace solenoid
