/// Calls to Gmsh's library. The first of them loads it, not the start of the program: it brings some sixty libraries of
/// geometry, half of the start of every rank, and one process meshes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace solenoid::gmsh {

/// Gmsh's message for a failed call. A failure without a message, or that says so, means that memory ran out:
/// std::bad_alloc.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Name and size of the library's file, which tell its versions apart without loading it; empty if it is not where it
/// was at the build.
std::string library_file();

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
/// With negative numbers where the boundary has the other orientation than its own.
Entities oriented_boundary(const Entities& entities);
Entities physical_groups(int dimension);

/// Extents of the model's bounding box along the axes.
struct Extents {
  double x, y, z;
};
Extents extents_of_model();

void generate_mesh(int dimension);
void clear_mesh();

/// Upper bound of the edge lengths at a point of an entity, asked for while a mesh is generated, and dropped at the end
/// of the session; nothing: none.
using SizeCallback = std::function<double(int dimension, int entity, double x, double y, double z)>;
void set_size_callback(SizeCallback callback);

/// Makes a physical group; an empty name: it has its number alone.
void add_physical_group(int dimension, const std::vector<int>& entities, int number, const std::string& name);

/// Text options.
void set_text_option(const std::string& name, const std::string& value);

/// Shapes of OpenCASCADE.
namespace occ {
/// Reads a file, `format`: "step", "iges" or "brep"; those of the highest dimension in it.
Entities import(const std::string& file, const std::string& format);
/// Makes the shapes meet in common faces, and returns those of their dimensions.
Entities fragments(const Entities& shapes);
/// What remains of `from` without `shapes`, which stay, as do the numbers of their faces in the remainder.
Entities cut(const Entities& from, const Entities& shapes);
int add_box(const std::array<double, 3>& low, const std::array<double, 3>& high);
int add_rectangle(const std::array<double, 3>& low, const std::array<double, 3>& high);  ///< in the plane z = low[2]
void remove(const Entities& shapes);  ///< with those of their faces, edges and corners that no other shape has
void synchronize();                   ///< shows the shapes to the model
double mass(int dimension, int entity);
}  // namespace occ

/// Red, green, blue of an entity, if its file colours it.
std::optional<std::array<int, 3>> colour(int dimension, int entity);
std::string type(int dimension, int entity);
/// Nearest point of a surface or curve to a place.
std::array<double, 3> closest_point(int dimension, int entity, const std::array<double, 3>& place);
/// Entities one dimension higher than this one that it bounds.
std::vector<int> bounded_by(int dimension, int entity);

/// Surfaces that are triangles alone.
namespace discrete {
/// Adds an entity with these elements between nodes, which are numbered from 1; the first has the `positions`.
int add(int dimension, const std::vector<double>& positions, const std::vector<std::size_t>& elements);
/// Divides all triangles along the lines there are, and makes each surface one that can be meshed anew.
void make_surfaces();
/// A volume inside each surface loop: the first outside, others cavities of it.
int add_volume(const std::vector<std::vector<int>>& shells);
}  // namespace discrete

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
