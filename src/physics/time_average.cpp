#include "physics/time_average.hpp"

#include <type_traits>
#include <utility>

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
TimeAverage<L, T>::TimeAverage(const LocalMesh& mesh, bool with_variance) : last_(mesh), mean_(mesh) {
  if (!with_variance) return;
  squares_.emplace(mesh);
  shown_.emplace(mesh);
  if (std::is_same_v<T, Vec3>) products_.emplace(mesh);
}

template <class L, class T>
void TimeAverage<L, T>::sample(const Field<L, T>& values, real dt) {
  if (dt > 0) {
    add(last_, dt / 2);
    add(values, dt / 2);
  }
  last_.copy_from(values);
}

template <class L, class T>
void TimeAverage<L, T>::add(const Field<L, T>& values, real weight) {
  const real before = weight_;
  weight_ += weight;
  const View<L, const T> x = values.view(), mean = std::as_const(mean_).view();
  const real of_products = before * weight / weight_;
  if (squares_) add_products<L, T>(mean_.owned(), x, of_products, mean, Squares{}, squares_->view());
  if constexpr (std::is_same_v<T, Vec3>) {
    if (products_) add_products<L, T>(mean_.owned(), x, of_products, mean, Products{}, products_->view());
  }
  move_mean<L, T>(mean_.owned(), x, weight / weight_, mean_.view());
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::mean() {
  if (weight_ == 0) mean_.copy_from(last_);
  halo(mean_);
  return mean_;
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::variance() {
  return by_time(*squares_);
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::covariance() {
  return by_time(*products_);
}

template <class L, class T>
Field<L, T>& TimeAverage<L, T>::by_time(const Field<L, T>& sums) {
  copy_scaled<L, T>(sums.owned(), sums.view(), weight_ > 0 ? 1 / weight_ : 0, shown_->view());
  halo(*shown_);
  return *shown_;
}

template <class L, class T>
void TimeAverage<L, T>::visit_state(const std::string& name, StateVisitor& visitor) {
  visitor.field(name + "_last", last_);
  visitor.field(name + "_mean", mean_);
  if (squares_) visitor.field(name + "_squares", *squares_);
  if (products_) visitor.field(name + "_products", *products_);
  visitor.number(name + "_weight", weight_);
}

template class TimeAverage<Node, real>;
template class TimeAverage<Node, Vec3>;
template class TimeAverage<Cell, real>;
template class TimeAverage<Cell, Vec3>;

}  // namespace solenoid
