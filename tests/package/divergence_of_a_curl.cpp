/// The divergence of a curl is zero: a program that uses Solenoid's mesh, fields and diagnostics from outside.
#include <cstdio>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_source.hpp"
#include "mesh/partition.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

using namespace solenoid;

int main(int argc, char** argv) {
  MpiSession mpi(argc, argv);
  const Comm comm;

  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  if (comm.is_root()) {
    whole = build_topology(unit_square(16));
    owner = partition_cells(*whole, comm.size());
  }
  const LocalMesh mesh(comm, distribute(comm, whole, owner, 1));

  Field<Edge> potential(mesh);
  std::vector<real> values;
  for (int i = 0; i < mesh.owned<Edge>(); ++i) values.push_back(mesh.numbering<Edge>().global_id[i] * 7 % 13);
  potential.from_host(values);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);

  const real largest = max_magnitude(flux), divergence = max_divergence(flux);
  if (comm.is_root()) {
    std::printf("%d cells, %d ranks: largest flux %g, largest divergence %g\n",
                static_cast<int>(mesh.global_count<Cell>()), comm.size(), largest, divergence);
  }
}
