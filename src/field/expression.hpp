/// Formulas over fields of one location, evaluated in one kernel when assigned: x = a * y - b * z + mesh.D * halo(u).
#pragma once

#include <type_traits>

#include "mesh/incidence.hpp"

namespace solenoid {

/// A formula at location L: `evaluate(Index<L>)` gives its value there, on host or device. Holds views, not fields.
template <class L, class Evaluate>
struct Expression {
  using location = L;
  Evaluate evaluate;
  SOLENOID_HD auto operator()(Index<L> i) const { return evaluate(i); }
};

/// What turns into an expression: expressions and fields (whose operand is found by argument-dependent lookup).
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
};
template <class A, class B>
struct Add {
  A a;
  B b;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return a(i) + b(i);
  }
};
template <class A, class B>
struct Subtract {
  A a;
  B b;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return a(i) - b(i);
  }
};
template <class A, class B>
struct Multiply {
  A a;
  B b;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return a(i) * b(i);
  }
};
template <class A, class B>
struct Divide {
  A a;
  B b;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return a(i) / b(i);
  }
};
template <class A>
struct Scale {
  real factor;
  A a;
  template <class L>
  SOLENOID_HD auto operator()(Index<L> i) const {
    return factor * a(i);
  }
};

/// A row of a signed incidence times the exchanged values it gathers.
template <class To, class From, class T>
struct Gather {
  IncidenceView<To, From> table;
  View<From, const T> values;
  SOLENOID_HD T operator()(Index<To> i) const {
    T sum{};
    for (const auto [j, sign, slot] : table[i]) sum += sign * values[j];
    return sum;
  }
};

template <class L, class E>
Expression<L, E> make(E e) {
  return {e};
}

}  // namespace expression

template <Operand A, Operand B>
auto operator+(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not add");
  return expression::make<location_of<A>>(expression::Add{operand(a), operand(b)});
}
template <Operand A, Operand B>
auto operator-(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not subtract");
  return expression::make<location_of<A>>(expression::Subtract{operand(a), operand(b)});
}
template <Operand A, Operand B>
auto operator*(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not multiply");
  return expression::make<location_of<A>>(expression::Multiply{operand(a), operand(b)});
}
template <Operand A, Operand B>
auto operator/(const A& a, const B& b) {
  static_assert(std::is_same_v<location_of<A>, location_of<B>>, "values of two locations do not divide");
  return expression::make<location_of<A>>(expression::Divide{operand(a), operand(b)});
}
template <Operand A>
auto operator*(real factor, const A& a) {
  return expression::make<location_of<A>>(expression::Scale<decltype(operand(a))>{factor, operand(a)});
}
template <Operand A>
auto operator-(const A& a) {
  return real{-1} * a;
}

}  // namespace solenoid
