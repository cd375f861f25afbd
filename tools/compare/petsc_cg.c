/* PETSc's conjugate gradients with the Jacobi preconditioner on a matrix from a file, timed for a fixed number of
   iterations. One line of JSON on standard output. tools/compare/petsc compiles and runs this.

   petsc_cg -matrix FILE [-rows N0,N1,...] [-iterations N] [-repeats N] [-norm preconditioned|natural]

   -rows: rows of each rank (PETSc's own choice if not given). The right-hand side is A x with random x, so a singular
   matrix has a solution too. One solve before the timed ones is left out. */
#include "petsc_measure.h"

/* b = A x with x random in [0, 1), the same in every run on as many ranks. */
static PetscErrorCode right_side(Mat matrix, Vec x, Vec b) {
  PetscRandom random;
  PetscMPIInt rank;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  PetscCall(PetscRandomSetSeed(random, 20250101 + (unsigned long)rank));
  PetscCall(PetscRandomSeed(random));
  PetscCall(VecSetRandom(x, random));
  PetscCall(PetscRandomDestroy(&random));
  PetscCall(MatMult(matrix, x, b));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(KSP ksp, Vec b, Vec x, PetscInt iterations, double* seconds) {
  PetscInt done;
  KSPConvergedReason reason;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  const double start = MPI_Wtime();
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(seconds_since(start, seconds));
  PetscCall(KSPGetIterationNumber(ksp, &done));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCheck(done == iterations && reason == KSP_DIVERGED_ITS, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED,
             "PETSc's CG ended after %" PetscInt_FMT " of %" PetscInt_FMT
             " iterations (%s): ask for fewer, or take a finer mesh",
             done, iterations, KSPConvergedReasons[reason]);
  PetscFunctionReturn(0);
}

static PetscErrorCode measure(void) {
  char file[PETSC_MAX_PATH_LEN], norm_name[32] = "preconditioned";
  PetscInt iterations = 100, repeats = 5, unknowns;
  PetscBool set, natural, preconditioned;
  Mat matrix;
  Vec x, b, r;
  KSP ksp;
  PC pc;
  double start, load_seconds, set_up_seconds, seconds, per_iteration[most_repeats];
  PetscReal of_b, of_r;

  PetscFunctionBeginUser;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-matrix", file, sizeof file, &set));
  PetscCheck(set, PETSC_COMM_WORLD, PETSC_ERR_USER, "-matrix FILE is missing");
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &iterations, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeats", &repeats, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-norm", norm_name, sizeof norm_name, NULL));
  PetscCall(PetscStrcmp(norm_name, "natural", &natural));
  PetscCall(PetscStrcmp(norm_name, "preconditioned", &preconditioned));
  PetscCheck(natural || preconditioned, PETSC_COMM_WORLD, PETSC_ERR_USER,
             "-norm %s: expected preconditioned or natural", norm_name);
  PetscCheck(iterations > 0, PETSC_COMM_WORLD, PETSC_ERR_USER, "-iterations: expected more than 0");
  PetscCheck(repeats > 0 && repeats <= most_repeats, PETSC_COMM_WORLD, PETSC_ERR_USER, "-repeats: expected 1 to %d",
             most_repeats);

  start = MPI_Wtime();
  PetscCall(load(file, &matrix));
  PetscCall(seconds_since(start, &load_seconds));
  PetscCall(MatGetSize(matrix, &unknowns, NULL));
  PetscCall(MatCreateVecs(matrix, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(right_side(matrix, x, b));

  start = MPI_Wtime();
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetOperators(ksp, matrix, matrix));
  PetscCall(KSPSetNormType(ksp, natural ? KSP_NORM_NATURAL : KSP_NORM_PRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, 0, 0, PETSC_MAX_REAL, iterations));
  PetscCall(KSPSetUp(ksp));
  PetscCall(seconds_since(start, &set_up_seconds));

  PetscCall(solve(ksp, b, x, iterations, &seconds));
  for (PetscInt i = 0; i < repeats; ++i) {
    PetscCall(solve(ksp, b, x, iterations, &seconds));
    per_iteration[i] = seconds / (double)iterations;
  }
  PetscCall(MatResidual(matrix, b, x, r));
  PetscCall(VecNorm(b, NORM_2, &of_b));
  PetscCall(VecNorm(r, NORM_2, &of_r));

  PetscCall(print_library(matrix));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "\"iterations\":%" PetscInt_FMT
                        ",\"norm\":\"%s\",\"relative_residual\":%.6e,\"load_seconds\":%.6e,\"set_up_seconds\":%.6e,"
                        "\"seconds_per_iteration\":[",
                        iterations, norm_name, (double)(of_r / of_b), load_seconds, set_up_seconds));
  for (PetscInt i = 0; i < repeats; ++i)
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s%.9e", i ? "," : "", per_iteration[i]));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "],\"seconds_per_unknown\":%.9e}\n",
                        median(per_iteration, repeats) / (double)unknowns));

  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&r));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, "Times PETSc's CG with Jacobi on a matrix from a file.\n"));
  PetscCall(measure());
  PetscCall(PetscFinalize());
  return 0;
}
