#include "solve/boomeramg.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>

#include <array>
#include <limits>
#include <numeric>
#include <type_traits>

#include "mesh/host_exchange.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

namespace hypre {

/// hypre's lifetime, from its first user to its last: it must end before MPI.
struct Session {
  Session() {
    HYPRE_Init();
    HYPRE_SetMemoryLocation(HYPRE_MEMORY_HOST);  // even if hypre supports a device
    HYPRE_SetExecutionPolicy(HYPRE_EXEC_HOST);
  }
  ~Session() { HYPRE_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  static std::shared_ptr<Session> shared() {
    static std::weak_ptr<Session> current;
    std::shared_ptr<Session> session = current.lock();
    if (!session) current = session = std::make_shared<Session>();
    return session;
  }
};

/// A communicator for hypre alone, which receives from any rank: no other messages may arrive on it.
struct Ranks {
  MPI_Comm handle;
  explicit Ranks(const Comm& comm) { MPI_Comm_dup(comm.handle(), &handle); }
  ~Ranks() { MPI_Comm_free(&handle); }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
};

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
template <class Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;
using Matrix = Owned<HYPRE_IJMatrix, HYPRE_IJMatrixDestroy>;
using Vector = Owned<HYPRE_IJVector, HYPRE_IJVectorDestroy>;
using Solver = Owned<HYPRE_Solver, HYPRE_BoomerAMGDestroy>;

/// hypre's numbers: unknowns only, those of a rank after those of the lower ranks.
struct Numbering {
  std::int64_t count = 0;             // over all ranks
  std::vector<int> unknown;           // owned entities that are unknowns
  std::vector<HYPRE_BigInt> number;   // of these unknowns
  std::vector<HYPRE_BigInt> columns;  // per local entity

  HYPRE_BigInt first, last;  // last < first: no owned unknowns
};

}  // namespace hypre

namespace {

/// The object behind hypre's interface.
HYPRE_ParCSRMatrix parallel(const hypre::Matrix& matrix) {
  void* object = nullptr;
  HYPRE_IJMatrixGetObject(matrix.get(), &object);
  return static_cast<HYPRE_ParCSRMatrix>(object);
}
HYPRE_ParVector parallel(const hypre::Vector& vector) {
  void* object = nullptr;
  HYPRE_IJVectorGetObject(vector.get(), &object);
  return static_cast<HYPRE_ParVector>(object);
}

/// Throws hypre's error on this rank, in hypre's words.
void require_no_fault() {
  const HYPRE_Int fault = HYPRE_GetError();
  if (fault == 0) return;
  std::array<char, 512> words{};
  HYPRE_DescribeError(fault, words.data());
  HYPRE_ClearAllErrors();
  throw Error(ExitCode::failure, message("preconditioner \"boomeramg\": hypre {} failed: {}; use \"multigrid\"",
                                         hypre_version(), words.data()));
}

/// Collective.
hypre::Numbering number_unknowns(const Comm& comm, const LocalNumbering& numbering, const std::vector<real>& null) {
  hypre::Numbering result;
  for (int i = 0; i < numbering.owned; ++i) {
    if (null[i] > 0) result.unknown.push_back(i);
  }
  const std::vector<std::int64_t> counts = comm.gather(static_cast<std::int64_t>(result.unknown.size()));
  result.count = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  require_on_all_ranks(result.count <= std::numeric_limits<HYPRE_BigInt>::max(), [&] {
    return message("preconditioner \"boomeramg\": {} unknowns are more than this hypre can count; use \"multigrid\"",
                   result.count);
  });
  result.first =
      static_cast<HYPRE_BigInt>(std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::int64_t{0}));
  result.last = result.first + static_cast<HYPRE_BigInt>(counts[comm.rank()]) - 1;
  result.number.resize(result.unknown.size());
  std::iota(result.number.begin(), result.number.end(), result.first);
  result.columns.resize(numbering.total());
  for (std::size_t k = 0; k < result.unknown.size(); ++k) result.columns[result.unknown[k]] = result.number[k];
  HostExchange(comm, numbering)(result.columns);
  return result;
}

/// V A V with V = diag(null), which nearly maps constants to zero, as the interpolation of BoomerAMG assumes. If it
/// does so exactly, the last level's matrix is round-off only: a small shift of the diagonal makes it definite, and
/// changes no significant digit. Collective.
hypre::Matrix matrix_of(const hypre::Ranks& comm, const hypre::Numbering& numbering, const MatrixRows& rows,
                        const std::vector<real>& null) {
  constexpr real shift = 1e-10;
  std::vector<HYPRE_Int> sizes;
  std::vector<HYPRE_BigInt> columns;
  std::vector<HYPRE_Complex> values;
  for (const int i : numbering.unknown) {
    sizes.push_back(1 + rows.offset[i + 1] - rows.offset[i]);
    columns.push_back(numbering.columns[i]);
    values.push_back((1 + shift) * null[i] * null[i]);
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      columns.push_back(numbering.columns[rows.column[k]]);
      values.push_back(null[i] * rows.value[k] * null[rows.column[k]]);
    }
  }
  HYPRE_IJMatrix matrix = nullptr;
  HYPRE_IJMatrixCreate(comm.handle, numbering.first, numbering.last, numbering.first, numbering.last, &matrix);
  hypre::Matrix result(matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixSetRowSizes(matrix, sizes.data());
  HYPRE_IJMatrixInitialize(matrix);
  HYPRE_IJMatrixSetValues(matrix, static_cast<HYPRE_Int>(sizes.size()), sizes.data(), numbering.number.data(),
                          columns.data(), values.data());
  HYPRE_IJMatrixAssemble(matrix);
  return result;
}

/// Collective.
hypre::Vector vector_for(const hypre::Ranks& comm, const hypre::Numbering& numbering) {
  HYPRE_IJVector vector = nullptr;
  HYPRE_IJVectorCreate(comm.handle, numbering.first, numbering.last, &vector);
  hypre::Vector result(vector);
  HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(vector);
  HYPRE_IJVectorAssemble(vector);
  return result;
}

/// One symmetric cycle: HMIS coarsening (De Sterck, Yang & Heys 2006), extended+i interpolation with at most four
/// entries per row (De Sterck, Falgout, Nolting & Yang 2008), and a smoother that converges on any number of ranks
/// (Baker, Falgout, Kolev & Yang 2011).
hypre::Solver cycle_for(int dimension) {
  HYPRE_Solver solver = nullptr;
  HYPRE_BoomerAMGCreate(&solver);
  hypre::Solver result(solver);
  HYPRE_BoomerAMGSetPrintLevel(solver, 0);
  HYPRE_BoomerAMGSetTol(solver, 0);
  HYPRE_BoomerAMGSetMaxIter(solver, 1);
  HYPRE_BoomerAMGSetCoarsenType(solver, 10);  // HMIS
  HYPRE_BoomerAMGSetStrongThreshold(solver, dimension == 3 ? 0.5 : 0.25);
  HYPRE_BoomerAMGSetInterpType(solver, 6);  // extended+i
  HYPRE_BoomerAMGSetPMaxElmts(solver, 4);
  HYPRE_BoomerAMGSetRelaxOrder(solver, 0);          // one unknown after another
  HYPRE_BoomerAMGSetCycleRelaxType(solver, 13, 1);  // l1-scaled Gauss-Seidel, forwards on the way down
  HYPRE_BoomerAMGSetCycleRelaxType(solver, 14, 2);  // and backwards on the way up
  HYPRE_BoomerAMGSetCycleRelaxType(solver, 9, 3);   // elimination on the last level
  return result;
}

}  // namespace

