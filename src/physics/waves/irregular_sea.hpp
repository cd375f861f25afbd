/// Seas of many waves, drawn from a spectrum.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/waves/incoming_wave.hpp"

namespace solenoid {

/// A sea with the spectrum of Hasselmann et al. 1973 (JONSWAP) between half and 2.5 times the peak frequency, and the
/// directions of Longuet-Higgins, Cartwright & Smith 1963, cos^2s of half the angle to the mean one.
struct IrregularSea {
  real height = 0;        ///< significant, four times the root mean square of the elevation [m]
  real frequency = 0;     ///< of the peak, w [1/s]
  real peakedness = 3.3;  ///< gamma
  real direction = 0;     ///< mean, of travel [rad]
  real spreading = 0;     ///< s; 0: all waves along the mean direction
  int components = 200;
  std::int64_t seed = 1;
};

/// Its waves: as many as it has components, of equal amplitude, with frequencies from equal parts of the energy, and
/// with directions and phases by chance. The same for the same seed, on any machine to round-off.
std::vector<IncomingWave> waves_of(const IrregularSea& sea);

/// JONSWAP's spectrum at w over that at the peak, up to a factor: (w_p / w)^5 exp(-5/4 (w_p / w)^4) gamma^r.
real relative_spectrum(const IrregularSea& sea, real frequency);

}  // namespace solenoid
