/// Evaluation of an expression into a field, in one kernel. For files that launch kernels.
#pragma once

#include "field/field.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace expression {
template <class L, class T, class E>
struct Assign {
  View<L, T> target;
  Expression<L, E> formula;
  SOLENOID_HD void operator()(int i) const { target[Index<L>{i}] = formula(Index<L>{i}); }
  void pack(int first, int count) const {
    if (count < pack_width) {
      for (int l = 0; l < count; ++l) (*this)(first + l);
      return;
    }
    const auto values = formula.pack(Index<L>{first});
    for (int l = 0; l < pack_width; ++l) target[Index<L>{first + l}] = values.value[l];
  }
};
}  // namespace expression

template <class L, class T>
template <class E>
Field<L, T>& Field<L, T>::operator=(const Expression<L, E>& formula) {
  count_traffic(bytes_read(formula, owned()));
  count_owned(*this);
  forall(owned(), expression::Assign<L, T, E>{view(), formula});
  return *this;
}

}  // namespace solenoid
