#include "physics/flow/reconstruct/stream_fit.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

constexpr int numbers = std::tuple_size_v<PlaneShares>;

/// The stencils in the layout of the kernels: a face's five entries share one column index, since reading five would
/// take as long as reading the entries.
SlicedRows<real> with_columns_of_faces(const MatrixRows& stencils, const Layout& faces) {
  SlicedRows<real> rows(stencils, faces.owned(), false);
  const std::vector<int> of_entries = rows.pattern->column.to_host();
  std::vector<int> of_faces;
  for (std::size_t k = 0; k < of_entries.size(); k += numbers * pack_width) {
    of_faces.insert(of_faces.end(), of_entries.begin() + k, of_entries.begin() + k + pack_width);
  }
  rows.pattern->column = DeviceArray<int>(of_faces);
  return rows;
}

}  // namespace

/// Sums the contributions of prescribed velocities and of the fluxes around each node.
struct StreamFitRows {
  const int *slice, *column, *row_at;
  const real* value;
  View<Face, const real> U;
  View<Node, const PlaneVelocity> given;
  View<Node, PlaneVelocity> result;
  int row_count;

  SOLENOID_HD Index<Node> row(int place) const { return {row_at ? row_at[place] : place}; }
  SOLENOID_HD void operator()(int place) const {
    const int lane = place % pack_width, end = slice[place / pack_width + 1];
    const Index<Node> i = row(place);
    PlaneVelocity sum = given[i];
    for (int k = slice[place / pack_width]; k < end; k += numbers) {
      const real flux = U[Index<Face>{column[k / numbers * pack_width + lane]}];
      for (int j = 0; j < numbers; ++j) sum.of[j] += value[(k + j) * pack_width + lane] * flux;
    }
    result[i] = sum;
  }
  void pack(int first, int) const {
    real sum[numbers][pack_width] = {};
    for (int k = slice[first / pack_width]; k < slice[first / pack_width + 1]; k += numbers) {
      const int* const columns = column + k / numbers * pack_width;
      real flux[pack_width];
      for (int l = 0; l < pack_width; ++l) flux[l] = U.data[columns[l]];
      for (int j = 0; j < numbers; ++j) {
        const real* const values = value + (k + j) * pack_width;
        for (int l = 0; l < pack_width; ++l) sum[j][l] += values[l] * flux[l];
      }
    }
    const int count = std::min(pack_width, row_count - first);
    for (int l = 0; l < count; ++l) {
      const Index<Node> i = row(first + l);
      for (int j = 0; j < numbers; ++j) result[i].of[j] = given[i].of[j] + sum[j][l];
    }
  }
};

StreamStencils StreamFit::stencils_of(const LocalMesh& mesh, const WideHaloMesh& wide,
                                      const FlowBoundaries& boundaries) {
  StreamStencils stencils;
  mesh.comm().guard([&] { stencils = stream_stencils(mesh, wide, boundaries); });
  return stencils;
}

StreamFit::StreamFit(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries)
    : StreamFit(mesh, wide, boundaries, stencils_of(mesh, wide, boundaries)) {}

StreamFit::StreamFit(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                     StreamStencils stencils)
    : boundaries_(boundaries),
      of_fluxes_(with_columns_of_faces(stencils.of_fluxes, wide.faces)),
      places_(std::move(stencils.places)),
      of_places_(std::move(stencils.of_places)),
      wide_flux_(wide.faces),
      given_(mesh),
      nodes_(mesh) {}

void StreamFit::sample(real time) {
  const std::vector<Vec3> velocity = sample_velocity(boundaries_, places_, time);
  std::vector<PlaneVelocity> sum(static_cast<std::size_t>(given_.owned()));
  for (int n = 0; n < of_places_.rows(); ++n) {
    for (const GivenShare& share : of_places_[n]) {
      const Vec3& u = velocity[static_cast<std::size_t>(share.place)];
      for (std::size_t k = 0; k < share.of_u.size(); ++k) sum[n].of[k] += u.x * share.of_u[k] + u.y * share.of_v[k];
    }
  }
  given_.from_host(sum);
}

Exchanged<Node, PlaneVelocity> StreamFit::fit(const Field<Face>& flux) {
  wide_flux_.copy_from(flux);
  const auto U = halo(wide_flux_).view();
  const int nodes = nodes_.owned();
  const SlicedPattern& at = *of_fluxes_.pattern;
  forall(nodes, StreamFitRows{at.slice.data(), at.column.data(), at.row_at.data(), of_fluxes_.value.data(), U,
                              std::as_const(given_).view(), nodes_.view(), nodes});
  return halo(nodes_);
}

}  // namespace solenoid
