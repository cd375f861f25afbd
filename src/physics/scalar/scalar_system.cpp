#include "physics/scalar/scalar_system.hpp"

#include <array>
#include <optional>

#include "solve/bring_in.hpp"
#include "solve/linear_system.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace scalar {  // with a name: nvcc takes a member of an unnamed one for unused

struct Operator {
  const ScalarMatrices& matrices;
  real mass, stiffness;
  void operator()(Field<Node>& x, Field<Node>& y) const { matrices.apply(mass, stiffness, x, y); }
};

struct Cycle {
  static constexpr bool is_in_single_precision = true;
  LinearSystem<Node>& lumped;
  void operator()(Field<Node>& r, Field<Node>& z) const { lumped.precondition(r, z); }
};

}  // namespace scalar

struct ScalarSystem::Parts {
  const Space<Node>& unknowns;
  const ScalarMatrices& matrices;
  const DiffusionData& data;
  OperatorSolver<Node> solver;
  SolutionHistory<Node> past;
  Field<Node> diagonal, image;
  std::optional<LinearSystem<Node>> lumped{};  // if it can precondition
  real made_for = -1;                          // mass / stiffness of the preconditioner; -1: none yet
  bool is_made = false;                        // whether it is set up for `made_for`
  SetupTime setup{};

  void apply_parts(Field<Node>& x, std::span<Field<Node>> images) const {
    matrices.apply(1, 0, x, images[0]);
    matrices.apply(0, 1, x, images[1]);
    for (Field<Node>& of_part : images) unknowns.restrict_to_unknowns(of_part);
  }
  MatrixRows lumped_rows(real ratio) const;
  void prepare(real mass, real stiffness, PreconditionerKind wanted);
};

/// ratio W + K.
MatrixRows ScalarSystem::Parts::lumped_rows(real ratio) const {
  MatrixRows rows = data.stiffness();
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      if (rows.column[k] == i) rows.value[k] += ratio * data.capacity()[i];
    }
  }
  return rows;
}

/// Sets up the preconditioner, unless the factors are near those of the last one.
void ScalarSystem::Parts::prepare(real mass, real stiffness, PreconditionerKind wanted) {
  if (wanted == PreconditionerKind::none || wanted == PreconditionerKind::jacobi) return lumped.reset();
  constexpr real near = 4;
  const real ratio = mass / stiffness;
  const bool is_near = made_for > 0 && ratio < near * made_for && made_for < near * ratio;
  if (is_near && is_made) return;
  if (!is_near) made_for = ratio;  // after a restart, set up for the ratio in the state
  const Stopwatch watch;
  lumped.reset();
  lumped.emplace(unknowns, lumped_rows(made_for), wanted);
  if (!lumped->can_precondition()) lumped.reset();
  is_made = true;
  setup.add(watch);
}

ScalarSystem::ScalarSystem(const Space<Node>& unknowns, const ScalarMatrices& matrices, const DiffusionData& data)
    : parts_(new Parts{unknowns, matrices, data, OperatorSolver<Node>(unknowns),
                       SolutionHistory<Node>(unknowns, 2, SolutionHistory<Node>::Images::all),
                       Field<Node>(unknowns.mesh()), Field<Node>(unknowns.mesh())}) {}
ScalarSystem::~ScalarSystem() = default;

SolveReport ScalarSystem::solve(real mass, real stiffness, const Field<Node>& b, Field<Node>& x,
                                const SolveControl& control) {
  Parts& m = *parts_;
  m.prepare(mass, stiffness, control.preconditioner);
  return recorded(control, [&](SolveControl its_control) {
    const bool is_guessed = m.past.guess(std::array{mass, stiffness}, b, x, &m.image);
    const Field<Node>* const image = is_guessed ? &m.image : nullptr;
    const scalar::Operator a{m.matrices, mass, stiffness};
    SolveReport report;
    if (m.lumped) {
      its_control.preconditioner = m.lumped->preconditioner();
      report = m.solver.solve(a, scalar::Cycle{*m.lumped}, b, x, its_control, image);
    } else {
      m.matrices.compute_diagonal(mass, stiffness, m.diagonal);
      report = m.solver.solve(a, operand(m.diagonal), b, x, its_control, image);
    }
    m.past.keep(x, [&](Field<Node>& kept, std::span<Field<Node>> images) { m.apply_parts(kept, images); });
    return report;
  });
}

void ScalarSystem::reserve(real mass, real stiffness, PreconditionerKind wanted) {
  parts_->prepare(mass, stiffness, wanted);
  parts_->past.reserve();
}

void ScalarSystem::renew_images() {
  Parts& m = *parts_;
  m.past.renew_images([&](Field<Node>& kept, std::span<Field<Node>> images) { m.apply_parts(kept, images); });
}

void ScalarSystem::record_setup(const SolveControl& control) {
  parts_->setup.record(control, parts_->lumped ? parts_->lumped->shape() : nullptr);
}

void ScalarSystem::renew_unknowns() {
  parts_->is_made = false;
  bring_in(parts_->unknowns, parts_->past);
  renew_images();
}

void ScalarSystem::visit_state(const std::string& name, StateVisitor& visitor) {
  visitor.number(name + "_preconditioned_for", parts_->made_for);
  visitor.past(name + "_past", parts_->past);
}

}  // namespace solenoid
