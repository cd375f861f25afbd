/// Meshes and partitions for the tests.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_source.hpp"
#include "mesh/partition.hpp"

namespace solenoid::test {

/// Owner of each cell of the whole mesh on so many ranks.
using Partitioner = std::function<std::vector<int>(const GlobalMesh&, int ranks)>;

std::vector<int> all_on_last_rank(const GlobalMesh& mesh, int ranks);  ///< the others own nothing
std::vector<int> one_cell_on_first_rank(const GlobalMesh& mesh, int ranks);
std::vector<int> scattered(const GlobalMesh& mesh, int ranks);  ///< every part in many pieces
struct NamedPartitioner {
  std::string name;
  Partitioner partition;
};
const std::vector<NamedPartitioner>& all_partitioners();  ///< METIS and those above
/// Of these METIS alone on one rank, all on two, and on more the two that are least like METIS; the last alone where
/// each access is checked or a loop stands in for the GPU.
std::span<const NamedPartitioner> partitioners();

/// For the whole mesh on this rank alone.
inline Comm alone() { return Comm(MPI_COMM_SELF); }

/// A mesh shared out over the ranks of `comm`, with `layers` layers of halo.
MeshPart share_out(const Comm& comm, const MeshSource& source, int layers,
                   const Partitioner& partition = partition_cells);
std::unique_ptr<LocalMesh> make_mesh(const Comm& comm, const MeshSource& source,
                                     const Partitioner& partition = partition_cells);

/// The mesh without the cells whose centroids are `removed`, dimension 2 or 3; the boundary that appears is `patch`.
MeshSource without_cells(const MeshSource& source, const std::function<bool(const Vec3&)>& removed,
                         const std::string& patch);

/// The mesh with its cells in the volume group `solid` where that holds of their centroids, else in "fluid".
MeshSource with_solid(MeshSource source, const std::function<bool(const Vec3&)>& is_solid, const std::string& solid);

/// The mesh with boundary faces in patches by the name that their centres have.
MeshSource with_patches(MeshSource source, const std::function<std::string(const Vec3& centre)>& name);

/// A mesh above y = 0 and its mirror image below it, one mesh; what stood there lies inside.
MeshSource mirrored(const MeshSource& source);

/// The unit square without its middle ninth: one hole, patches "lid", "wall" and "hole". `n` is rounded up to a
/// multiple of 3.
MeshSource square_with_hole(int n);

/// A parallelogram of n x n cells of two equilateral triangles with unit sides scaled to side `length`, all in patch
/// "wall".
MeshSource equilateral(int n, real length);

/// So many triangles in a row, the first alone a single triangle; all in patch "wall".
MeshSource strip(int triangles);

/// One tetrahedron, all in patch "wall".
MeshSource single_tetrahedron();

/// The values of all ranks by global id, on every rank.
template <class L>
std::vector<real> gather(const Field<L>& field) {
  const LocalNumbering& numbering = field.layout().numbering();
  std::vector<real> all(numbering.global_count, 0);
  const std::vector<real> own = field.to_host();
  for (int i = 0; i < field.owned(); ++i) all[numbering.global_id[i]] = own[i];
  field.layout().comm().sum(std::span<real>(all));
  return all;
}

/// A number in (-1, 1) that depends on the id alone.
real value_of(std::int64_t id, int salt = 0);

/// A field of such numbers, the same on any partition.
template <class L>
Field<L> scattered_field(const LocalMesh& mesh, int salt = 0) {
  Field<L> field(mesh);
  std::vector<real> values;
  for (int i = 0; i < field.owned(); ++i) values.push_back(value_of(mesh.numbering<L>().global_id[i], salt));
  field.from_host(values);
  return field;
}

/// A field of function values f(position) at nodes (edges in 2D), cells or faces.
template <class L, class F>
Field<L> sampled_field(const LocalMesh& mesh, const F& f) {
  Field<L> field(mesh);
  std::vector<real> values;
  for (int i = 0; i < field.owned(); ++i) {
    if constexpr (std::is_same_v<L, Cell>) {
      values.push_back(f(mesh.geometry().cell_centre[i]));
    } else if constexpr (std::is_same_v<L, Face>) {
      values.push_back(f(mesh.geometry().face_centre[i]));
    } else {
      values.push_back(f(mesh.part().points[i]));
    }
  }
  field.from_host(values);
  return field;
}

/// Fluxes U_f = u.n A_f of a constant velocity.
Field<Face> constant_flux(const LocalMesh& mesh, const Vec3& velocity);

/// Areas of the patches by name [m^2], in the plane lengths [m].
std::map<std::string, real> areas_of_patches(const MeshSource& mesh);

}  // namespace solenoid::test
