#include "solve/past_solutions.hpp"

#include "field/assign.hpp"
#include "solve/projection.hpp"

namespace solenoid {

namespace {

template <class L>
std::vector<Field<L>> fields(const LocalMesh& mesh, int count) {
  std::vector<Field<L>> result;
  for (int k = 0; k < count; ++k) result.emplace_back(mesh);
  return result;
}

template <class L>
std::array<View<L, const real>, past_solutions> views(const std::vector<Field<L>>& x) {
  std::array<View<L, const real>, past_solutions> result;
  for (int k = 0; k < past_solutions; ++k) result[k] = x[k].view();
  return result;
}

/// result = sum_k coefficients[k] x[k], where `is_unknown`.
template <class L>
void combine(const std::array<real, past_solutions>& coefficients, const std::vector<Field<L>>& x,
             const Field<L>& is_unknown, Field<L>& result) {
  const auto past = views(x);
  const auto mask = is_unknown.view();
  const auto values = result.view();
  forall(
      result.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (mask[k] == 0) return;
        real sum = 0;
        for (int j = 0; j < past_solutions; ++j) sum += coefficients[j] * past[j][k];
        values[k] = sum;
      });
}

/// sum_i y_i x[k]_i over all ranks, by k. Collective.
template <class L>
std::array<real, past_solutions> products(const Field<L>& y, const std::vector<Field<L>>& x) {
  const auto past = views(x);
  const auto with = y.view();
  Sums<past_solutions> sums = reduce_sums<past_solutions>(
      y.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        Sums<past_solutions> at_k;
        for (int j = 0; j < past_solutions; ++j) at_k[j] = with[k] * past[j][k];
        return at_k;
      });
  y.layout().comm().sum(std::span<real>(sums.value, past_solutions));
  return std::to_array(sums.value);
}

}  // namespace

template <class L>
void PastSolutions<L>::store() {
  if (!x_.empty()) return;
  const LocalMesh& mesh = space_.mesh();
  x_ = fields<L>(mesh, past_solutions);
  images_ = fields<L>(mesh, static_cast<int>(gram_.size()));
  is_unknown_.emplace(mesh, std::vector<real>(mesh.owned<L>(), 1));
  space_.set_prescribed(*is_unknown_, 0);
}

template <class L>
Field<L>& PastSolutions<L>::solution(int age) {
  store();
  return x_[place(age)];
}

template <class L>
void PastSolutions<L>::guess(std::span<const real> factors, const Field<L>& b, Field<L>& x) const {
  std::array<Products, past_solutions> gram{};  // by age, so that bits do not depend on places
  for (std::size_t k = 0; k < gram_.size(); ++k) {
    for (int i = 0; i < past_solutions; ++i) {
      for (int j = 0; j < past_solutions; ++j) gram[i][j] += factors[k] * gram_[k][place(i)][place(j)];
    }
  }
  if (!(gram[0][0] > 0)) return;
  const Products with_b = products(b, x_);
  Products with_b_by_age, by_place;
  for (int i = 0; i < past_solutions; ++i) with_b_by_age[i] = with_b[place(i)];
  const Products coefficients = projection(gram, with_b_by_age);
  for (int i = 0; i < past_solutions; ++i) by_place[place(i)] = coefficients[i];
  combine(by_place, x_, *is_unknown_, x);
}

template <class L>
void PastSolutions<L>::keep(const Field<L>& x, const Apply& apply) {
  store();
  newest_ = (newest_ + 1) % past_solutions;
  x_[newest_] = *is_unknown_ * x;
  take_images(newest_, apply);
}

template <class L>
void PastSolutions<L>::renew_images(const Apply& apply) {
  if (x_.empty()) return;
  for (int age = past_solutions; age-- > 0;) take_images(place(age), apply);
}

template <class L>
void PastSolutions<L>::take_images(int place, const Apply& apply) {
  apply(x_[place], images_);
  for (std::size_t k = 0; k < gram_.size(); ++k) {
    gram_[k][place] = products(images_[k], x_);
    for (int other = 0; other < past_solutions; ++other) gram_[k][other][place] = gram_[k][place][other];
  }
}

template class PastSolutions<Node>;
template class PastSolutions<Edge>;
template class PastSolutions<Face>;
template class PastSolutions<Cell>;

}  // namespace solenoid
