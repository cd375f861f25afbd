#include "model/time_average.hpp"

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
TimeAverage<L, T>::Sums::Sums(const Layout& layout, bool with_variance) : last(layout), mean(layout) {
  if (!with_variance) return;
  squares.emplace(layout);
  if (std::is_same_v<T, Vec3>) products.emplace(layout);
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
TimeAverage<L, T>::TimeAverage(const Layout& layout, bool with_variance)
    : layout_(layout), now_(layout, with_variance) {
  if (with_variance) shown_.emplace(layout);
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
  now_.copy_from(Sums(layout_, now_.squares.has_value()));
}

template <class L, class T>
void TimeAverage<L, T>::keep() {
  kept_.emplace(layout_, now_.squares.has_value()).copy_from(now_);
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
template class TimeAverage<Face, real>;
template class TimeAverage<Face, Vec3>;

std::vector<QuantityInfo> infos_of_averages(const QuantityInfo& averaged, bool with_variance) {
  const bool is_vector = averaged.components > 1;
  QuantityInfo mean = averaged;
  mean.columns.clear();
  mean.on_every_line = mean.has_maximum = false;
  QuantityInfo square = mean;
  square.unit = message("({})^2", averaged.unit);
  square.turns_in_mirror = false;
  square.depends_on_frame = averaged.depends_on_frame || is_vector;  // entries of a tensor, not of a vector
  std::vector<QuantityInfo> infos{mean};
  if (with_variance) infos.push_back(square);
  if (with_variance && is_vector) infos.push_back(square);
  constexpr const char* ends[] = {"_mean", "_variance", "_covariance"};
  for (std::size_t k = 0; k < infos.size(); ++k) infos[k].name += ends[k];
  return infos;
}

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
    const std::vector<QuantityInfo> infos = infos_of_averages(quantity_.info, with_variance_);
    std::vector<Quantity> all{{infos[0], false, [this] { return &average_.mean(); }}};
    if (infos.size() > 1) all.push_back({infos[1], false, [this] { return &average_.variance(); }});
    if (infos.size() > 2) all.push_back({infos[2], false, [this] { return &average_.covariance(); }});
    return all;
  }

  const std::string& name() const override { return quantity_.info.name; }
  std::string fault() const override { return average_.is_consistent() ? "" : "the samples so far have no variance"; }
  void visit_state(const std::string& name, StateVisitor& visitor) override { average_.visit_state(name, visitor); }

 private:
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
