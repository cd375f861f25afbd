/// Reconstructions solved in advance: products with the weights of the faces around each node, on the device.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "model/node_velocity.hpp"

namespace solenoid {

/// Of consecutive owned nodes. `Weight`: NodeVelocity, or in the plane PlaneShares, of less than half the size.
template <class Weight>
class ReconstructionWeights {
 public:
  /// Rows of nodes, one after the other: weights of data values, by their places, in the node's velocity. Stored in
  /// blocks, each freed once copied, for these are the largest arrays of a flow.
  class Rows {
   public:
    void add(int place, const Weight& weight);
    void end_row() { offset_.push_back(count_); }
    /// Adds all rows of `later`.
    void append(Rows&& later);

   private:
    friend class ReconstructionWeights;
    struct Block {
      std::vector<int> place;
      std::vector<Weight> weight;
    };
    int rows() const { return static_cast<int>(offset_.size()) - 1; }

    std::vector<int> offset_{0};
    std::vector<Block> blocks_;
    int count_ = 0;
  };
  /// The nodes from `first` on: rows of fluxes of a wider layout and of the tangential velocities of WallData. `given`:
  /// those with prescribed velocity, ascending.
  ReconstructionWeights(int first, Rows of_fluxes, Rows along_walls, const std::vector<int>& given);

  /// `along`, `given`: the tangential velocities, and the velocities of the nodes with prescribed ones.
  void apply(Exchanged<Face> wide_flux, const DeviceArray<real>& along, const std::vector<Vec3>& given,
             Field<Node, NodeVelocity>& nodes);

  /// Device memory of the weights [bytes].
  std::int64_t bytes() const { return of_fluxes_.bytes() + along_walls_.bytes(); }

 private:
  struct Products {
    DeviceArray<int> offset, place;
    DeviceArray<Weight> weight;
    explicit Products(Rows rows);
    std::int64_t bytes() const {
      return static_cast<std::int64_t>((offset.size() + place.size()) * sizeof(int) + weight.size() * sizeof(Weight));
    }
  };
  int first_, count_;
  Products of_fluxes_, along_walls_;
  DeviceArray<int> given_;
  DeviceArray<Vec3> given_velocity_;
};

}  // namespace solenoid
