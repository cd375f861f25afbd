#include "solve/solution_history.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "parallel/reduce_later.hpp"
#include "solve/projection.hpp"

namespace solenoid {

namespace {

template <class L>
std::vector<Field<L>> fields(const LocalMesh& mesh, int count) {
  std::vector<Field<L>> result;
  for (int k = 0; k < count; ++k) result.emplace_back(mesh);
  return result;
}

/// 1; 0 where prescribed.
template <class L>
Field<L> unknowns_of(const Space<L>& space) {
  Field<L> is_unknown(space.mesh(), std::vector<real>(space.mesh().template owned<L>(), 1));
  space.set_prescribed(is_unknown, 0);
  return is_unknown;
}

/// Counts a read of all past solutions, which are as long as `x`.
template <class L>
void count_past(const Field<L>& x) {
  count_traffic(static_cast<std::int64_t>(past_solutions * sizeof(real)) * x.owned());
}

/// result = sum_k coefficients[k] past[k], where `is_unknown`.
template <class L>
void combine(const std::array<real, past_solutions>& coefficients,
             const std::array<View<L, const real>, past_solutions>& past, const Field<L>& is_unknown,
             Field<L>& result) {
  const auto mask = is_unknown.view();
  const auto values = result.view();
  count_owned(is_unknown, result);
  count_past(result);
  forall(
      result.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (mask[k] == 0) return;
        real sum = 0;
        for (int j = 0; j < past_solutions; ++j) sum += coefficients[j] * past[j][k];
        values[k] = sum;
      });
}

/// result += sum_k coefficients[k] past[k].
template <class L>
void add_combination(const std::array<real, past_solutions>& coefficients,
                     const std::array<View<L, const real>, past_solutions>& past, Field<L>& result) {
  const auto values = result.view();
  count_owned(result, result);
  count_past(result);
  forall(
      result.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        real sum = 0;
        for (int j = 0; j < past_solutions; ++j) sum += coefficients[j] * past[j][k];
        values[k] += sum;
      });
}

/// For each y, sum_i y_i past[k]_i, by k.
template <int Count, class L>
PendingSums<Count * past_solutions> begin_products(const std::array<View<L, const real>, Count>& y,
                                                   const std::array<View<L, const real>, past_solutions>& past,
                                                   const Field<L>& like) {
  for (int n = 0; n < Count; ++n) count_owned(like);
  count_past(like);
  return begin_sums<Count * past_solutions>(
      like.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        Sums<Count * past_solutions> at_k;
        for (int j = 0; j < past_solutions; ++j) {
          const real x = past[j][k];
          for (int n = 0; n < Count; ++n) at_k[n * past_solutions + j] = y[n][k] * x;
        }
        return at_k;
      });
}

}  // namespace

template <class L>
void SolutionHistory<L>::reserve() {
  const MemoryOf scope("first guesses");
  if (!x_.empty()) return;
  const LocalMesh& mesh = space_.mesh();
  x_ = fields<L>(mesh, past_solutions);
  images_ = fields<L>(mesh, static_cast<int>(gram_.size()) * (kept_ == Images::all ? past_solutions : 1));
  is_unknown_.emplace(unknowns_of(space_));
}

template <class L>
Field<L>& SolutionHistory<L>::solution(int age) {
  reserve();
  return x_[place(age)];
}

template <class L>
bool SolutionHistory<L>::guess(std::span<const real> factors, const Field<L>& b, Field<L>& x, Field<L>* image) {
  if (x_.empty()) return false;
  auto with_b = begin_products<1>({b.view()}, by_age(), b);
  const Sums<past_solutions> sums = totals(b.layout().comm(), with_b.parts());
  Products products;
  std::copy_n(sums.value, past_solutions, products.begin());
  enter_products();
  std::array<Products, past_solutions> gram{};
  for (std::size_t k = 0; k < gram_.size(); ++k) {
    for (int i = 0; i < past_solutions; ++i) {
      for (int j = 0; j < past_solutions; ++j) gram[i][j] += factors[k] * gram_[k][place(i)][place(j)];
    }
  }
  if (!(gram[0][0] > 0)) return false;
  const Products coefficients = projection(gram, products);
  combine(coefficients, by_age(), *is_unknown_, x);
  for (std::size_t part = 0; image && part < gram_.size(); ++part) {
    Products of_part = coefficients;
    for (real& coefficient : of_part) coefficient *= factors[part];
    if (part == 0) {
      combine(of_part, images_by_age(part), *is_unknown_, *image);
    } else {
      add_combination(of_part, images_by_age(part), *image);
    }
  }
  return true;
}

template <class L>
std::span<Field<L>> SolutionHistory<L>::images_of(int place) {
  const std::size_t parts = gram_.size();
  return std::span(images_).subspan(kept_ == Images::all ? place * parts : 0, parts);
}

template <class L>
std::array<View<L, const real>, past_solutions> SolutionHistory<L>::images_by_age(std::size_t part) const {
  std::array<View<L, const real>, past_solutions> views;
  for (int age = 0; age < past_solutions; ++age) views[age] = images_[place(age) * gram_.size() + part].view();
  return views;
}

template <class L>
std::array<View<L, const real>, past_solutions> SolutionHistory<L>::by_age() const {
  std::array<View<L, const real>, past_solutions> views;
  for (int age = 0; age < past_solutions; ++age) views[age] = x_[place(age)].view();
  return views;
}

template <class L>
void SolutionHistory<L>::keep(const Field<L>& x, const Apply& apply) {
  reserve();
  enter_products();
  newest_ = (newest_ + 1) % past_solutions;
  x_[newest_] = *is_unknown_ * x;
  compute_images(newest_, apply);
}

template <class L>
void SolutionHistory<L>::renew_images(const Apply& apply) {
  if (x_.empty()) return;
  is_unknown_.emplace(unknowns_of(space_));  // the prescribed entities may have changed, too
  for (Field<L>& x : x_) x = *is_unknown_ * x;
  for (int age = past_solutions; age-- > 0;) compute_images(place(age), apply);
}

template <class L>
void SolutionHistory<L>::compute_images(int taken, const Apply& apply) {
  enter_products();
  const std::span<Field<L>> images = images_of(taken);
  apply(x_[taken], images);
  computed_ = taken;
  if (images.size() == 1) {
    of_one_part_.emplace(begin_products<1>({std::as_const(images[0]).view()}, by_age(), x_[taken]));
  } else {
    of_two_parts_.emplace(
        begin_products<2>({std::as_const(images[0]).view(), std::as_const(images[1]).view()}, by_age(), x_[taken]));
  }
}

template <class L>
void SolutionHistory<L>::enter_products() {
  const Comm& comm = space_.mesh().comm();
  const auto enter = [&](const auto& sums) {
    for (std::size_t k = 0; k < gram_.size(); ++k) {
      for (int age = 0; age < past_solutions; ++age) {
        gram_[k][computed_][place(age)] = gram_[k][place(age)][computed_] =
            sums[static_cast<int>(k) * past_solutions + age];
      }
    }
  };
  if (of_one_part_) enter(totals(comm, of_one_part_->parts()));
  if (of_two_parts_) enter(totals(comm, of_two_parts_->parts()));
  of_one_part_.reset();
  of_two_parts_.reset();
}

template class SolutionHistory<Node>;
template class SolutionHistory<Edge>;
template class SolutionHistory<Face>;
template class SolutionHistory<Cell>;

}  // namespace solenoid
