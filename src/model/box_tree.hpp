/// Boxes in the plane, found by a point.
#pragma once

#include <array>
#include <vector>

namespace solenoid {

/// A tree of boxes around halves of the boxes, by their centres: of a size in proportion to their number, however long
/// and thin they are.
class BoxTree {
 public:
  struct Box {
    std::array<double, 2> low, high;
  };
  BoxTree() = default;  ///< no boxes
  explicit BoxTree(const std::vector<Box>& boxes);

  /// The indices of the boxes that contain `x`, ascending.
  std::vector<int> around(const std::array<double, 2>& x) const;

 private:
  struct Knot {
    Box box;
    int begin, end;  // its boxes
    int second;      // the knot of the second half; that of the first half is the next one; 0: a leaf
  };
  void build(const std::vector<Box>& boxes, int begin, int end);

  std::vector<Box> boxes_;  // in the order of order_
  std::vector<int> order_;
  std::vector<Knot> knots_;
};

}  // namespace solenoid
