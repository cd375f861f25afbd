/// Initial guesses by projection onto the last solutions of a system (Fischer 1998).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "parallel/pending.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Number of solutions kept. In runs of the exact step, eight save no further iterations at a tolerance of 1e-3, and 5
/// to 22 % at 1e-6.
inline constexpr int past_solutions = 4;

/// The last solutions of A x = b, for A = sum_k factor_k A_k with constant matrices A_k and variable factors, and their
/// images under the matrices. The first guess of the next solve is the combination of least error in the norm of A: the
/// projection of the unknown solution (Fischer 1998, "Projection techniques for iterative solution of Ax = b with
/// successive right-hand sides", Comput. Methods Appl. Mech. Eng. 163, method 1; from the matrix of inner products
/// instead of an orthonormal basis, which would be lost with each change of a factor). Cost: about 18 + parts passes
/// over a vector, 6 parts more with the guess's image, and the products of the matrices.
template <class L>
class SolutionHistory {
 public:
  /// images[k] = A_k x, restricted to unknowns; x, 0 where prescribed, may be exchanged.
  using Apply = std::function<void(Field<L>& x, std::span<Field<L>> images)>;

  /// Kept images: of the last solution, or of all if images of guesses are requested.
  enum class Images { last, all };

  /// `space` outlives this; one or two parts. Allocates no memory before reserve() or the first solution.
  explicit SolutionHistory(const Space<L>& space, int parts = 1, Images images = Images::last)
      : space_(space), kept_(images), gram_(parts) {}

  /// Sets x at the unknowns, for b restricted to them; returns false, with x unchanged, if no solution is kept.
  /// `image`: A x for that guess at unknowns, without a product. Collective.
  bool guess(std::span<const real> factors, const Field<L>& b, Field<L>& x, Field<L>* image = nullptr);
  /// Keeps x in place of the oldest solution. Collective.
  void keep(const Field<L>& x, const Apply& apply);
  /// For use after a change of the matrices, or of solutions from outside. Collective.
  void renew_images(const Apply& apply);

  /// `age` 0 is the last one; zero if none is kept. For saving and restoring a state.
  Field<L>& solution(int age);
  void reserve();  ///< Collective.

 private:
  using Products = std::array<real, past_solutions>;
  int place(int age) const { return (newest_ + past_solutions - age) % past_solutions; }
  std::array<View<L, const real>, past_solutions> by_age() const;  // the order of sums: bits do not depend on places
  void compute_images(int taken, const Apply& apply);              // at a place
  void enter_products();
  std::span<Field<L>> images_of(int place);
  std::array<View<L, const real>, past_solutions> images_by_age(std::size_t part) const;

  const Space<L>& space_;
  Images kept_;
  std::optional<Field<L>> is_unknown_;                      // 1; 0 where prescribed
  std::vector<Field<L>> x_, images_;                        // by place; per part, of all solutions or of the last one
  std::vector<std::array<Products, past_solutions>> gram_;  // per part: x.A_k x by places
  int newest_ = 0, computed_ = 0;                           // places: of the last solution, of the products below
  std::optional<PendingSums<past_solutions>> of_one_part_;  // products not in gram_ yet, by age
  std::optional<PendingSums<2 * past_solutions>> of_two_parts_;
};

}  // namespace solenoid
