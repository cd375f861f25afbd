"""Steady heat conduction with P1 in dolfinx, solved by PETSc's CG. Run by tools/compare/heat:

mpirun -n RANKS python3 heat_dolfinx.py MESH.msh FOLDER CONDUCTIVITY TOLERANCE PRECONDITIONER HOT COLD

HOT, COLD: the numbers of the two parts of the boundary that are held at 1 and at 0. Leaves FOLDER/temperature.pvd and
FOLDER/result.json. As in Solenoid the temperature is counted from the middle, 0.5, and nodes where it is held are no
unknowns: PETSc's are 0 there, so that norms are those of the reduced system.
"""

import json
import sys
import time
from pathlib import Path

import dolfinx
import numpy as np
import ufl
from dolfinx import cpp, fem, io, mesh
from mpi4py import MPI
from petsc4py import PETSc

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from comparing import meshes  # noqa: E402

COMM = MPI.COMM_WORLD


def now():
    COMM.Barrier()
    return time.perf_counter()


def distributed_mesh(path):
    """The mesh and its boundary parts, read by rank 0."""
    if COMM.rank == 0:
        body = meshes.read(Path(path))
        points, tetrahedra = body.points, body.tetrahedra
        triangles = np.concatenate(list(body.patches.values()))
        parts = np.repeat(np.array(list(body.numbers.values()), dtype=np.int32), list(map(len, body.patches.values())))
    else:
        points, tetrahedra = np.empty((0, 3)), np.empty((0, 4), dtype=np.int64)
        triangles, parts = np.empty((0, 3), dtype=np.int64), np.empty(0, dtype=np.int32)
    element = ufl.Mesh(ufl.VectorElement("Lagrange", "tetrahedron", 1))
    body = mesh.create_mesh(COMM, tetrahedra, points, element)
    dimension = body.topology.dim
    body.topology.create_connectivity(dimension - 1, dimension)
    entities, values = io.utils.distribute_entity_data(body, dimension - 1, triangles, parts)
    body.topology.create_connectivity(dimension - 1, 0)
    boundary = mesh.meshtags_from_entities(body, dimension - 1, cpp.graph.AdjacencyList_int32(entities), values)
    return body, boundary


def solver_for(matrix, preconditioner, tolerance):
    """CG with a stopping criterion on the norm of b - A x itself, as in Solenoid."""
    solver = PETSc.KSP().create(COMM)
    solver.setType(PETSc.KSP.Type.CG)
    solver.getPC().setType(preconditioner)
    solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    solver.setTolerances(rtol=tolerance, atol=0, divtol=1e100, max_it=100000)
    solver.setOperators(matrix)
    solver.setFromOptions()
    solver.setUp()
    return solver


def heat_into_nodes(form):
    """Heat into each node [W] that keeps the temperature steady."""
    heat = fem.petsc.assemble_vector(form)
    heat.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
    return heat


def main(file, folder, conductivity, tolerance, preconditioner, hot, cold):
    start = now()
    body, boundary = distributed_mesh(file)
    read_seconds = now() - start

    start = now()
    space = fem.FunctionSpace(body, ("Lagrange", 1))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    conduction = PETSc.ScalarType(conductivity) * ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx
    on_hot = fem.locate_dofs_topological(space, 2, boundary.find(hot))
    on_cold = fem.locate_dofs_topological(space, 2, boundary.find(cold))
    held = [fem.dirichletbc(PETSc.ScalarType(0), dofs, space) for dofs in (on_hot, on_cold)]
    temperature = fem.Function(space, name="temperature")
    temperature.x.array[on_hot] = 0.5
    temperature.x.array[on_cold] = -0.5
    temperature.x.scatter_forward()
    heat_form = fem.form(ufl.action(conduction, temperature))
    matrix = fem.petsc.assemble_matrix(fem.form(conduction), bcs=held)
    matrix.assemble()
    b = heat_into_nodes(heat_form)
    b.scale(-1)
    fem.petsc.set_bc(b, held)
    setup_seconds = now() - start

    start = now()
    solver = solver_for(matrix, preconditioner, tolerance)
    preconditioner_seconds = now() - start

    x = matrix.createVecRight()
    start = now()
    solver.solve(b, x)
    solve_seconds = now() - start
    if solver.getConvergedReason() <= 0:
        raise SystemExit(f"PETSc's CG did not converge: reason {solver.getConvergedReason()}")

    residual = (b - matrix * x).norm() / b.norm()
    temperature.vector.axpy(1, x)
    temperature.vector.shift(0.5)
    temperature.x.scatter_forward()
    heat = heat_into_nodes(heat_form)
    own = space.dofmap.index_map.size_local
    flows = [COMM.allreduce(heat.array_r[dofs[dofs < own]].sum()) for dofs in (on_hot, on_cold)]
    start = now()
    with io.VTKFile(COMM, f"{folder}/temperature.pvd", "w") as output:
        output.write_function(temperature)
    output_seconds = now() - start
    if COMM.rank == 0:
        version = "dolfinx {}, PETSc {}.{}.{}".format(dolfinx.__version__, *PETSc.Sys.getVersion())
        result = {"unknowns": space.dofmap.index_map.size_global, "iterations": solver.getIterationNumber(),
                  "hot": flows[0], "cold": flows[1], "relative_residual": residual, "read_seconds": read_seconds,
                  "setup_seconds": setup_seconds, "preconditioner_seconds": preconditioner_seconds,
                  "solve_seconds": solve_seconds, "output_seconds": output_seconds, "library": version}
        Path(folder, "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:3], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5], int(sys.argv[6]), int(sys.argv[7]))
