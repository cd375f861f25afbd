#include "physics/flow/solenoidal/prescribed_fluxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "mesh/host_exchange.hpp"
#include "model/frame.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/solenoidal/rounding_grid.hpp"

namespace solenoid {

namespace {

real sum_of(const std::array<real, 3>& along) { return along[0] + along[1] + along[2]; }

void copy_to(const DeviceArray<int>& faces, const DeviceArray<real>& values, Field<Face>& flux) {
  const auto target = flux.view();
  const int* const face = faces.data();
  const real* const value = values.data();
  forall(
      static_cast<int>(faces.size()), SOLENOID_KERNEL(int k) { target[Index<Face>{face[k]}] = value[k]; });
}

}  // namespace

PrescribedFluxes::PrescribedFluxes(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                                   const SpanningTreeProjection& tree)
    : mesh_(mesh) {
  const std::vector<int> part_of_cell = tree.closed_parts();
  std::vector<int> face, seen;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!b.is_owned || boundaries.outlet(b.patch)) continue;
    face.push_back(b.face);
    faces_.push_back({i, part_of_cell[b.cell], static_cast<real>(-b.orientation)});
    if (faces_.back().part >= 0) seen.push_back(faces_.back().part);
  }
  const auto make_distinct = [](std::vector<int>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  make_distinct(seen);
  std::vector<int> parts = from_all_ranks(mesh.comm(), seen);
  make_distinct(parts);
  parts_ = parts.size();
  for (GivenFace& f : faces_) {
    if (f.part >= 0) f.part = static_cast<int>(std::lower_bound(parts.begin(), parts.end(), f.part) - parts.begin());
  }
  fluxes_.assign(faces_.size(), 0);
  ends_.resize(faces_.size());
  besides_.resize(faces_.size());
  face_ = DeviceArray<int>(face);
  given_ = DeviceArray<real>(fluxes_);
  rounded_ = DeviceArray<real>(fluxes_);
}

void PrescribedFluxes::set(const std::vector<real>& flux, const RunningSums& running_sums,
                           const EdgeIntegrals& circulations) {
  // Per part the net inflow, the sum of magnitudes, that without flow rates, that of the fluxes besides.
  std::vector<PartialSum> owned(4 * parts_);
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const auto place = static_cast<std::size_t>(faces_[k].place);
    fluxes_[k] = flux[place];
    besides_[k] = circulations[place].value_or(std::array<real, 3>{});
    if (faces_[k].part < 0) continue;
    const real beside = sum_of(besides_[k]);
    PartialSum* const of_part = &owned[4 * static_cast<std::size_t>(faces_[k].part)];
    of_part[0] += faces_[k].inward * (fluxes_[k] + beside);
    of_part[1] += std::abs(fluxes_[k]);
    if (!running_sums[place]) of_part[2] += std::abs(fluxes_[k]);
    of_part[3] += std::abs(beside);
  }
  const std::vector<real> sums = totals(mesh_.comm(), owned);
  for (std::size_t p = 0; p < parts_; ++p) {
    const real excess = sums[4 * p], all = sums[4 * p + 1] + sums[4 * p + 3];
    if (std::abs(excess) <= quadrature_leaves * all) continue;
    real largest = 0;
    Vec3 place;
    for (std::size_t k = 0; k < faces_.size(); ++k) {
      const real magnitude = std::abs(fluxes_[k] + sum_of(besides_[k]));
      if (faces_[k].part != static_cast<int>(p) || magnitude <= largest) continue;
      largest = magnitude;
      place = mesh_.geometry().face_centre[mesh_.boundary()[static_cast<std::size_t>(faces_[k].place)].face];
    }
    place = mesh_.comm().of_least(-largest, place);
    throw Error(ExitCode::bad_input,
                message("the velocities or flow rates given on the boundary, the largest flux at {}, do not "
                        "balance: {:.6g} {} more {} the domain there than {}: change one of them, make a part of it an "
                        "outlet, or let `balance` in [flow] scale the inlets",
                        text_of_place(place, mesh_.dimension()), std::abs(excess), unit_of_flux(mesh_.dimension()),
                        excess > 0 ? "enter" : "leave", excess > 0 ? "leave" : "enter"),
                true);
  }
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const int p = faces_[k].part;
    const auto& sum = running_sums[static_cast<std::size_t>(faces_[k].place)];
    const real excess = p < 0 ? 0 : sums[4 * p], all = p < 0 ? 0 : sums[4 * p + 1],
               others = p < 0 ? 0 : sums[4 * p + 2];
    const bool others_balance = others > quadrature_leaves * all && std::abs(excess) <= quadrature_leaves * others;
    faces_[k].is_kept = sum && (p < 0 || others_balance);
    if (excess != 0 && fluxes_[k] != 0 && !faces_[k].is_kept) {
      fluxes_[k] -= faces_[k].inward * excess / (others_balance ? others : all) * std::abs(fluxes_[k]);
    }
    ends_[k] = faces_[k].is_kept ? *sum : std::array<real, 2>{0, fluxes_[k]};
  }
  for (std::size_t k = 0; k < faces_.size(); ++k) fluxes_[k] += sum_of(besides_[k]);
  given_.from_host(fluxes_);
  rounded_to_ = 0;
}

