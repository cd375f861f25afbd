/// A session of Gmsh: its options, its errors, its warnings.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/gmsh/gmsh_process.hpp"

namespace solenoid {

/// Initialises Gmsh, silent and without the user's configuration, and finalises it at the end. One at a time.
class GmshSession {
 public:
  /// `size`: the constant `lc` of the .geo files opened.
  explicit GmshSession(const std::optional<double>& size = {});
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;
};

/// Runs calls to Gmsh; an exception other than Error becomes an input error: "<file>: <failure>: <reason>". If memory
/// runs out: exit code 1.
void ask_gmsh(const std::string& file, const std::string& failure, const std::function<void()>& calls);

/// Discards Gmsh's warnings so far.
void forget_warnings();

/// Passes on the first few of Gmsh's warnings, and discards all.
void say_warnings(const GmshReports& reports);

}  // namespace solenoid
