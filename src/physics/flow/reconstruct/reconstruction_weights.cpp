#include "physics/flow/reconstruct/reconstruction_weights.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "parallel/backend.hpp"

namespace solenoid {

template <class Weight>
void ReconstructionWeights<Weight>::Rows::add(int place, const Weight& weight) {
  constexpr std::size_t block = 1 << 12;
  if (blocks_.empty() || blocks_.back().place.size() == block) {
    const bool is_long = !blocks_.empty();
    blocks_.emplace_back();
    if (is_long) blocks_.back().place.reserve(block), blocks_.back().weight.reserve(block);
  }
  blocks_.back().place.push_back(place);
  blocks_.back().weight.push_back(weight);
  ++count_;
}

template <class Weight>
void ReconstructionWeights<Weight>::Rows::append(Rows&& later) {
  for (std::size_t row = 1; row < later.offset_.size(); ++row) offset_.push_back(count_ + later.offset_[row]);
  count_ += later.count_;
  std::move(later.blocks_.begin(), later.blocks_.end(), std::back_inserter(blocks_));
  later = {};
}

template <class Weight>
ReconstructionWeights<Weight>::Products::Products(Rows rows)
    : offset(rows.offset_),
      place(static_cast<std::size_t>(rows.count_)),
      weight(static_cast<std::size_t>(rows.count_)) {
  std::size_t at = 0;
  for (typename Rows::Block& block : rows.blocks_) {
    const std::size_t count = block.place.size();
    copy_to_device(place.data() + at, block.place.data(), count * sizeof(int));
    copy_to_device(weight.data() + at, block.weight.data(), count * sizeof(Weight));
    at += count;
    block = {};
  }
}

template <class Weight>
void ReconstructionWeights<Weight>::add(Rows of_fluxes, Rows along_walls, const std::vector<int>& given) {
  const int count = of_fluxes.rows();
  parts_.push_back({nodes_, count, Products(std::move(of_fluxes)), Products(std::move(along_walls)),
                    DeviceArray<int>(given), DeviceArray<Vec3>(given.size())});
  nodes_ += count;
}

template <class Weight>
void ReconstructionWeights<Weight>::apply(Exchanged<Face> wide_flux, const std::vector<real>& along,
                                          const std::vector<Vec3>& given, Field<Node, NodeVelocity>& nodes) {
  if (along_.size() != along.size()) along_ = DeviceArray<real>(along.size());
  along_.from_host(along);
  const auto U = wide_flux.view();
  const auto result = nodes.view();
  const real* const speed = along_.data();
  count_gathered(wide_flux.field());
  count_owned(nodes);
  std::span<const Vec3> left = given;
  for (Part& part : parts_) {
    const int first = part.first;
    const int *const offset = part.of_fluxes.offset.data(), *const face = part.of_fluxes.place.data();
    const int *const wall_offset = part.along_walls.offset.data(), *const wall = part.along_walls.place.data();
    const Weight *const weight = part.of_fluxes.weight.data(), *const wall_weight = part.along_walls.weight.data();
    count_traffic(part.of_fluxes.bytes() + part.along_walls.bytes());
    forall(
        part.count, SOLENOID_KERNEL(int i) {
          NodeVelocity sum{};
          for (int k = offset[i]; k < offset[i + 1]; ++k) sum.add(U[Index<Face>{face[k]}], weight[k]);
          for (int k = wall_offset[i]; k < wall_offset[i + 1]; ++k) sum.add(speed[wall[k]], wall_weight[k]);
          result[Index<Node>{first + i}] = sum;
        });
    part.given_velocity.from_host(left.first(part.given.size()));
    left = left.subspan(part.given.size());
    const int* const at = part.given.data();
    const Vec3* const velocity = part.given_velocity.data();
    forall(
        static_cast<int>(part.given.size()),
        SOLENOID_KERNEL(int k) { result[Index<Node>{at[k]}].value = velocity[k]; });
  }
}

template class ReconstructionWeights<NodeVelocity>;
template class ReconstructionWeights<PlaneShares>;

}  // namespace solenoid
