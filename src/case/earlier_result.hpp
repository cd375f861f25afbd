/// The start of a flow from the result of an earlier run: [initial] result.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/paraview/result_output.hpp"
#include "model/earlier_fields.hpp"

namespace solenoid {

/// The last output in a result folder, or the checkpoint of a run, opened at the first use. A point outside its mesh
/// takes the value at the nearest point of the mesh; of a mesh in the plane z has no effect. Each rank reads the pieces
/// one after another for its own points: the values depend on no rank.
class EarlierResult : public EarlierFields {
 public:
  /// `given`: the text in the case, a path from `base` to a folder or a checkpoint; `key`: the case file and the key,
  /// for messages.
  EarlierResult(const std::filesystem::path& base, std::string given, std::string key);

  std::string name() const override { return given_; }
  int dimension() const override;
  double time() const override { return output().time(); }
  /// 0 if it cannot be read: a restart does not need it, and another run fails at the first use.
  double time_if_there() const;
  bool has_scalar(const std::string& name) const override { return output().has(name, 1); }
  std::vector<std::string> remarks() const override;

  std::optional<EarlierAverage> average(const std::string& average, const std::string& quantity) const override;
  std::string fault_of_average(const std::string& average) const override;
  bool average_at(const std::string& average, const std::string& quantity, AverageArray array,
                  std::span<const Vec3> points, int components, std::span<real> values) const override;

  // At `points` [m]. Serial.
  void velocity(std::span<const Vec3> points, std::span<Vec3> values) const;  ///< of third order [m/s]
  void scalar(const std::string& name, std::span<const Vec3> points, std::span<real> values) const;  ///< linear
  void distance(std::span<const Vec3> points, std::span<real> values) const;  ///< from the mesh [m]

  /// Initial values of a scalar without any: evaluating them throws Error (exit code 2).
  Coefficient<real> without(const std::string& name) const;

 private:
  const ResultOutput& output() const;
  std::unique_ptr<ResultOutput> newest() const;
  const ResultOutput* output_of_average(const std::string& average) const;
  template <class Take>
  void search(const ResultOutput& output, std::span<const Vec3> points, const std::string& name, int components,
              const Take& take) const;
  void linear(const ResultOutput& output, const std::string& name, int components, std::span<const Vec3> points,
              std::span<real> values) const;

  std::filesystem::path folder_;
  std::string given_, key_;
  mutable std::unique_ptr<ResultOutput> output_;
  mutable bool is_checkpoint_ = false;
  mutable std::vector<std::string> passed_over_;                           // faults of newer checkpoints
  mutable std::map<std::string, std::unique_ptr<ResultOutput>> averages_;  // null: none
};

}  // namespace solenoid
