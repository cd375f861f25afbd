#include "run/observe/probe_spectra.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <unsupported/Eigen/FFT>

#include "base/error.hpp"
#include "io/tables/csv.hpp"

namespace solenoid {

namespace {

/// The rows of one point of a probe from `from` [s] on, in equal intervals.
struct Samples {
  double interval = 0;
  std::vector<double> values;
};

/// Between the rows of ascending times linear.
Samples resampled(const std::vector<double>& time, const std::vector<double>& values) {
  const std::size_t count = time.size();
  Samples samples{(time.back() - time.front()) / static_cast<double>(count - 1), {}};
  for (std::size_t i = 0, row = 1; i < count; ++i) {
    const double now = time.front() + static_cast<double>(i) * samples.interval;
    while (row + 1 < count && time[row] < now) ++row;
    const double share = (now - time[row - 1]) / (time[row] - time[row - 1]);
    samples.values.push_back(values[row - 1] + share * (values[row] - values[row - 1]));
  }
  return samples;
}

std::string unit_of_density(const std::string& unit) {
  return unit == "1" || unit == "-" || unit.empty() ? "s" : message("({})^2 s", unit);
}

/// Writes the spectra of a probe; too few rows: writes nothing and returns how many there are.
std::size_t write_spectra_of(const OutputFolder& folder, const ProbeSettings& probe) {
  const std::vector<TableColumn> table = read_table(folder.path() / "probes" / (probe.name + ".csv"));
  const std::size_t points = probe.points.size(), first_value = 4;  // behind the time and the place
  std::vector<double> time;
  std::size_t begin = 0;
  const std::vector<double>& times = table.front().values;
  constexpr double round_off = 1e-9;
  while (begin < times.size() && times[begin] < *probe.spectrum_from * (1 - round_off)) begin += points;
  for (std::size_t row = begin; row < times.size(); row += points) time.push_back(times[row]);
  if (time.size() < fewest_samples) return time.size();
  std::vector<std::string> columns{"frequency [1/s]"};
  std::vector<Spectrum> spectra;
  for (std::size_t k = first_value; k < table.size(); ++k) {
    for (std::size_t p = 0; p < points; ++p) {
      std::vector<double> values;
      for (std::size_t row = begin + p; row < times.size(); row += points) values.push_back(table[k].values[row]);
      const Samples samples = resampled(time, values);
      spectra.push_back(spectrum_of(samples.values, samples.interval));
      columns.push_back(message("{}_{} [{}]", table[k].name, p + 1, unit_of_density(table[k].unit)));
    }
  }
  std::vector<std::vector<CsvValue>> rows;
  for (std::size_t i = 0; i < spectra.front().density.size(); ++i) {
    rows.push_back({static_cast<double>(i) * spectra.front().interval});
    for (const Spectrum& spectrum : spectra) rows.back().emplace_back(spectrum.density[i]);
  }
  write_csv(folder.file("gauges/" + probe.name + "_spectrum.csv"), columns, rows);
  return time.size();
}

}  // namespace

Spectrum spectrum_of(const std::vector<double>& samples, double interval) {
  const std::size_t count = samples.size();
  require(count >= fewest_samples,
          [&] { return message("a spectrum of {} samples, expected {} or more", count, fewest_samples); });
  constexpr std::size_t segments = 4;
  std::size_t length = 1;
  while (2 * length <= count / segments) length *= 2;
  std::vector<double> window;
  for (std::size_t i = 0; i < length; ++i) {
    window.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length)));
  }
  const double squares = std::inner_product(window.begin(), window.end(), window.begin(), 0.0);
  Spectrum spectrum{1 / (static_cast<double>(length) * interval), std::vector<double>(length / 2 + 1, 0)};
  Eigen::FFT<double> fourier;
  double number = 0;
  for (std::size_t at = 0; at + length <= count; at += length / 2, ++number) {
    const auto first = samples.begin() + static_cast<std::ptrdiff_t>(at);
    const double mean =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(length), 0.0) / static_cast<double>(length);
    std::vector<double> values;
    for (std::size_t i = 0; i < length; ++i) values.push_back(window[i] * (samples[at + i] - mean));
    std::vector<std::complex<double>> transformed;
    fourier.fwd(transformed, values);
    for (std::size_t i = 0; i <= length / 2; ++i) {
      const double sides = i == 0 || i == length / 2 ? 1 : 2;
      spectrum.density[i] += sides * std::norm(transformed[i]) * interval / squares;
    }
  }
  for (double& density : spectrum.density) density /= number;
  return spectrum;
}

void write_spectra(const Comm& comm, const OutputFolder& folder, const std::vector<ProbeSettings>& probes,
                   const std::function<void(const std::string&)>& say) {
  comm.guard([&] {
    if (!comm.is_root()) return;
    for (const ProbeSettings& probe : probes) {
      if (!probe.spectrum_from) continue;
      const std::size_t rows = write_spectra_of(folder, probe);
      if (rows >= fewest_samples) continue;
      say(message("warning: [[probe]] `{}` has no spectrum: {} rows from t = {:.6g} s on, expected {} or more",
                  probe.name, rows, *probe.spectrum_from, fewest_samples));
    }
  });
}

}  // namespace solenoid
