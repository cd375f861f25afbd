#include "physics/flow/momentum/flux_friction.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/incidence.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

using Vector = FluxFrictionInSingle::Vector;

Vector scaled(const Vec3& x, real factor) {
  return {static_cast<float>(factor * x.x), static_cast<float>(factor * x.y), static_cast<float>(factor * x.z)};
}

/// A power of two near the size of cells [m]: with numbers near 1, single precision suffices for a mesh of any scale.
real unit_length(const LocalMesh& mesh) {
  PartialSum volume;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) volume += mesh.geometry().cell_volume[c];
  const real mean = total(mesh.comm(), volume) / static_cast<real>(mesh.global_count<Cell>());
  return std::exp2(std::round(std::log2(mean) / 3));
}

/// By slot of G: 4 times the cell plus its slot in D; two per face.
std::vector<int> places_of_faces(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const std::vector<std::int64_t>& id = mesh.numbering<Face>().global_id;
  const IncidenceRows& cells = mesh.G.host();
  std::vector<int> places(2 * static_cast<std::size_t>(mesh.owned<Face>()), -1);
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    for (int k = cells.offset[f]; k < cells.offset[f + 1]; ++k) {
      const int c = cells.index[k];
      const std::span<const int> faces = part.cell_faces_of(c);
      const auto before = std::count_if(faces.begin(), faces.end(), [&](int other) { return id[other] < id[f]; });
      places[2 * f + k - cells.offset[f]] = 4 * c + static_cast<int>(before);
    }
  }
  return places;
}

}  // namespace

FluxFrictionInSingle::FluxFrictionInSingle(const LocalMesh& mesh, const FaceAverageFriction& friction)
    : mesh_(mesh), friction_(friction), place_(places_of_faces(mesh)), velocity_(mesh), of_cells_(mesh) {
  const real length = unit_length(mesh);
  unit_ = 1 / (length * length * length);
  const IncidenceRows& faces = mesh.D.host();
  const Geometry& geometry = mesh.geometry();
  std::vector<Vector> arm;
  std::vector<float> conductance, inverse_volume;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    inverse_volume.push_back(static_cast<float>(1 / (unit_ * geometry.cell_volume[c])));
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const Vec3 to_face = geometry.centre_seen(mesh.part(), faces.index[k], c) - geometry.cell_centre[c];
      arm.push_back(scaled(to_face, faces.sign[k] / length));
    }
  }
  for (const real of_slot : friction.conductance_of_slots()) {
    conductance.push_back(static_cast<float>(of_slot / length));
  }
  arm_ = DeviceArray<Vector>(arm);
  conductance_ = DeviceArray<float>(conductance);
  inverse_volume_ = DeviceArray<float>(inverse_volume);
}

void FluxFrictionInSingle::compute(Exchanged<Face, float> flux) {
  const auto faces = mesh_.D.view();
  const Vector* const arm = arm_.data();
  const float *const conductance = conductance_.data(), *const inverse_volume = inverse_volume_.data();
  const int* const beyond = friction_.cell_beyond();
  const auto U = flux.view();
  const auto velocity = velocity_.view();
  const int count = mesh_.owned<Cell>();
  count_traffic(mesh_.D.bytes() + static_cast<std::int64_t>((4 * sizeof(Vector) + sizeof(float)) * count));
  count_gathered(flux.field());
  count_owned(velocity_);
  forall(
      count, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        Vector sum;
        for (const auto [f, sign, k] : faces[c]) {
          const float through = U[f];
          sum.x += through * arm[k].x, sum.y += through * arm[k].y, sum.z += through * arm[k].z;
        }
        const float w = inverse_volume[i];
        velocity[c] = {w * sum.x, w * sum.y, w * sum.z};
      });

  const auto u = halo(velocity_).view();
  const auto of_cells = of_cells_.view();
  const int slots = 4 * count;
  count_traffic(
      static_cast<std::int64_t>((4 * (sizeof(Vector) + sizeof(float) + sizeof(int)) + sizeof(float)) * count));
  count_gathered(velocity_);
  count_owned(of_cells_);
  forall(
      count, SOLENOID_KERNEL(int i) {
        constexpr int ahead = 64;
        const Index<Cell> c{i};
        const Vector own = u[c];
        Vector taken;
        for (int k = 4 * i; k < 4 * (i + 1); ++k) {
          if (k + ahead < slots && beyond[k + ahead] >= 0) start_to_fetch(u.data[beyond[k + ahead]]);
          const Vector other = beyond[k] < 0 ? Vector{} : u[Index<Cell>{beyond[k]}];
          const float w = conductance[k];
          taken.x += w * (own.x - other.x), taken.y += w * (own.y - other.y), taken.z += w * (own.z - other.z);
        }
        const float w = inverse_volume[i];
        OfFaces result;
        for (int k = 0; k < 4; ++k) {
          const Vector& along = arm[4 * i + k];
          result.of[k] = w * (along.x * taken.x + along.y * taken.y + along.z * taken.z);
        }
        of_cells[c] = result;
      });
  halo(of_cells_);
  count_traffic(static_cast<std::int64_t>(sizeof(int) * place_.size()));  // times()
  count_gathered(of_cells_);
}

}  // namespace solenoid
