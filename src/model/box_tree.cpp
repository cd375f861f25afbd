#include "model/box_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace solenoid {

namespace {

bool contains(const BoxTree::Box& box, const std::array<double, 2>& x) {
  return box.low[0] <= x[0] && x[0] <= box.high[0] && box.low[1] <= x[1] && x[1] <= box.high[1];
}

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!boxes.empty()) build(boxes, 0, static_cast<int>(boxes.size()));
  for (const int i : order_) boxes_.push_back(boxes[i]);
}

void BoxTree::build(const std::vector<Box>& boxes, int begin, int end) {
  constexpr int most = 8;  // in a leaf
  Box around = boxes[order_[begin]];
  for (int i = begin + 1; i < end; ++i) {
    const Box& box = boxes[order_[i]];
    for (std::size_t k = 0; k < 2; ++k) {
      around.low[k] = std::min(around.low[k], box.low[k]);
      around.high[k] = std::max(around.high[k], box.high[k]);
    }
  }
  const std::size_t knot = knots_.size();
  knots_.push_back({around, begin, end, 0});
  if (end - begin <= most) return;
  const std::size_t axis = around.high[0] - around.low[0] >= around.high[1] - around.low[1] ? 0 : 1;
  const auto centre = [&](int i) { return boxes[i].low[axis] + boxes[i].high[axis]; };
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](int a, int b) { return centre(a) < centre(b) || (centre(a) == centre(b) && a < b); });
  build(boxes, begin, middle);
  knots_[knot].second = static_cast<int>(knots_.size());
  build(boxes, middle, end);
}

std::vector<int> BoxTree::around(const std::array<double, 2>& x) const {
  std::vector<int> found, open;
  if (!knots_.empty()) open.push_back(0);
  while (!open.empty()) {
    const int at = open.back();
    const Knot& knot = knots_[static_cast<std::size_t>(at)];
    open.pop_back();
    if (!contains(knot.box, x)) continue;
    if (knot.second > 0) {
      open.insert(open.end(), {knot.second, at + 1});
      continue;
    }
    for (int i = knot.begin; i < knot.end; ++i) {
      if (contains(boxes_[i], x)) found.push_back(order_[i]);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace solenoid
