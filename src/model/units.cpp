#include "model/units.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/error.hpp"

namespace solenoid {

namespace {

const std::map<std::string, Dimension> known{{"m", {.metre = 1}},
                                             {"s", {.second = 1}},
                                             {"kg", {.kilogram = 1}},
                                             {"K", {.kelvin = 1}},
                                             {"J", {.metre = 2, .second = -2, .kilogram = 1}},
                                             {"W", {.metre = 2, .second = -3, .kilogram = 1}},
                                             {"1", {}},
                                             {"-", {}}};

void multiply(Dimension& product, const Dimension& factor, int power) {
  product.metre += power * factor.metre;
  product.second += power * factor.second;
  product.kilogram += power * factor.kilogram;
  product.kelvin += power * factor.kelvin;
}

/// Reads a unit from left to right.
class UnitReader {
 public:
  explicit UnitReader(const std::string& unit) : unit_(unit) {}

  /// Product of the factors up to the end or to the closing parenthesis.
  Dimension product() {
    Dimension result;
    int sign = 1;  // of the power of the next factor
    for (; at_ < unit_.size() && unit_[at_] != ')'; sign = 1) {
      for (; at_ < unit_.size() && (unit_[at_] == ' ' || unit_[at_] == '/'); ++at_) {
        if (unit_[at_] == '/') sign = -1;
      }
      const Dimension next = factor();
      multiply(result, next, sign * power());
    }
    return result;
  }
  bool is_at_end() const { return at_ == unit_.size(); }

 private:
  Dimension factor() {
    if (at_ < unit_.size() && unit_[at_] == '(') {
      ++at_;
      const Dimension inside = product();
      if (!is_at_end()) ++at_;
      return inside;
    }
    const std::size_t end = std::min(unit_.find_first_of(" /()^", at_), unit_.size());
    const std::string name = unit_.substr(at_, end - at_);
    at_ = end;
    const auto found = known.find(name);
    require(found != known.end(), [&] { return message("the unit `{}`: `{}` is not a known unit", unit_, name); });
    return found->second;
  }
  int power() {
    if (at_ >= unit_.size() || unit_[at_] != '^') return 1;
    const char digit = at_ + 1 < unit_.size() ? unit_[at_ + 1] : ' ';
    require(std::isdigit(static_cast<unsigned char>(digit)),
            [&] { return message("the unit `{}`: `^{}`, expected a digit", unit_, digit); });
    at_ += 2;
    return digit - '0';
  }
  const std::string& unit_;
  std::size_t at_ = 0;
};

}  // namespace

Dimension dimension_of(const std::string& unit) {
  UnitReader reader(unit);
  const Dimension dimension = reader.product();
  require(reader.is_at_end(), [&] { return message("the unit `{}`: a parenthesis closes that none opens", unit); });
  return dimension;
}

}  // namespace solenoid
