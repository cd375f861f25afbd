/// The setup of a model: all that a case says of the physics, before and once there is a mesh.
#pragma once

#include <algorithm>
#include <cstdint>
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

class EarlierFields;

/// The steps of a run as expected before the first one.
struct StepForecast {
  real step = 0;                       ///< [s]
  double count = 0;                    ///< of steps to the end, at this length
  real cfl = 0;                        ///< at this step
  real speed = 0;                      ///< largest [m/s]
  int cell = 0;                        ///< that limits the step
  std::string subject = "flow";        ///< of `meaning`, in a word
  std::string meaning;                 ///< implications of the speed for the method, in words; may be empty
  std::vector<SummaryFigure> figures;  ///< the content of `meaning` as numbers
  std::string warning;                 ///< the recommended change; empty if none
};

/// A part of the domain with something in it that the mesh does not resolve, as found in a mesh.
struct ZoneReport {
  std::string name;
  std::string place, contents;  ///< in words
  std::int64_t cells = 0;
  real volume = 0;                      ///< of the cells [m^3]; 2D: area [m^2]
  std::optional<real> volume_of_shape;  ///< the same of the shape that selects them, whether or not it is in the mesh
};

/// All that a case prescribes for one kind of physics.
class ModelSetup {
 public:
  virtual ~ModelSetup() = default;

  std::string file;                  ///< of the case, for messages
  std::optional<TimeSettings> time;  ///< nullopt: steady state

  /// The unknowns, in words.
  virtual std::string unknowns() const = 0;

  /// The patches that have a boundary condition, in the order of their names.
  virtual std::vector<std::string> patches() const = 0;
  /// The patches on which a fluid exerts a force: these, and adjacent solids by their volume groups.
  std::vector<std::string> wetted_patches() const {
    std::vector<std::string> wetted = patches();
    for (const std::string& solid : solids()) {
      if (std::find(wetted.begin(), wetted.end(), solid) == wetted.end()) wetted.push_back(solid);
    }
    return wetted;
  }
  /// Volume groups of a flow's mesh without fluid.
  virtual std::vector<std::string> solids() const { return {}; }
  /// The condition on such a patch in words.
  virtual std::string condition_on(const std::string& patch) const = 0;
  /// Periodic pairs: names of patches a translation apart. They have no condition.
  virtual std::vector<std::pair<std::string, std::string>> pairs() const { return {}; }
  /// The drive of the flow through a pair, in words.
  virtual std::string drive_of_pair(std::size_t) const { return ""; }

  /// Zones of the domain in the order of the case. Serial.
  virtual std::vector<ZoneReport> zones(const GlobalMesh&) const { return {}; }

  virtual std::vector<QuantityInfo> quantities() const = 0;

  /// Mismatches between mesh and case other than patches, one line each. Serial.
  virtual std::vector<std::string> faults(const GlobalMesh&, const Domain&) const { return {}; }
  /// What in the case takes faults() of the whole mesh; empty: the faults of each rank's own cells are all there are.
  virtual std::string needs_whole_mesh() const { return "this physics"; }
  /// Warnings that follow from the case without a mesh, one line each.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// The consequence for parts of the mesh that share no face.
  virtual std::string between_parts() const = 0;
  /// Serial; nullopt if the case alone sets the step length.
  virtual std::optional<StepForecast> forecast(const GlobalMesh&) const { return std::nullopt; }

  /// Layers of halo cells of the mesh of model(), of this dimension.
  virtual int layers(int /*dimension*/) const { return 1; }
  /// Layers of halo cells of model()'s wide part of the mesh; 0: none.
  virtual int wide_layers() const { return 0; }
  /// The model at its beginning on `mesh`, every patch of which has a condition; `wide`: the same partition with
  /// wide_layers(), without the regions of solids() (without_regions). Both refer to `mesh`, and the model refers to
  /// the setup: they outlive it. Nothing is solved before Model::start(). Collective; throws a collective Error (exit
  /// code 2) if the case does not fit the mesh.
  virtual std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const = 0;

  /// Moves the beginning of the run to `begin` [s]; requires [time].
  virtual void begin_at(real begin) { time->begin = begin; }
  /// The earlier run whose clock goes on; null: none.
  virtual const EarlierFields* run_that_goes_on() const { return nullptr; }
  /// Removes the initial values of model(), which a restored state overwrites.
  virtual void forget_beginning() {}
  /// Removes the dependence on the mesh's numbering: iterations that start from the numbering and stop early continue
  /// to round-off, or their results become fixed values.
  virtual void ignore_numbering() {}
  /// One scheme for long and short steps, so that the order in time can be measured.
  virtual void fix_time_scheme() {}
  /// The same physics in `frame`, on a mesh of this dimension.
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
