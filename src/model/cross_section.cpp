#include "model/cross_section.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "base/error.hpp"
#include "mesh/submesh.hpp"
#include "model/cell_fit.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

struct LinearBetweenNodes {
  int count;
  const int* node;
  const real* weight;
  View<Node, const real> values;
  SOLENOID_HD real operator()(int i) const {
    real sum = 0;
    for (int k = count * i; k < count * (i + 1); ++k) sum += weight[k] * values[Index<Node>{node[k]}];
    return sum;
  }
};

struct LinearAroundCells {
  const int *cell, *begin, *around;
  const real* change;
  View<Cell, const real> values;
  SOLENOID_HD real operator()(int i) const {
    const real here = values[Index<Cell>{cell[i]}];
    real sum = here;
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += change[k] * (values[Index<Cell>{around[k]}] - here);
    return sum;
  }
};

struct OfFaces {
  const int* face;
  const real* values;
  SOLENOID_HD real operator()(int i) const { return values[face[i]]; }
};

/// sum A q and sum (u.n A) q, this rank's parts.
template <class ValueOf>
PartialSums<2> sums_of(int count, const int* cell, const Vec3* area, View<Cell, const Vec3> u, ValueOf value_of) {
  return reduce_sums<2>(
      count, SOLENOID_KERNEL(int i) {
        const real q = value_of(i);
        return Sums<2>{{norm(area[i]) * q, dot(u[Index<Cell>{cell[i]}], area[i]) * q}};
      });
}

/// sum u.n A, its part against n, and sum A |u|, this rank's parts.
PartialSums<3> sums_of_velocity(int count, const int* cell, const Vec3* area, View<Cell, const Vec3> u) {
  return reduce_sums<3>(
      count, SOLENOID_KERNEL(int i) {
        const Vec3 velocity = u[Index<Cell>{cell[i]}];
        const real flux = dot(velocity, area[i]);
        return Sums<3>{{flux, flux < 0 ? -flux : 0, norm(area[i]) * norm(velocity)}};
      });
}

PartialSum sum_of_areas(int count, const Vec3* area) {
  return reduce_sum(
      count, SOLENOID_KERNEL(int i) { return norm(area[i]); });
}

}  // namespace

struct CrossSection::SumsOver {
  const CrossSection& section;
  View<Cell, const Vec3> u;

  template <class F>
  PartialSums<2> operator()(const F* field) const {
    const CrossSection& s = section;
    if constexpr (std::is_same_v<F, Field<Node>>) {
      return of(LinearBetweenNodes{s.nodes_of_piece_, s.node_.data(), s.weight_.data(), field->view()});
    } else if constexpr (std::is_same_v<F, Field<Cell>>) {
      if (s.is_cut_) {
        return of(
            LinearAroundCells{s.cell_.data(), s.begin_.data(), s.around_.data(), s.change_.data(), field->view()});
      }
    } else if constexpr (std::is_same_v<F, BoundaryField<real>>) {
      if (!s.is_cut_) return of(OfFaces{s.face_.data(), field->data()});
    }
    throw Error(ExitCode::failure, "a section takes no mean of such values there", true);
  }
  template <class ValueOf>
  PartialSums<2> of(const ValueOf& value_of) const {
    return sums_of(static_cast<int>(section.cell_.size()), section.cell_.data(), section.area_of_piece_.data(), u,
                   value_of);
  }
};

CrossSection::CrossSection(const LocalMesh& mesh, const Plane& plane, const std::optional<PlaceOfPoints>& within,
                           const std::vector<std::string>& solids, const std::string& what)
    : mesh_(mesh), is_cut_(true), nodes_of_piece_(mesh.part().corners()) {
  const std::vector<char> is_solid = cells_in(mesh.part(), solids);
  const std::vector<CutPiece> cuts = cut_within(mesh, plane, within, is_solid, what, "fluid");
  std::vector<Piece> pieces;
  for (const CutPiece& cut : cuts) {
    const std::span<const int> nodes = mesh.part().cell_nodes_of(cut.cell);
    pieces.push_back({.cell = cut.cell,
                      .area = cut.area,
                      .nodes = {nodes.begin(), nodes.end()},
                      .weights = {cut.weight, cut.weight + nodes_of_piece_}});
  }
  set_pieces(pieces);
  set_fits(cuts, is_solid);
}

