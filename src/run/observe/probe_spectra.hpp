/// Spectra of probes, from their tables at the end of a run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/output_folder.hpp"
#include "case/case_settings.hpp"

namespace solenoid {

/// A one-sided spectral density: its integral over the frequency is the variance.
struct Spectrum {
  double interval = 0;          ///< of frequencies, from 0 on [1/s]
  std::vector<double> density;  ///< [unit^2 s]
};

/// The fewest samples that spectrum_of accepts.
constexpr std::size_t fewest_samples = 64;

/// Of samples in equal intervals [s], by the mean over half-overlapping segments with Hann's window, less their means
/// (Welch 1967, IEEE Trans. Audio Electroacoust. 15:70); the segments are the longest powers of two that fit four
/// times. Throws Error (exit code 1) if there are fewer than fewest_samples.
Spectrum spectrum_of(const std::vector<double>& samples, double interval);

/// Writes gauges/NAME_spectrum.csv of each probe with `spectrum_from`, from probes/NAME.csv in `folder`: a column for
/// each column and point. Reports to `say` which probes have too few rows. Collective.
void write_spectra(const Comm& comm, const OutputFolder& folder, const std::vector<ProbeSettings>& probes,
                   const std::function<void(const std::string&)>& say);

}  // namespace solenoid
