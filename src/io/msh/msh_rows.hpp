/// A binary .msh file read by all ranks together, none of which ever holds the whole mesh.
#pragma once

#include <filesystem>
#include <string>

#include "base/comm.hpp"
#include "io/msh/msh_mesh.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Why read_msh_rows() cannot read `file`, such as "it is a text file"; empty: it can. Rank 0 reads the first lines of
/// sections and blocks, the text of the answer is on every rank. Collective. Throws an input error for a file whose
/// headers check_msh() refuses. `name`: the file in messages.
std::string obstacle_to_rows(const Comm& comm, const std::filesystem::path& file, const std::string& name);

/// The mesh of a binary file of format 4.1 of points, lines, triangles and tetrahedra in rows: points, cells and
/// boundary faces of a rank are its even share, those from n * rank / ranks on, of what check_msh() and
/// mesh_of_records() make on one rank, in the same order; `cells` and `boundary_faces` have the indices of points in
/// the whole table. Dimension, regions, patches and name are the same on every rank. Each rank reads its share of the
/// nodes and elements, and needs memory for about that.
///
/// Collective. Refuses what these functions refuse, with a collective input error, and more than 2^31 - 1 points.
MeshSource read_msh_rows(const Comm& comm, const std::filesystem::path& file, const LengthUnits& unit,
                         const std::string& name);

}  // namespace solenoid
