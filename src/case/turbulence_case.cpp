#include "case/turbulence_case.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

using EddyModel = std::optional<EddyViscosity::Kind>;

const WordSet<EddyModel> models{
    {{"none", std::nullopt},
     {"smagorinsky", EddyViscosity::Kind::smagorinsky},
     {"wale", EddyViscosity::Kind::wale},
     {"vreman", EddyViscosity::Kind::vreman},
     {"sigma", EddyViscosity::Kind::sigma}},
    {{"k-epsilon", "is a model of averaged equations: this program resolves the large eddies in time"},
     {"k-omega", "is a model of averaged equations: this program resolves the large eddies in time"},
     {"k-omega-sst", "is a model of averaged equations: this program resolves the large eddies in time"},
     {"spalart-allmaras", "is a model of averaged equations: this program resolves the large eddies in time"}}};

}  // namespace

void read_turbulence(TomlSection section, FlowStepSettings& settings) {
  const std::optional<EddyModel> found = section.word("model", models, "none");
  if (!found) return section.ignore_rest();
  const EddyModel& kind = *found;
  if (!kind) {
    if (section.optional_real("constant", positive)) section.wrong("constant", "no constant without a `model`");
    return;
  }
  const real usual = EddyViscosity::usual_constant(*kind);
  settings.eddies = {*kind, static_cast<real>(section.real("constant", positive, usual))};
  if (settings.viscosity_varies()) {
    section.wrong("model",
                  "\"none\" beside a `viscosity` that varies in [flow]: a model takes one viscosity of the fluid");
  }
  const bool is_of_stress =
      settings.diffusion == DiffusionForm::stress || settings.diffusion == DiffusionForm::automatic;
  if (!is_of_stress) {
    section.wrong("model", "\"none\" beside this `diffusion` in [flow]: a model takes \"stress\", or \"auto\"");
  } else if (settings.convection == ConvectionForm::rotational) {
    section.wrong("model",
                  "\"none\" beside convection = \"rotational\" in [flow]: a model takes diffusion = \"stress\", and "
                  "\"skew\" or another convection");
  }
}

}  // namespace solenoid
