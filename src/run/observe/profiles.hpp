/// Means over planes and over time of a case: [[profile]].
#pragma once

#include <memory>
#include <vector>

#include "case/case_settings.hpp"
#include "model/model_setup.hpp"
#include "model/plane_profile.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/sampled_means.hpp"

namespace solenoid {

/// The planes of these settings in the mesh. Collective. Throws as PlaneProfile does.
PlaneProfile find_profile(const ModelSetup& setup, const ProfileSettings& settings, const LocalMesh& mesh);

class ProfiledQuantity;

/// One [[profile]]. All functions are collective.
class Profile : public SampledMeans {
 public:
  /// `all`: the quantities of the model; outlives this, as the mesh does. Throws as PlaneProfile does.
  Profile(const LocalMesh& mesh, const ModelSetup& setup, const ProfileSettings& settings,
          const std::vector<Quantity>& all);
  ~Profile() override;

  /// Names with units, and a row for each plane, up to the last sample or look(). Not collective.
  std::vector<std::string> columns() const;
  std::vector<std::vector<CsvValue>> rows() const;

  /// Writes profiles/NAME.csv anew at each output from the first sample on; this outlives it.
  std::unique_ptr<Sink> sink(const LocalMesh& mesh);

 private:
  ProfileSettings settings_;
  PlaneProfile planes_;
  const char* unit_of_volume_;
  std::vector<std::unique_ptr<ProfiledQuantity>> quantities_;
};

}  // namespace solenoid
