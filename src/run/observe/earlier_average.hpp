/// The state of a time average from an earlier run, on any mesh.
#pragma once

#include "model/earlier_fields.hpp"
#include "model/state_visitor.hpp"

namespace solenoid {

/// Overwrites the state of an averaged quantity, visited without a name, by that of an earlier run: interpolated to the
/// nodes or cell centres of `mesh`, of points outside the earlier mesh the nearest value. Collective.
class EarlierAverageState : public StateVisitor {
 public:
  /// Refers to its arguments, which must outlive it.
  EarlierAverageState(const LocalMesh& mesh, const EarlierFields& earlier, const std::string& average,
                      const std::string& quantity, const EarlierAverage& past)
      : mesh_(mesh), earlier_(earlier), average_(average), quantity_(quantity), past_(past) {}

  void number(const std::string& name, real& value) override;
  void number(const std::string&, std::int64_t&) override {}
  void list(const std::string&, std::vector<double>&) override {}

  bool has_last() const { return has_last_; }  ///< whether it had the last sample
  bool has_mean() const { return has_mean_; }

 private:
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override;

  const LocalMesh& mesh_;
  const EarlierFields& earlier_;
  const std::string &average_, &quantity_;
  const EarlierAverage& past_;
  bool has_last_ = false, has_mean_ = false;
};

}  // namespace solenoid
