/* PETSc's conjugate gradients with a multigrid preconditioner on a matrix from a file: set up and solved to a
   tolerance. One line of JSON on standard output. tools/compare/petsc compiles and runs this.

   petsc_multigrid -matrix FILE [-rows N0,N1,...] [-definite] [-preconditioner gamg|boomeramg] [-tolerance T] [-repeats N]

   -rows: rows of each rank (PETSc's own choice if not given). -definite: the matrix is; otherwise it is singular, and
   constants are its null space. The right-hand side has random values, of mean zero unless the matrix is definite, so
   all frequencies. The tolerance is against the residual itself. Each repeat sets up and solves anew, and one before
   them is left out. Other options are PETSc's own, such as -pc_gamg_threshold. */
#include "petsc_measure.h"

static PetscErrorCode prepare(KSP ksp, Mat matrix, const char* name, PetscReal tolerance) {
  PC pc;
  PetscBool is_gamg, is_boomeramg;
  PetscFunctionBeginUser;
  PetscCall(PetscStrcmp(name, "gamg", &is_gamg));
  PetscCall(PetscStrcmp(name, "boomeramg", &is_boomeramg));
  PetscCheck(is_gamg || is_boomeramg, PETSC_COMM_WORLD, PETSC_ERR_USER,
             "-preconditioner %s: expected gamg or boomeramg", name);
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  if (is_gamg) {
    PetscCall(PCSetType(pc, PCGAMG));
  } else {
#ifdef PETSC_HAVE_HYPRE
    PetscCall(PCSetType(pc, PCHYPRE));
    PetscCall(PCHYPRESetType(pc, "boomeramg"));
#else
    SETERRQ(PETSC_COMM_WORLD, PETSC_ERR_SUP, "this PETSc was built without hypre");
#endif
  }
  PetscCall(KSPSetOperators(ksp, matrix, matrix));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, tolerance, 0, PETSC_MAX_REAL, 1000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode measure(void) {
  char file[PETSC_MAX_PATH_LEN], name[32] = "gamg";
  PetscReal tolerance = 1e-8, of_b, of_r;
  PetscInt repeats = 3, iterations = 0;
  PetscBool set, definite = PETSC_FALSE;
  Mat matrix;
  MatNullSpace constants;
  PetscRandom random;
  Vec x, b, r;
  double set_up[most_repeats], solve[most_repeats];

  PetscFunctionBeginUser;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-matrix", file, sizeof file, &set));
  PetscCheck(set, PETSC_COMM_WORLD, PETSC_ERR_USER, "-matrix FILE is missing");
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-definite", &definite, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-preconditioner", name, sizeof name, NULL));
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-tolerance", &tolerance, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeats", &repeats, NULL));
  PetscCheck(repeats > 0 && repeats <= most_repeats, PETSC_COMM_WORLD, PETSC_ERR_USER, "-repeats: expected 1 to %d",
             most_repeats);
  PetscCall(load(file, &matrix));
  PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constants));
  if (!definite) PetscCall(MatSetNullSpace(matrix, constants)); /* without it GAMG takes half as many iterations again */
  PetscCall(MatSetNearNullSpace(matrix, constants));
  PetscCall(MatCreateVecs(matrix, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  PetscCall(VecSetRandom(b, random));
  PetscCall(PetscRandomDestroy(&random));
  if (!definite) PetscCall(MatNullSpaceRemove(constants, b));

  for (PetscInt i = -1; i < repeats; ++i) {
    KSP ksp;
    KSPConvergedReason reason;
    double start, seconds;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(prepare(ksp, matrix, name, tolerance));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    start = MPI_Wtime();
    PetscCall(KSPSetUp(ksp));
    PetscCall(seconds_since(start, &seconds));
    if (i >= 0) set_up[i] = seconds;
    start = MPI_Wtime();
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(seconds_since(start, &seconds));
    if (i >= 0) solve[i] = seconds;
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "PETSc's CG with %s ended by %s", name,
               KSPConvergedReasons[reason]);
    PetscCall(KSPDestroy(&ksp));
  }
  PetscCall(MatResidual(matrix, b, x, r));
  PetscCall(VecNorm(b, NORM_2, &of_b));
  PetscCall(VecNorm(r, NORM_2, &of_r));
  PetscCall(print_library(matrix));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "\"preconditioner\":\"%s\",\"iterations\":%" PetscInt_FMT
                        ",\"relative_residual\":%.6e,\"set_up_seconds\":%.9e,\"solve_seconds\":%.9e}\n",
                        name, iterations, (double)(of_r / of_b), median(set_up, repeats), median(solve, repeats)));

  PetscCall(MatNullSpaceDestroy(&constants));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&r));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, "Times PETSc's CG with multigrid on a matrix from a file.\n"));
  PetscCall(measure());
  PetscCall(PetscFinalize());
  return 0;
}
