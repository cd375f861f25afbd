/// Calls to Gmsh's library. The first of them loads it, not the start of the program: it brings some sixty libraries of
/// geometry, half of the start of every rank, and few ranks mesh.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace solenoid::gmsh {

/// Gmsh's message for a failed call. A failure without a message means that memory ran out: std::bad_alloc.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads the library before the first call, so that a measurement of the program's own memory includes it. Throws as
/// the first call does.
void load();

using Entities = std::vector<std::pair<int, int>>;  ///< dimension and number of each entity

/// Begins a session; `arguments`: Gmsh's command line, with its own name first. The user's configuration is not read.
/// Throws a failure (exit code 1) if the library cannot be loaded.
void initialize(std::vector<std::string> arguments);
void finalize();

void start_log();
void stop_log();
std::vector<std::string> log();

void set_option(const std::string& name, double value);
double number_option(const std::string& name);
std::string text_option(const std::string& name);

/// Reads a geometry or a mesh into the current model, or writes its mesh; the file name determines the format.
void merge(const std::string& file);
void write(const std::string& file);

int dimension_of_model();
Entities entities(int dimension);
Entities boundary(const Entities& entities);  ///< of each entity separately, without orientation
Entities physical_groups(int dimension);

/// Extents of the model's bounding box along the axes.
struct Extents {
  double x, y, z;
};
Extents extents_of_model();

void generate_mesh(int dimension);
void clear_mesh();

/// Nodes of the mesh: positions as consecutive x y z.
struct Nodes {
  std::vector<std::size_t> ids;
  std::vector<double> positions;
};
Nodes nodes();

/// Elements of one type of an entity: the corners of all elements in sequence.
struct Elements {
  int type = 0;
  std::vector<std::size_t> ids, nodes;
};
std::vector<Elements> elements(int dimension, int entity);

}  // namespace solenoid::gmsh
