/// Expressions of fields at one location, evaluated in one kernel when assigned: x = a * y - b * z + mesh.D * halo(u).
#pragma once

#include <functional>
#include <type_traits>

#include "field/kernel_traffic.hpp"
#include "mesh/incidence.hpp"
#include "parallel/scalar.hpp"

namespace solenoid {

/// A formula at location L: `evaluate(Index<L>)` returns its value there, on host or device. The optional
/// `evaluate.pack(first)` returns the same values at pack_width consecutive entities, faster on a CPU. The optional
/// `evaluate.tell(arrays, count)` adds the arrays read for `count` entities. Stores views, not fields.
template <class L, class Evaluate>
struct Expression {
  using location = L;
  Evaluate evaluate;
  SOLENOID_HD auto operator()(Index<L> i) const { return evaluate(i); }
  auto pack(Index<L> first) const {
    if constexpr (requires { evaluate.pack(first); }) {
      return evaluate.pack(first);
    } else {
      Pack<decltype(evaluate(first))> result;
      for (int l = 0; l < pack_width; ++l) result.value[l] = evaluate(Index<L>{first.value + l});
      return result;
    }
  }
  void tell(ArraysRead& arrays, int count) const {
    if constexpr (requires { evaluate.tell(arrays, count); }) evaluate.tell(arrays, count);
  }
};

/// Memory traffic of a kernel that evaluates `formula` at the first `count` entities [bytes].
template <class L, class E>
std::int64_t bytes_read(const Expression<L, E>& formula, int count) {
  ArraysRead arrays;
  formula.tell(arrays, count);
  return arrays.bytes();
}

/// Conversion of operands to expressions: expressions, and fields (through argument-dependent lookup).
template <class L, class E>
Expression<L, E> operand(const Expression<L, E>& e) {
  return e;
}
template <class T>
concept Operand = requires(const T& x) {
  operand(x);
};
template <Operand T>
using location_of = typename decltype(operand(std::declval<const T&>()))::location;

namespace expression {

template <class L, class T>
struct Read {
  const T* data;
  SOLENOID_HD T operator()(Index<L> i) const { return data[i.value]; }
  Pack<T> pack(Index<L> first) const {
    Pack<T> result;
    for (int l = 0; l < pack_width; ++l) result.value[l] = data[first.value + l];
    return result;
  }
  void tell(ArraysRead& arrays, int count) const { arrays.add(data, static_cast<std::int64_t>(sizeof(T)) * count); }
};

/// operation(a, b).
template <class Operation, class A, class B>
struct Binary {
  A a;
  B b;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return Operation()(a(i), b(i));
  }
  template <class L>
  auto pack(Index<L> first) const {
    const auto of_a = a.pack(first);
    const auto of_b = b.pack(first);
    Pack<decltype(Operation()(of_a.value[0], of_b.value[0]))> result;
    for (int l = 0; l < pack_width; ++l) result.value[l] = Operation()(of_a.value[l], of_b.value[l]);
    return result;
  }
  void tell(ArraysRead& arrays, int count) const {
    a.tell(arrays, count);
    b.tell(arrays, count);
  }
};
template <class Factor, class A>
struct Scale {
  Factor factor;
  A a;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return factor * a(i);
  }
  template <class L>
  auto pack(Index<L> first) const {
    const auto of_a = a.pack(first);
    Pack<decltype(factor * of_a.value[0])> result;
    for (int l = 0; l < pack_width; ++l) result.value[l] = factor * of_a.value[l];
    return result;
  }
  void tell(ArraysRead& arrays, int count) const { a.tell(arrays, count); }
};

/// A row of a signed incidence times the exchanged values.
template <class To, class From, class T>
struct Gather {
  IncidenceView<To, From> table;
  SlicedIncidenceView sliced;
  View<From, const T> values;
  std::int64_t bytes_of_table, bytes_of_values;
  SOLENOID_HD T operator()(Index<To> i) const {
    T sum{};
    for (const auto [j, sign, slot] : table[i]) sum += static_cast<FactorOf<T>>(sign) * values[j];
    return sum;
  }
  Pack<T> pack(Index<To> first) const { return sliced.sums(values.data, first.value); }
  void tell(ArraysRead& arrays, int) const {
    arrays.add(table.code, bytes_of_table);
    arrays.add(values.data, bytes_of_values);
  }
};

template <class L, class E>
Expression<L, E> make(E e) {
  return {e};
}
template <class Operation, class A, class B>
Binary<Operation, A, B> binary(const A& a, const B& b) {
  return {a, b};
}

}  // namespace expression

template <Operand A, Operand B>
auto operator+(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not add");
  return expression::make<location_of<A>>(expression::binary<std::plus<>>(operand(a), operand(b)));
}
template <Operand A, Operand B>
auto operator-(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not subtract");
  return expression::make<location_of<A>>(expression::binary<std::minus<>>(operand(a), operand(b)));
}
template <Operand A, Operand B>
auto operator*(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not multiply");
  return expression::make<location_of<A>>(expression::binary<std::multiplies<>>(operand(a), operand(b)));
}
template <Operand A, Operand B>
auto operator/(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not divide");
  return expression::make<location_of<A>>(expression::binary<std::divides<>>(operand(a), operand(b)));
}
/// Not by a constraint, which clang 14 checks only after it has formed the operator, with numbers alone too.
template <class A, class = std::enable_if_t<Operand<A>>>
auto operator*(real factor, const A& a) {
  using Factor = FactorOf<std::decay_t<decltype(operand(a)(Index<location_of<A>>{}))>>;
  return expression::make<location_of<A>>(
      expression::Scale<Factor, decltype(operand(a))>{static_cast<Factor>(factor), operand(a)});
}
template <Operand A>
auto operator*(const Scalar<>& factor, const A& a) {
  using Factor = Scalar<FactorOf<std::decay_t<decltype(operand(a)(Index<location_of<A>>{}))>>>;
  return expression::make<location_of<A>>(expression::Scale<Factor, decltype(operand(a))>{Factor(factor), operand(a)});
}
template <Operand A>
auto operator-(const A& a) {
  return real{-1} * a;
}

}  // namespace solenoid
