#include "parallel/triad.hpp"

#include <algorithm>

#include "base/phases.hpp"
#include "parallel/backend.hpp"
#include "parallel/memory.hpp"
#include "parallel/placement.hpp"

namespace solenoid {

namespace {

/// On the threads that read it later: memory is local to its first writer.
void fill(DeviceArray<real>& array) {
  real* const a = array.data();
  forall(
      static_cast<int>(array.size()), SOLENOID_KERNEL(int i) { a[i] = 1; });
}

}  // namespace

void triad(DeviceArray<real>& target, const DeviceArray<real>& first, const DeviceArray<real>& second) {
  real* const a = target.data();
  const real *const b = first.data(), *const c = second.data();
  forall(
      static_cast<int>(target.size()), SOLENOID_KERNEL(int i) { a[i] = b[i] + real(0.5) * c[i]; });
}

double measure_triad(const Comm& comm, double seconds) {
  const int length = values_beyond_caches() / std::max(4, comm.node_share().size);
  DeviceArray<real> a, b, c;
  try {
    comm.guard([&] {
      for (DeviceArray<real>* const array : {&a, &b, &c}) *array = DeviceArray<real>(length);
    });
  } catch (const Error&) {
    return 0;
  }
  for (DeviceArray<real>* const array : {&a, &b, &c}) fill(*array);
  const double bytes = 3.0 * sizeof(real) * length * comm.size();
  double best = 0;
  const Stopwatch whole;
  do {
    device_synchronize();
    comm.barrier();
    const Stopwatch pass;
    triad(a, b, c);
    device_synchronize();
    best = std::max(best, bytes / comm.max(real(pass.seconds())));
  } while (comm.max(real(whole.seconds())) < seconds);
  return best;
}

}  // namespace solenoid
