/* What the programs that time PETSc on a matrix from a file have in common. */
#include <petscksp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 4096, most_repeats = 1000 };

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(const double* values, PetscInt count) {
  double sorted[most_repeats];
  memcpy(sorted, values, sizeof(double) * (size_t)count);
  qsort(sorted, (size_t)count, sizeof(double), compare);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* The file of the BLAS that the inner products run in; they differ by a lot. Empty where that is not known. */
static void find_blas(char* path, size_t size) {
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  path[0] = 0;
  while (maps && !path[0] && fgets(line, sizeof line, maps)) {
    const char* file = strchr(line, '/');
    const char* name = strrchr(line, '/');
    if (!file || !(strstr(name, "libblas") || strstr(name, "openblas") || strstr(name, "flexiblas") ||
                   strstr(name, "libblis") || strstr(name, "mkl_core")))
      continue;
    line[strcspn(line, "\n")] = 0;
    if (!strpbrk(file, "\"\\")) snprintf(path, size, "%s", file);
  }
  if (maps) fclose(maps);
}

/* Seconds since `start`, of the slowest rank. */
static PetscErrorCode seconds_since(double start, double* seconds) {
  const double own = MPI_Wtime() - start;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(&own, seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

static PetscErrorCode load(const char* file, Mat* matrix) {
  PetscInt rows[most_ranks], given = most_ranks, own = PETSC_DECIDE;
  PetscMPIInt rank, ranks;
  PetscBool set;
  PetscViewer viewer;
  PetscInt header[4], sum = 0; /* class, rows, columns, nonzeros */
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-rows", rows, &given, &set));
  if (set) {
    PetscCheck(given == ranks, PETSC_COMM_WORLD, PETSC_ERR_USER,
               "-rows gives %" PetscInt_FMT " numbers of rows for %d ranks", given, ranks);
    own = rows[rank];
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, file, FILE_MODE_READ, &viewer));
    PetscCall(PetscViewerBinaryRead(viewer, header, 4, NULL, PETSC_INT));
    PetscCall(PetscViewerDestroy(&viewer));
    for (PetscInt i = 0; i < given; ++i) sum += rows[i];
    PetscCheck(sum == header[1], PETSC_COMM_WORLD, PETSC_ERR_USER, /* MatLoad would crash */
               "-rows adds up to %" PetscInt_FMT ", the matrix has %" PetscInt_FMT " rows", sum, header[1]);
  }
  PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, file, FILE_MODE_READ, &viewer));
  PetscCall(MatCreate(PETSC_COMM_WORLD, matrix));
  PetscCall(MatSetSizes(*matrix, own, own, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatLoad(*matrix, viewer));
  PetscCall(PetscViewerDestroy(&viewer));
  PetscFunctionReturn(0);
}

/* Says which PETSc this is: the start of a line of JSON. */
static PetscErrorCode print_library(Mat matrix) {
  char blas[PETSC_MAX_PATH_LEN];
  PetscInt major, minor, patch, unknowns;
  PetscMPIInt ranks;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  PetscCall(MatGetSize(matrix, &unknowns, NULL));
  PetscCall(PetscGetVersionNumber(&major, &minor, &patch, NULL));
  find_blas(blas, sizeof blas);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "{\"library\":\"PETSc %" PetscInt_FMT ".%" PetscInt_FMT ".%" PetscInt_FMT
                        "\",\"debug\":%s,\"blas\":\"%s\",\"ranks\":%d,\"unknowns\":%" PetscInt_FMT ",",
                        major, minor, patch, PetscDefined(USE_DEBUG) ? "true" : "false", blas, ranks, unknowns));
  PetscFunctionReturn(0);
}
