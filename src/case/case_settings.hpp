/// The settings of a case, one struct per table of the case file; free of third-party types, so kernel files may use
/// it.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "case/formula.hpp"
#include "physics/time_scheme.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

enum class FlowMethod { exact };
enum class ConvectionForm { rotational, none };
enum class DiffusionForm { rotational };
enum class BoundaryType { wall, temperature, flux, insulated, convection };

/// [mesh]
struct MeshSettings {
  std::filesystem::path file;  ///< found from where the program runs
  std::optional<double> size;  ///< target edge length for a .geo, in its units
  double scale = 1;            ///< length unit of the file [m]
  bool trust = false;          ///< a .geo may run programs and write files
};

/// [flow]
struct FlowSettings {
  FlowMethod method = FlowMethod::exact;
  double viscosity = 0;  ///< kinematic [m^2/s]
  ConvectionForm convection = ConvectionForm::rotational;
  DiffusionForm diffusion = DiffusionForm::rotational;
};

/// A quantity of the material: one value everywhere, or one for each volume group of the mesh.
struct MaterialSettings {
  std::string key;  ///< for messages: `conductivity` in [heat]
  Formula everywhere;
  std::map<std::string, Formula> of_region;  ///< by volume group; empty: `everywhere` holds
};

/// [heat]
struct HeatSettings {
  MaterialSettings conductivity;                  ///< [W/(m K)]
  std::optional<MaterialSettings> heat_capacity;  ///< [J/(m^3 K)]; there with [time]
  MaterialSettings source;                        ///< [W/m^3]
};

/// [time]: exactly one of step and cfl is given; heat conduction takes `step`.
struct TimeSettings {
  double end = 0;                  ///< [s]
  std::optional<double> step;      ///< [s]
  std::optional<double> cfl;       ///< largest dt sum_f |U_f| / (2 V_c) over the cells
  std::optional<double> step_max;  ///< [s], with cfl
  TimeScheme scheme = TimeScheme::second_order;
  double steady_tolerance = 0;  ///< [1/s]; 0: off
};

/// [boundary.NAME]
struct BoundarySettings {
  BoundaryType type = BoundaryType::wall;
  std::array<Formula, 3> velocity;  ///< of the wall [m/s]
  Formula value;                    ///< temperature [K], flux into the body [W/m^2], or ambient temperature [K]
  Formula coefficient;              ///< of convection [W/(m^2 K)]
};

/// [solver.NAME]
struct SolverSettings {
  PreconditionerKind preconditioner = PreconditionerKind::jacobi;
  double tolerance = 1e-8;     ///< ||r|| <= tolerance ||b||
  int max_iterations = 10000;  ///< needing more is a failure
};

/// [output]: at most one of every and every_steps is given; neither where times alone are.
struct OutputSettings {
  std::vector<std::string> fields;  ///< of velocity, pressure, vorticity, divergence; temperature, heat_flux
  std::optional<double> every;      ///< simulated time between outputs [s]
  std::optional<int> every_steps;
  std::vector<double> times;  ///< of further outputs [s], ascending, in (0, end]
};

/// [[probe]]
struct ProbeSettings {
  std::string name;                 ///< unique; usable as a file name
  std::vector<Vec3> points;         ///< [m]; not empty
  std::vector<std::string> fields;  ///< of velocity, pressure, vorticity; temperature, heat_flux; not empty
  int every_steps = 1;
};

/// [[line]]
struct LineSettings {
  std::string name;  ///< unique; usable as a file name
  Vec3 from, to;     ///< different points [m]
  int points = 101;  ///< from and to among them
};

}  // namespace solenoid
