#include "base/partial_sum.hpp"

#include <algorithm>

namespace solenoid {

namespace {
bool exact = false;
}  // namespace

bool sums_are_exact() { return exact; }
void make_sums_exact(bool wanted) { exact = wanted; }

void add_up(const Comm& comm, std::span<const PartialSum> parts, std::span<real> totals) {
  if (!sums_are_exact()) {
    std::transform(parts.begin(), parts.end(), totals.begin(), [](const PartialSum& part) { return part.value_; });
    comm.sum(totals);
    return;
  }
  std::vector<std::int64_t> words;
  words.reserve(parts.size() * ExactSum::words);
  for (const PartialSum& part : parts) {
    ExactSum sum = *part.exact_;
    sum.carry();
    words.insert(words.end(), sum.word, sum.word + ExactSum::words);
  }
  comm.sum(std::span<std::int64_t>(words));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::int64_t* const first = words.data() + k * ExactSum::words;
    ExactSum sum;
    std::copy(first, first + ExactSum::words, sum.word);
    totals[k] = sum.rounded();
  }
}

real total(const Comm& comm, const PartialSum& part) {
  real sum = 0;
  add_up(comm, {&part, 1}, {&sum, 1});
  return sum;
}

std::vector<real> totals(const Comm& comm, const std::vector<PartialSum>& parts) {
  std::vector<real> sums(parts.size());
  add_up(comm, parts, sums);
  return sums;
}

void add_to(std::array<PartialSum, 3>& parts, const Vec3& x) {
  parts[0] += x.x;
  parts[1] += x.y;
  parts[2] += x.z;
}

Vec3 total(const Comm& comm, const std::array<PartialSum, 3>& parts) {
  real sums[3];
  add_up(comm, parts, sums);
  return {sums[0], sums[1], sums[2]};
}

}  // namespace solenoid
