/// Quantities of a model: fields, surfaces, lines and probes all take their values from these.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "field/boundary_field.hpp"
#include "field/field.hpp"

namespace solenoid {

class PointSampler;

/// Where the values of a quantity are.
enum class ValuesAt { nodes, cells, boundary_faces };

/// What is known of a quantity before there is a mesh.
struct QuantityInfo {
  std::string field;  ///< the word for it in `fields` of a case; several quantities may share one
  std::string name;   ///< of its array
  std::string unit;
  ValuesAt at = ValuesAt::nodes;
  int components = 1;
  std::vector<std::string> columns = {};  ///< its name in tables, one per component; empty: not to be had at points
  bool on_every_line = false;             ///< profiles along lines have it whatever fields are asked for
  bool on_patches = false;                ///< of nodes: the surfaces show it, too
  int dimension = 0;                      ///< of the meshes that have it; 0: any
  bool turns_in_mirror = false;           ///< its sign does beside that of directions, as the sense of a rotation does
  bool depends_on_frame = false;          ///< axes or the mesh's numbering choose its components, or a constant of it

  bool is_shown_on_patches() const { return at == ValuesAt::boundary_faces || on_patches; }
};

/// Its values now, on the device, halo included.
using Evaluated = std::variant<Field<Node>*, Field<Node, Vec3>*, Field<Cell>*, Field<Cell, Vec3>*, BoundaryField<real>*,
                               BoundaryField<Vec3>*>;

/// Its values at points, `components` reals for each of them, on every rank. Collective.
using AtPoints = std::function<std::vector<real>()>;

struct Quantity {
  QuantityInfo info;
  bool takes_a_solve = false;
  std::function<Evaluated()> evaluate;                                 ///< Collective.
  std::function<AtPoints(const PointSampler& points)> at_points = {};  ///< where it has columns. Collective.
};

/// The components of each vector, one after the other.
std::vector<real> flat(const std::vector<Vec3>& vectors);

/// The components of each local entity, or of each of the mesh's boundary faces, one after the other.
std::vector<real> to_host(const Evaluated& values);

// How fields are read at points: linear between the nodes of the cell that holds the point; that cell's own value;
// linear around the cell by least squares over the cells that touch it. `points` outlive the result.
AtPoints between_nodes(const PointSampler& points, std::function<Evaluated()> evaluate);
AtPoints of_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate);
AtPoints around_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate);

/// The names of the arrays that surfaces show.
std::vector<std::string> names_on_patches(const std::vector<QuantityInfo>& quantities);

/// The words for fields that a list of quantities has, each once, in its order; `at_points`: those that probes take.
std::vector<std::string> field_words(const std::vector<QuantityInfo>& quantities, bool at_points);

}  // namespace solenoid
