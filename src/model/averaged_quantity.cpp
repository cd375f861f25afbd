#include "model/averaged_quantity.hpp"

#include <span>
#include <type_traits>

#include "base/error.hpp"
#include "model/time_average.hpp"

namespace solenoid {

namespace {

template <class L, class T>
class Averaged : public AveragedQuantity {
 public:
  Averaged(const LocalMesh& mesh, const Quantity& quantity, bool with_variance)
      : quantity_(quantity), with_variance_(with_variance), average_(mesh, with_variance) {}

  void sample(real dt) override { average_.sample(*std::get<Field<L, T>*>(quantity_.evaluate()), dt); }

  void begin_anew() override { average_.begin_anew(); }
  void sample_for_output(real dt) override {
    average_.keep();
    sample(dt);
  }
  void restore() override { average_.restore(); }

  std::vector<Quantity> quantities() override {
    const std::string squared = message("({})^2", quantity_.info.unit);
    std::vector<Quantity> all{shown("_mean", quantity_.info.unit, [this] { return &average_.mean(); })};
    if (!with_variance_) return all;
    all.push_back(shown("_variance", squared, [this] { return &average_.variance(); }));
    if (std::is_same_v<T, Vec3>)
      all.push_back(shown("_covariance", squared, [this] { return &average_.covariance(); }));
    for (Quantity& square : std::span(all).subspan(1)) {
      square.info.turns_in_mirror = false;
      if (std::is_same_v<T, Vec3>) square.info.depends_on_frame = true;  // entries of a tensor, not of a vector
    }
    return all;
  }

  const std::string& name() const override { return quantity_.info.name; }
  bool is_consistent() const override { return average_.is_consistent(); }
  void visit_state(const std::string& name, StateVisitor& visitor) override { average_.visit_state(name, visitor); }

 private:
  Quantity shown(const std::string& end, const std::string& unit, std::function<Evaluated()> evaluate) const {
    QuantityInfo info = quantity_.info;
    info.name += end;
    info.unit = unit;
    info.columns.clear();
    info.on_every_line = info.on_patches = false;
    return {info, false, std::move(evaluate)};
  }

  Quantity quantity_;
  bool with_variance_;
  TimeAverage<L, T> average_;
};

}  // namespace

std::unique_ptr<AveragedQuantity> AveragedQuantity::of(const LocalMesh& mesh, const Quantity& quantity,
                                                       bool with_variance) {
  const bool is_vector = quantity.info.components > 1;
  if (quantity.info.at == ValuesAt::nodes) {
    if (is_vector) return std::make_unique<Averaged<Node, Vec3>>(mesh, quantity, with_variance);
    return std::make_unique<Averaged<Node, real>>(mesh, quantity, with_variance);
  }
  if (is_vector) return std::make_unique<Averaged<Cell, Vec3>>(mesh, quantity, with_variance);
  return std::make_unique<Averaged<Cell, real>>(mesh, quantity, with_variance);
}

}  // namespace solenoid
