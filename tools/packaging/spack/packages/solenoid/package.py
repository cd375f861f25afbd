"""Solenoid for Spack: builds the source tree that this repository of recipes lies in."""

from pathlib import Path

from spack.package import *

SOURCE = Path(__file__).resolve().parents[5]


class Solenoid(CMakePackage, CudaPackage):
    """Incompressible flow, heat conduction and waves on unstructured meshes of triangles or tetrahedra, with MPI, on CPU
    cores or one NVIDIA GPU a rank."""

    homepage = SOURCE.as_uri()
    git = SOURCE.as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("files", default=True, description="Read cases and meshes and write results: Gmsh, VTK, HDF5, toml++, muParser")
    variant("hypre", default=True, description="Offer hypre's BoomerAMG as a preconditioner")
    conflicts("cuda_arch=none", when="+cuda", msg="say which GPUs: cuda_arch=90 for H100 and H200")
    conflicts("%gcc@:11", msg="C++20 as of GCC 12")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    generator("ninja")

    depends_on("mpi")
    depends_on("metis@5.1: ~int64")
    depends_on("fmt")
    depends_on("eigen@3.4:")
    depends_on("nlohmann-json")
    depends_on("cli11@2.1:")
    depends_on("hypre+mpi~bigint~mixedint", when="+hypre")
    depends_on("cuda@12:", when="+cuda")
    with when("+files"):
        depends_on("gmsh+shared", type=("build", "link", "run"))
        depends_on("hdf5+mpi")
        depends_on("muparser@2.3:")
        depends_on("tomlplusplus")
        depends_on("vtk@9.1:")
        depends_on("zlib-api")

    def cmake_args(self):
        arguments = [
            self.define("SOLENOID_TESTS", False),
            self.define("SOLENOID_HDF5", "hdf5"),  # pkg-config's name of it here
            self.define("SOLENOID_CPU", self.spec.target.generic.name.replace("_", "-")),  # x86-64-v3, for one
            self.define("SOLENOID_HYPRE", "ON" if "+hypre" in self.spec else "OFF"),
            self.define_from_variant("SOLENOID_FILES", "files"),
            self.define_from_variant("SOLENOID_CUDA", "cuda"),
        ]
        if "+cuda" in self.spec:
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments
