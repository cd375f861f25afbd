/// The quantities of a flow, as outputs describe them.
#pragma once

#include "model/quantity.hpp"

namespace solenoid::flow_quantity {

inline const QuantityInfo velocity{.field = "velocity",
                                   .name = "velocity",
                                   .unit = "m/s",
                                   .at = ValuesAt::nodes,
                                   .components = 3,
                                   .columns = {"u", "v", "w"},
                                   .on_every_line = true};
inline const QuantityInfo velocity_in_cells{
    .field = "velocity", .name = "velocity_cell", .unit = "m/s", .at = ValuesAt::cells, .components = 3};
inline const QuantityInfo pressure{
    .field = "pressure", .name = "pressure", .unit = "m^2/s^2", .at = ValuesAt::cells, .columns = {"pressure"}};
inline const QuantityInfo pressure_on_walls{
    .field = "pressure", .name = "pressure", .unit = "m^2/s^2", .at = ValuesAt::boundary_faces};
inline const QuantityInfo vorticity{.field = "vorticity",
                                    .name = "vorticity",
                                    .unit = "1/s",
                                    .at = ValuesAt::nodes,
                                    .columns = {"vorticity"},
                                    .dimension = 2,
                                    .turns_in_mirror = true};
inline const QuantityInfo vorticity_in_space{.field = "vorticity",
                                             .name = "vorticity",
                                             .unit = "1/s",
                                             .at = ValuesAt::nodes,
                                             .components = 3,
                                             .columns = {"vorticity_x", "vorticity_y", "vorticity_z"},
                                             .dimension = 3,
                                             .turns_in_mirror = true};
inline const QuantityInfo q_criterion{
    .field = "q_criterion", .name = "q_criterion", .unit = "1/s^2", .at = ValuesAt::nodes, .dimension = 3};
inline const QuantityInfo divergence{.field = "divergence", .name = "divergence", .unit = "1/s", .at = ValuesAt::cells};
inline const QuantityInfo stream_function{.field = "stream_function",
                                          .name = "stream_function",
                                          .unit = "m^2/s",
                                          .at = ValuesAt::nodes,
                                          .dimension = 2,
                                          .turns_in_mirror = true,
                                          .depends_on_frame = true};
inline const QuantityInfo wall_shear{
    .field = "", .name = "wall_shear", .unit = "m^2/s^2", .at = ValuesAt::boundary_faces, .components = 3};
inline const QuantityInfo viscosity{
    .field = "viscosity", .name = "viscosity", .unit = "m^2/s", .at = ValuesAt::cells, .columns = {"viscosity"}};
inline const QuantityInfo viscosity_ratio{.field = "viscosity_ratio",
                                          .name = "viscosity_ratio",
                                          .unit = "1",
                                          .at = ValuesAt::cells,
                                          .columns = {"viscosity_ratio"}};
inline const QuantityInfo zone{.field = "zone", .name = "zone", .unit = "1", .at = ValuesAt::cells};
inline const QuantityInfo y_plus{
    .field = "", .name = "y_plus", .unit = "1", .at = ValuesAt::boundary_faces, .has_maximum = true};

inline std::vector<QuantityInfo> all() {
  return {velocity,        velocity_in_cells, pressure,  pressure_on_walls, vorticity, vorticity_in_space, divergence,
          stream_function, q_criterion,       viscosity, viscosity_ratio,   zone,      wall_shear,         y_plus};
}

}  // namespace solenoid::flow_quantity