CrossSection::CrossSection(const LocalMesh& mesh, const std::vector<int>& patches,
                           const std::vector<std::string>& solids, const std::string& what)
    : mesh_(mesh), is_cut_(false), nodes_of_piece_(mesh.dimension()) {
  const std::vector<char> is_solid = cells_in(mesh.part(), solids);
  std::vector<Piece> pieces;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    const bool is_one = std::find(patches.begin(), patches.end(), b.patch) != patches.end();
    if (!b.is_owned || !is_one || is_solid[b.cell]) continue;
    const std::span<const int> nodes = mesh.part().face_nodes_of(b.face);
    pieces.push_back({.cell = b.cell,
                      .face = i,
                      .area = b.outward_area,
                      .nodes = {nodes.begin(), nodes.end()},
                      .weights = std::vector<real>(nodes.size(), real{1} / static_cast<real>(nodes.size()))});
  }
  const bool is_nothing = mesh.comm().sum(std::int64_t{std::ssize(pieces)}) == 0;
  require_on_all_ranks(
      !is_nothing, [&] { return message("{}: `patches`: they bound solids alone, expected fluid there", what); },
      ExitCode::bad_input);
  set_pieces(pieces);
}

void CrossSection::set_pieces(const std::vector<Piece>& pieces) {
  std::vector<int> cells, faces, nodes;
  std::vector<Vec3> areas;
  std::vector<real> weights;
  for (const Piece& piece : pieces) {
    cells.push_back(piece.cell);
    faces.push_back(piece.face);
    areas.push_back(piece.area);
    nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
    weights.insert(weights.end(), piece.weights.begin(), piece.weights.end());
  }
  cell_ = DeviceArray<int>(cells);
  face_ = DeviceArray<int>(faces);
  node_ = DeviceArray<int>(nodes);
  weight_ = DeviceArray<real>(weights);
  area_of_piece_ = DeviceArray<Vec3>(areas);
  area_ = total(mesh_.comm(), sum_of_areas(static_cast<int>(areas.size()), area_of_piece_.data()));
}

void CrossSection::set_fits(const std::vector<CutPiece>& cuts, const std::vector<char>& is_solid) {
  std::vector<CellFit> fits;
  std::vector<CellFit*> all;
  for (const CutPiece& cut : cuts) fits.push_back({cut.centre, cut.cell});
  for (CellFit& fit : fits) all.push_back(&fit);
  fit_around(mesh_, all, is_solid);
  std::vector<int> begin{0}, around;
  std::vector<real> change;
  for (const CellFit& fit : fits) {
    around.insert(around.end(), fit.around.begin(), fit.around.end());
    change.insert(change.end(), fit.change.begin(), fit.change.end());
    begin.push_back(static_cast<int>(around.size()));
  }
  begin_ = DeviceArray<int>(begin);
  around_ = DeviceArray<int>(around);
  change_ = DeviceArray<real>(change);
}

SectionFigures CrossSection::figures(const Field<Cell, Vec3>& velocity, const std::vector<Quantity>& quantities) const {
  constexpr real negligible = 1e-9;
  std::vector<PartialSum> parts;
  const auto add = [&](const auto& sums) { parts.insert(parts.end(), sums.begin(), sums.end()); };
  add(sums_of_velocity(static_cast<int>(cell_.size()), cell_.data(), area_of_piece_.data(), velocity.view()));
  for (const Quantity& quantity : quantities) add(std::visit(SumsOver{*this, velocity.view()}, quantity.evaluate()));
  const std::vector<real> sums = totals(mesh_.comm(), parts);
  const real flux = sums[0], back = sums[1], passing = flux + 2 * back;
  SectionFigures figures{flux, sums[2] / area_, passing > 0 ? back / passing : 0, {}};
  for (std::size_t k = 3; k < sums.size(); k += 2) {
    const real by_area = sums[k] / area_;
    figures.means.push_back({by_area, std::abs(flux) > negligible * passing ? sums[k + 1] / flux : by_area});
  }
  return figures;
}

}  // namespace solenoid
