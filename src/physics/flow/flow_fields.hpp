/// Fields of a flow for output.
#pragma once

#include "field/boundary_field.hpp"
#include "physics/flow/momentum/variable_viscosity.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"

namespace solenoid {

/// u [m/s], halo included.
void compute_velocity(Exchanged<Node, NodeVelocity> velocities, Field<Node, Vec3>& velocity);

/// The vorticity across the plane [1/s], halo included (2D).
void compute_vorticity(Exchanged<Node, NodeVelocity> velocities, Field<Node>& vorticity);
/// The vorticity [1/s], halo included.
void compute_vorticity(Exchanged<Node, NodeVelocity> velocities, Field<Node, Vec3>& vorticity);

/// Q = -tr(grad u grad u) / 2 [1/s^2], halo included: positive where rotation exceeds strain in a divergence-free flow
/// (Hunt, Wray & Moin 1988).
void compute_q_criterion(Exchanged<Node, NodeVelocity> velocities, Field<Node>& q);

/// Nodal values of the potential [m^2/s], whose contours are streamlines. Halo included (2D). Collective.
void compute_stream_function(Field<Edge>& potential, Field<Node>& stream_function);

/// Sum of the fluxes out of each cell over its volume [1/s], halo included. Collective.
void compute_divergence(Field<Face>& flux, Field<Cell>& divergence);

/// zone_numbers() of the local cells, halo included.
Field<Cell> zones_of_cells(const LocalMesh& mesh, const std::vector<FlowZone>& zones);

/// The viscosity of modelled eddies over that of the fluid, both in m^2/s, halo included. Collective.
void compute_viscosity_ratio(const Field<Cell>& of_eddies, real of_fluid, Field<Cell>& ratio);

/// Friction of the fluid on its walls over the density, -nu (grad u + grad u^T) n along the wall [m^2/s^2], n out of
/// the fluid.
void compute_wall_shear(Exchanged<Node, NodeVelocity> velocities, const NodeViscosity& viscosity,
                        BoundaryField<Vec3>& shear);

/// Whether each owned boundary face is on a wall, as 1 or 0.
DeviceArray<char> walls_of(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Distance of the centre of the cell inside from its wall in units of the flow at the wall, u_tau y / nu with u_tau^2
/// the magnitude of the wall shear; 0 where `is_wall` of an owned boundary face is 0.
void compute_y_plus(const BoundaryField<Vec3>& shear, const NodeViscosity& viscosity, const DeviceArray<char>& is_wall,
                    BoundaryField<real>& y_plus);

}  // namespace solenoid