std::string hypre_version() { return HYPRE_RELEASE_VERSION; }

struct BoomerAmg::Parts {
  std::shared_ptr<hypre::Session> session = hypre::Session::shared();
  hypre::Ranks comm;
  hypre::Numbering numbering;
  hypre::Matrix matrix;
  hypre::Vector right, solution;
  hypre::Solver solver;
  std::vector<HYPRE_Complex> null, values;  // at the owned unknowns
  std::vector<real> at_entities;            // during transfer from and to the device

  Parts(const Comm& its_comm, const LocalNumbering& its_numbering, const MatrixRows& rows,
        const std::vector<real>& its_null, int dimension)
      : comm(its_comm),
        numbering(number_unknowns(its_comm, its_numbering, its_null)),
        matrix(matrix_of(comm, numbering, rows, its_null)),
        right(vector_for(comm, numbering)),
        solution(vector_for(comm, numbering)),
        solver(cycle_for(dimension)),
        values(numbering.unknown.size()),
        at_entities(its_numbering.owned) {
    for (const int i : numbering.unknown) null.push_back(its_null[i]);
    its_comm.guard(require_no_fault);
    if (numbering.count == 0) return;
    HYPRE_BoomerAMGSetup(solver.get(), parallel(matrix), parallel(right), parallel(solution));
    its_comm.guard(require_no_fault);
  }
};

BoomerAmg::BoomerAmg(const Comm& comm, const LocalNumbering& numbering, const MatrixRows& rows,
                     const std::vector<real>& null, int dimension)
    : parts_(std::make_unique<Parts>(comm, numbering, rows, null, dimension)) {}
BoomerAmg::~BoomerAmg() = default;
BoomerAmg::BoomerAmg(BoomerAmg&&) noexcept = default;

void BoomerAmg::cycle(const real* r, real* z) const {
  Parts& p = *parts_;
  const std::vector<int>& unknown = p.numbering.unknown;
  const auto count = static_cast<HYPRE_Int>(unknown.size());
  const std::size_t bytes = sizeof(real) * p.at_entities.size();
  copy_to_host(p.at_entities.data(), r, bytes);
  for (std::size_t k = 0; k < unknown.size(); ++k) p.values[k] = p.null[k] * p.at_entities[unknown[k]];
  if (p.numbering.count > 0) {
    HYPRE_IJVectorSetValues(p.right.get(), count, p.numbering.number.data(), p.values.data());
    HYPRE_ParVectorSetConstantValues(parallel(p.solution), 0);
    HYPRE_BoomerAMGSolve(p.solver.get(), parallel(p.matrix), parallel(p.right), parallel(p.solution));
    HYPRE_IJVectorGetValues(p.solution.get(), count, p.numbering.number.data(), p.values.data());
    require_no_fault();
  }
  std::fill(p.at_entities.begin(), p.at_entities.end(), real{0});
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    p.at_entities[unknown[k]] = static_cast<real>(p.null[k] * p.values[k]);
  }
  copy_to_device(z, p.at_entities.data(), bytes);
}

}  // namespace solenoid
