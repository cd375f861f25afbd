#include "physics/flow/reconstruct/reconstruction_weights.hpp"

#include <algorithm>
#include <iterator>
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
ReconstructionWeights<Weight>::ReconstructionWeights(int first, Rows of_fluxes, Rows along_walls,
                                                     const std::vector<int>& given)
    : first_(first),
      count_(of_fluxes.rows()),
      of_fluxes_(std::move(of_fluxes)),
      along_walls_(std::move(along_walls)),
      given_(given),
      given_velocity_(given.size()) {}

template <class Weight>
void ReconstructionWeights<Weight>::apply(Exchanged<Face> wide_flux, const DeviceArray<real>& along,
                                          const std::vector<Vec3>& given, Field<Node, NodeVelocity>& nodes) {
  const auto U = wide_flux.view();
  const auto result = nodes.view();
  const real* const speed = along.data();
  const int first = first_;
  const int *const offset = of_fluxes_.offset.data(), *const face = of_fluxes_.place.data();
  const int *const wall_offset = along_walls_.offset.data(), *const wall = along_walls_.place.data();
  const Weight *const weight = of_fluxes_.weight.data(), *const wall_weight = along_walls_.weight.data();
  count_traffic(bytes());
  forall(
      count_, SOLENOID_KERNEL(int i) {
        NodeVelocity sum{};
        for (int k = offset[i]; k < offset[i + 1]; ++k) sum.add(U[Index<Face>{face[k]}], weight[k]);
        for (int k = wall_offset[i]; k < wall_offset[i + 1]; ++k) sum.add(speed[wall[k]], wall_weight[k]);
        result[Index<Node>{first + i}] = sum;
      });
  given_velocity_.from_host(given);
  const int* const at = given_.data();
  const Vec3* const velocity = given_velocity_.data();
  forall(
      static_cast<int>(given_.size()), SOLENOID_KERNEL(int k) { result[Index<Node>{at[k]}].value = velocity[k]; });
}

template class ReconstructionWeights<NodeVelocity>;
template class ReconstructionWeights<PlaneShares>;

}  // namespace solenoid