void PrescribedFluxes::set(const std::vector<std::array<real, 2>>& ends) {
  std::vector<real> flux;
  for (const auto& [from, to] : ends) flux.push_back(to - from);
  set(flux, RunningSums(flux.size()), EdgeIntegrals(flux.size()));
  for (std::size_t k = 0; k < faces_.size(); ++k) ends_[k] = ends[static_cast<std::size_t>(faces_[k].place)];
}

void PrescribedFluxes::impose(Field<Face>& flux) const { copy_to(face_, given_, flux); }

void PrescribedFluxes::impose_rounded(real largest, Field<Face>& flux) {
  const real spacing = grid_spacing(largest);
  if (spacing != rounded_to_) round_fluxes(spacing);
  copy_to(face_, rounded_, flux);
}

/// Sums are of integers, exact for any number of faces.
void PrescribedFluxes::round_fluxes(real spacing) {
  const Comm& comm = mesh_.comm();
  const auto& id = mesh_.numbering<Face>().global_id;
  std::vector<std::int64_t> in_quanta, enters(parts_, 0), lowest(parts_, std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> least(parts_, 0);  // of minus the weights
  std::vector<std::int64_t> weight;            // of faces that take the rest: those with a given flux first
  constexpr std::int64_t given_first = std::int64_t{1} << 60;
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const auto [from, to] = ends_[k];
    const std::int64_t given = quanta_between(from / spacing, to / spacing);
    in_quanta.push_back(given);
    for (const real along : besides_[k]) in_quanta[k] += std::llround(along / spacing);
    weight.push_back(given != 0 ? given_first + std::abs(given) : std::abs(in_quanta[k]));
    const int p = faces_[k].part;
    if (p < 0) continue;
    enters[p] += faces_[k].inward > 0 ? in_quanta[k] : -in_quanta[k];
    if (!faces_[k].is_kept) least[p] = std::min(least[p], -weight[k]);
  }
  comm.sum(std::span(enters));
  comm.min(std::span(least));
  const auto id_of = [&](const GivenFace& f) { return id[mesh_.boundary()[static_cast<std::size_t>(f.place)].face]; };
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const int p = faces_[k].part;
    if (p >= 0 && !faces_[k].is_kept && weight[k] == -least[p]) lowest[p] = std::min(lowest[p], id_of(faces_[k]));
  }
  comm.min(std::span(lowest));
  std::vector<real> rounded;
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    const int p = faces_[k].part;
    if (p >= 0 && enters[p] != 0 && id_of(faces_[k]) == lowest[p]) {
      in_quanta[k] -= faces_[k].inward > 0 ? enters[p] : -enters[p];
    }
    rounded.push_back(static_cast<real>(in_quanta[k]) * spacing);
  }
  rounded_.from_host(rounded);
  rounded_to_ = spacing;
}

}  // namespace solenoid
