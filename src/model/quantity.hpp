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

/// Location of the values of a quantity.
enum class ValuesAt { nodes, cells, boundary_faces };

/// The properties of a quantity that are known before there is a mesh.
struct QuantityInfo {
  std::string field;  ///< its word in `fields` of a case; several quantities may share one
  std::string name;   ///< of its array
  std::string unit;
  ValuesAt at = ValuesAt::nodes;
  int components = 1;
  std::vector<std::string> columns = {};  ///< names in tables, one per component; empty: unavailable at points
  bool on_every_line = false;             ///< included in profiles along lines, whatever `fields` says
  bool has_maximum = false;               ///< over patches, beside its integral
  bool on_patches = false;                ///< for values at nodes: also written to surfaces
  int dimension = 0;                      ///< of the meshes on which it exists; 0: any
  bool turns_in_mirror = false;   ///< a reflection changes its sign, apart from directions, as for a sense of rotation
  bool depends_on_frame = false;  ///< its components depend on axes or numbering, or it has a free constant

  bool is_shown_on_patches() const { return at == ValuesAt::boundary_faces || on_patches; }
};

/// The present values, on the device, halo included.
using Evaluated = std::variant<Field<Node>*, Field<Node, Vec3>*, Field<Cell>*, Field<Cell, Vec3>*, BoundaryField<real>*,
                               BoundaryField<Vec3>*>;

/// The present values at points, `components` reals for each point, on every rank. Collective.
using AtPoints = std::function<std::vector<real>()>;

struct Quantity {
  QuantityInfo info;
  bool takes_a_solve = false;
  std::function<Evaluated()> evaluate;                                 ///< Collective.
  std::function<AtPoints(const PointSampler& points)> at_points = {};  ///< if it has columns. Collective.
};

/// The components of each vector, one after the other.
std::vector<real> flat(const std::vector<Vec3>& vectors);

/// The components of each local entity, or of each of the mesh's boundary faces, one after the other.
std::vector<real> to_host(const Evaluated& values);

// Interpolation of fields to points: linear between the nodes of the containing cell; that cell's own value; linear
// around the cell by least squares over the cells that touch it. `points` outlive the result.
AtPoints between_nodes(const PointSampler& points, std::function<Evaluated()> evaluate);
AtPoints of_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate);
AtPoints around_the_cell(const PointSampler& points, std::function<Evaluated()> evaluate);

/// The quantity whose values are this field.
Quantity quantity_at_nodes(const QuantityInfo& info, Field<Node>& values);

/// The names of the arrays on surfaces.
std::vector<std::string> names_on_patches(const std::vector<QuantityInfo>& quantities);

/// Whether a section has means of it: one component, at nodes or in cells of any mesh, and in the tables of points.
bool has_section_mean(const QuantityInfo& info);

/// The `fields` words of a list of quantities, each once, in its order; `at_points`: those available to probes.
std::vector<std::string> field_words(const std::vector<QuantityInfo>& quantities, bool at_points);

}  // namespace solenoid
