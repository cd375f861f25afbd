/// The setup of a model: all that a case says of the physics, before and once there is a mesh.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mesh/domain.hpp"
#include "mesh/mesh_source.hpp"
#include "model/frame.hpp"
#include "model/model.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// What is to be expected of the steps of a run before the first one.
struct StepForecast {
  real step = 0;                       ///< [s]
  double count = 0;                    ///< of steps to the end, should they stay as long
  real cfl = 0;                        ///< of such a step
  real speed = 0;                      ///< largest [m/s]
  int cell = 0;                        ///< that bounds the step
  std::string meaning;                 ///< of the speed for the method, in words; may be empty
  std::vector<SummaryFigure> figures;  ///< what `meaning` tells, for scripts
  std::string warning;                 ///< what to change; empty: nothing
};

/// All that a case says of one kind of physics.
class ModelSetup {
 public:
  virtual ~ModelSetup() = default;

  std::string file;                  ///< of the case, for messages
  std::optional<TimeSettings> time;  ///< absent where the steady state is asked for

  /// What is solved for, in words.
  virtual std::string unknowns() const = 0;

  /// The patches that have a boundary condition, in the order of their names.
  virtual std::vector<std::string> patches() const = 0;
  /// What a fluid exerts a force on: these, and solids beside it by their volume groups.
  std::vector<std::string> wetted_patches() const {
    std::vector<std::string> wetted = patches();
    for (const std::string& solid : solids()) {
      if (std::find(wetted.begin(), wetted.end(), solid) == wetted.end()) wetted.push_back(solid);
    }
    return wetted;
  }
  /// Volume groups that no fluid fills, of those of a flow.
  virtual std::vector<std::string> solids() const { return {}; }
  /// The condition on one of them in words.
  virtual std::string condition_on(const std::string& patch) const = 0;
  /// Names of patches a translation apart, where the domain goes on at the other one; they have no condition.
  virtual std::vector<std::pair<std::string, std::string>> pairs() const { return {}; }
  /// What drives the flow through one of them, in words.
  virtual std::string drive_of_pair(std::size_t) const { return ""; }

  virtual std::vector<QuantityInfo> quantities() const = 0;

  /// What is wrong between the mesh and the case, its patches apart, a line each. Serial.
  virtual std::vector<std::string> faults(const GlobalMesh&, const Domain&) const { return {}; }
  /// What it means that parts of the mesh share no face.
  virtual std::string between_parts() const = 0;
  /// Serial; nothing where steps have their length from the case alone.
  virtual std::optional<StepForecast> forecast(const GlobalMesh&) const { return std::nullopt; }

  /// Layers of halo cells of the wider part of the mesh that model() takes; 0: none.
  virtual int wide_layers() const { return 0; }
  /// The model at time 0 on `mesh`, every patch of which has its condition; `wide`: the same partition with
  /// wide_layers(), and of what solids() leave of the mesh (without_regions). Both refer to `mesh`, and the model to
  /// the setup: they outlive it. Nothing is solved before Model::start(). Collective; throws a collective Error (exit
  /// code 2) where the case does not fit the mesh.
  virtual std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const = 0;

  /// Takes out what model() begins with and a state that is laid over it does not need.
  virtual void forget_beginning() {}
  /// Takes out what depends on how the mesh is numbered: what stops after some iterations that begin with the
  /// numbering goes on until nothing but round-off is left, or is given.
  virtual void ignore_numbering() {}
  /// Long steps by the same scheme as short ones, so that an order in time can be told.
  virtual void fix_time_scheme() {}
  /// The same physics as `frame` shows it, on a mesh of so many dimensions.
  virtual std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const = 0;
};

/// The names in a map of conditions by patch.
template <class Boundary>
std::vector<std::string> names_of(const std::map<std::string, Boundary>& boundary) {
  std::vector<std::string> names;
  for (const auto& entry : boundary) names.push_back(entry.first);
  return names;
}

}  // namespace solenoid
