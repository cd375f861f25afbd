/// The state of a model, array by array and number by number, for checkpoints and restarts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solve/solution_history.hpp"

namespace solenoid {

/// Reads or overwrites a state. Names are unique in a model and come in the same order on every rank.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;

  /// Owned values of a field. False if the visitor overwrites a state and has no such name: the values stay as they
  /// were.
  template <class L, class T>
  bool field(const std::string& name, Field<L, T>& values) {
    static_assert(sizeof(T) % sizeof(real) == 0, "a value is made of reals");
    return array(name, values.layout().numbering(), reinterpret_cast<real*>(values.view().data),
                 static_cast<int>(sizeof(T) / sizeof(real)));
  }
  /// Rows of `components` reals on the device, those that `numbering` says this rank owns, of a list of variable
  /// length: a number visited earlier holds the length.
  void rows(const std::string& name, const LocalNumbering& numbering, DeviceArray<real>& values, int components) {
    array(name, numbering, values.data(), components);
  }
  /// The last solutions of a system; after a restore, the caller renews their images.
  template <class L>
  void past(const std::string& name, SolutionHistory<L>& solutions) {
    for (int age = 0; age < past_solutions; ++age) field(name + "_" + std::to_string(age), solutions.solution(age));
  }
  virtual void number(const std::string& name, real& value) = 0;
  virtual void number(const std::string& name, std::int64_t& value) = 0;

  /// Numbers that are the same on every rank, any count.
  virtual void list(const std::string& name, std::vector<double>& values) = 0;

  void number(const std::string& name, int& value) { as_integer(name, value); }
  void flag(const std::string& name, bool& value) { as_integer(name, value); }

 protected:
  /// `components` reals on the device for each entity that `numbering` says this rank owns; returns the same as
  /// field().
  virtual bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) = 0;

 private:
  template <class T>
  void as_integer(const std::string& name, T& value) {
    std::int64_t integer = value;
    number(name, integer);
    value = static_cast<T>(integer);
  }
};

}  // namespace solenoid
