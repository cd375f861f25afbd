/// Calls to Gmsh's library. The first of them loads it, not the start of the program: it brings some sixty libraries of
/// geometry, half of the start of every rank, and few ranks mesh.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace solenoid::gmsh {

/// What Gmsh says of a call that fails. Where it has no words for it, memory ran out: std::bad_alloc.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads the library before its first call does, for those who ask what memory the program takes. Throws as that does.
void load();

using Entities = std::vector<std::pair<int, int>>;  ///< dimension and number of each

/// Begins a session; `arguments` are those of Gmsh's command line, its own name first. The user's configuration is not
/// read. Throws a failure, exit code 1, where the library cannot be loaded.
void initialize(std::vector<std::string> arguments);
void finalize();

void start_log();
void stop_log();
std::vector<std::string> log();

void set_option(const std::string& name, double value);
double number_option(const std::string& name);
std::string text_option(const std::string& name);

/// Reads a geometry or a mesh into the current model, or writes its mesh; the format follows from the file's name.
void merge(const std::string& file);
void write(const std::string& file);

int dimension_of_model();
Entities entities(int dimension);
Entities boundary(const Entities& entities);  ///< of each by itself, without orientation
Entities physical_groups(int dimension);
std::string physical_name(int dimension, int group);  ///< empty: it has none
std::vector<int> entities_of_group(int dimension, int group);

/// Of the box around the model, along the axes.
struct Extents {
  double x, y, z;
};
Extents extents_of_model();

void generate_mesh(int dimension);
void clear_mesh();

/// The nodes of the mesh: positions x y z one after another.
struct Nodes {
  std::vector<std::size_t> ids;
  std::vector<double> positions;
};
Nodes nodes();

/// The elements of an entity that have the same type: the corners of each one after another.
struct Elements {
  int type = 0;
  std::vector<std::size_t> ids, nodes;
};
std::vector<Elements> elements(int dimension, int entity);

}  // namespace solenoid::gmsh
