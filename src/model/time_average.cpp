#include "model/time_average.hpp"

#include <span>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "field/assign.hpp"

namespace solenoid {

namespace {

struct Squares {
  SOLENOID_HD real operator()(real d) const { return d * d; }
  SOLENOID_HD Vec3 operator()(const Vec3& d) const { return {d.x * d.x, d.y * d.y, d.z * d.z}; }
};
struct Products {
  SOLENOID_HD Vec3 operator()(const Vec3& d) const { return {d.x * d.y, d.y * d.z, d.z * d.x}; }
};

template <class L, class T>
void move_mean(int count, View<L, const T> sample, real share, View<L, T> mean) {
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<L> e{i};
        mean[e] = mean[e] + share * (sample[e] - mean[e]);
      });
}

template <class L, class T, class Product>
void add_products(int count, View<L, const T> sample, real weight, View<L, const T> mean, Product product,
                  View<L, T> sums) {
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<L> e{i};
        sums[e] = sums[e] + weight * product(sample[e] - mean[e]);
      });
}

template <class L, class T>
void copy_scaled(int count, View<L, const T> values, real factor, View<L, T> scaled) {
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<L> e{i};
        scaled[e] = factor * values[e];
      });
}

}  // namespace

template <class L, class T>
TimeAverage<L, T>::Sums::Sums(const LocalMesh& mesh, bool with_variance) : last(mesh), mean(mesh) {
  if (!with_variance) return;
  squares.emplace(mesh);
  if (std::is_same_v<T, Vec3>) products.emplace(mesh);
}

template <class L, class T>
void TimeAverage<L, T>::Sums::copy_from(const Sums& other) {
  last.copy_from(other.last);
  mean.copy_from(other.mean);
  if (squares) squares->copy_from(*other.squares);
  if (products) products->copy_from(*other.products);
  weight = other.weight;
  weight_of_squares = other.weight_of_squares;
}

template <class L, class T>
TimeAverage<L, T>::TimeAverage(const LocalMesh& mesh, bool with_variance) : mesh_(mesh), now_(mesh, with_variance) {
  if (with_variance) shown_.emplace(mesh);
}

template <class L, class T>
void TimeAverage<L, T>::sample(const Field<L, T>& values, real dt) {
  if (dt > 0) {
    add(now_.last, dt / 2);
    add(values, dt / 2);
  }
  now_.last.copy_from(values);
}

template <class L, class T>
void TimeAverage<L, T>::begin_anew() {
  now_.copy_from(Sums(mesh_, now_.squares.has_value()));
}

template <class L, class T>
void TimeAverage<L, T>::keep() {
  kept_.emplace(mesh_, now_.squares.has_value()).copy_from(now_);
}

template <class L, class T>
void TimeAverage<L, T>::restore() {
  now_.copy_from(*kept_);
  kept_.reset();
}

template <class L, class T>
void TimeAverage<L, T>::add(const Field<L, T>& values, real weight) {
  const real before = now_.weight;
  now_.weight += weight;
  now_.weight_of_squares += weight;
  const View<L, const T> x = values.view(), mean = std::as_const(now_.mean).view();
  const real of_products = before * weight / now_.weight;
  const int count = now_.mean.owned();
  if (now_.squares) add_products<L, T>(count, x, of_products, mean, Squares{}, now_.squares->view());
  if constexpr (std::is_same_v<T, Vec3>) {
    if (now_.products) add_products<L, T>(count, x, of_products, mean, Products{}, now_.products->view());
  }
  move_mean<L, T>(count, x, weight / now_.weight, now_.mean.view());
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::mean() {
  if (now_.weight == 0) now_.mean.copy_from(now_.last);
  halo(now_.mean);
  return now_.mean;
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::variance() {
  return by_time(*now_.squares);
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::covariance() {
  return by_time(*now_.products);
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::by_time(const Field<L, T>& sums) {
  copy_scaled<L, T>(sums.owned(), sums.view(), now_.weight > 0 ? 1 / now_.weight : 0, shown_->view());
  halo(*shown_);
  return *shown_;
}

template <class L, class T>
void TimeAverage<L, T>::visit_state(const std::string& name, StateVisitor& visitor) {
  visitor.field(name + "_last", now_.last);
  visitor.field(name + "_mean", now_.mean);
  visitor.number(name + "_weight", now_.weight);
  if (!now_.squares) return;
  visitor.field(name + "_squares", *now_.squares);
  if (now_.products) visitor.field(name + "_products", *now_.products);
  visitor.number(name + "_weight_of_squares", now_.weight_of_squares);
}

template class TimeAverage<Node, real>;
template class TimeAverage<Node, Vec3>;
template class TimeAverage<Cell, real>;
template class TimeAverage<Cell, Vec3>;

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
