/// What the history of a model tells after a step.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "model/model.hpp"

namespace solenoid::test {

/// The number in this column; a failure and 0 where there is none.
inline real figure_of(Model& model, const std::string& name) {
  for (const HistoryColumn& column : model.history()) {
    if (column.name == name) return static_cast<real>(std::get<double>(column.value()));
  }
  ADD_FAILURE() << "no column " << name;
  return 0;
}

}  // namespace solenoid::test
