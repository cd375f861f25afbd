/// Velocity fits that are solved already: products with what the faces around each node weigh, on the device.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/node_velocity.hpp"

namespace solenoid {

class FitProducts {
 public:
  /// Of node after node: what the value `place` of some data weighs in its velocity.
  class Rows {
   public:
    void add(int place, const NodeVelocity& weight) {
      place_.push_back(place);
      weight_.push_back(weight);
    }
    void end_row() { offset_.push_back(static_cast<int>(place_.size())); }

   private:
    friend class FitProducts;
    std::vector<int> offset_{0}, place_;
    std::vector<NodeVelocity> weight_;
  };
  /// For the owned nodes: rows of fluxes of a wider layout and of the tangential velocities of FitWalls; the nodes,
  /// ascending, whose velocity is given.
  FitProducts(const Rows& of_fluxes, const Rows& along_walls, const std::vector<int>& given);

  /// `along`, `given`: the tangential velocities, and those at the nodes with given ones.
  void apply(Exchanged<Face> wide_flux, const std::vector<real>& along, const std::vector<Vec3>& given,
             Field<Node, NodeVelocity>& nodes);

 private:
  struct Products {
    DeviceArray<int> offset, place;
    DeviceArray<NodeVelocity> weight;
    explicit Products(const Rows& rows) : offset(rows.offset_), place(rows.place_), weight(rows.weight_) {}
  };
  Products of_fluxes_, along_walls_;
  DeviceArray<int> given_;
  DeviceArray<real> along_;
  DeviceArray<Vec3> given_velocity_;
};

}  // namespace solenoid
