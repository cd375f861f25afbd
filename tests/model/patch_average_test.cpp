/// Averages on patches: known wall shears with known oscillatory shear indices, on any partition and after a restart on
/// other patches.
#include "model/patch_average.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/kept_state.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using Shear = std::function<Vec3(real t)>;

std::vector<int> numbers_of(const LocalMesh& mesh, const std::vector<std::string>& names) {
  const std::vector<std::string>& all = mesh.part().patches;
  std::vector<int> numbers;
  for (const std::string& name : names) {
    numbers.push_back(static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin()));
  }
  return numbers;
}

/// A shear that is k + 1 times `shear` on the face of global id k.
struct ShearOfFaces {
  const LocalMesh& mesh;
  BoundaryField<Vec3> values{mesh};
  real time = 0;

  real factor(const BoundaryFace& face) const {
    return static_cast<real>(mesh.numbering<Face>().global_id[face.face] + 1);
  }
  Quantity quantity(const Shear& shear) {
    return {{.field = "", .name = "wall_shear", .unit = "m^2/s^2", .at = ValuesAt::boundary_faces, .components = 3},
            false,
            [this, shear]() -> Evaluated {
              std::vector<Vec3> all;
              for (const BoundaryFace& face : mesh.boundary()) {
                all.push_back(face.is_owned ? factor(face) * shear(time) : Vec3{});
              }
              values.from_host(all);
              return &values;
            }};
  }
};

void sample_period(ShearOfFaces& on, AveragedQuantity& average, int first, int last, int steps) {
  for (int k = first; k <= last; ++k) {
    on.time = static_cast<real>(k) / static_cast<real>(steps);
    average.sample(k == 0 ? 0 : 1 / static_cast<real>(steps));
  }
}

/// The mean, its magnitude and the index of `shear` over one period, divided by the factors of the faces: the same on
/// all faces of the patches, and 0 elsewhere; no component of the mean is below 0.
struct Found {
  Vec3 mean;
  real magnitude = 0, index = 0;
};
Found found_on(ShearOfFaces& on, AveragedQuantity& average, const std::vector<int>& patches) {
  std::map<std::string, std::vector<real>> arrays;
  for (const Quantity& quantity : average.quantities()) arrays[quantity.info.name] = to_host(quantity.evaluate());
  Found found;
  bool is_first = true;
  for (int k = 0; k < on.mesh.boundary().size(); ++k) {
    const BoundaryFace& face = on.mesh.boundary()[k];
    const auto at = static_cast<std::size_t>(k);
    const real *const mean = &arrays.at("wall_shear_mean")[3 * at],
                      magnitude = arrays.at("wall_shear_magnitude_mean")[at],
                      index = arrays.at("wall_shear_oscillatory_index")[at];
    if (!face.is_owned || std::find(patches.begin(), patches.end(), face.patch) == patches.end()) {
      EXPECT_EQ(mean[0], 0);
      EXPECT_EQ(magnitude, 0);
      EXPECT_EQ(index, 0);
      continue;
    }
    const real factor = on.factor(face);
    if (is_first) found = {Vec3{mean[0], mean[1], mean[2]} / factor, magnitude / factor, index};
    is_first = false;
    EXPECT_NEAR(mean[0] / factor, found.mean.x, round_off);
    EXPECT_NEAR(magnitude / factor, found.magnitude, round_off);
    EXPECT_NEAR(index, found.index, round_off);
  }
  const Comm& comm = on.mesh.comm();  // a rank may have no such face
  return {{comm.max(found.mean.x), comm.max(found.mean.y), 0}, comm.max(found.magnitude), comm.max(found.index)};
}

Found average_of(const Shear& shear, int steps) {
  Found found;
  for (const MeshSource& source : {unit_square(5, 0.3), unit_cube(3, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const PatchFaces faces(*mesh, numbers_of(*mesh, {"lid"}));
      ShearOfFaces on{*mesh};
      const auto average = averaged_on_patches(faces, on.quantity(shear), false);
      sample_period(on, *average, 0, steps, steps);
      found = found_on(on, *average, faces.patches());
    }
  }
  return found;
}

TEST(PatchAverage, OfASteadyShearIsItselfInBitsAndDoesNotOscillate) {
  const auto mesh = make_mesh(Comm(), unit_cube(3, 0.2));
  const PatchFaces faces(*mesh, numbers_of(*mesh, {"wall", "lid"}));
  ShearOfFaces on{*mesh};
  const Vec3 steady{real{1} / 3, -real{0.7}, real{0.1}};
  const auto average = averaged_on_patches(faces, on.quantity([&](real) { return steady; }), false);
  sample_period(on, *average, 0, 7, 7);
  std::vector<std::vector<real>> arrays;
  for (const Quantity& quantity : average->quantities()) arrays.push_back(to_host(quantity.evaluate()));
  ASSERT_EQ(arrays.size(), 3u);
  EXPECT_EQ(arrays[0], flat(on.values.to_host()));
  EXPECT_EQ(arrays[2], std::vector<real>(arrays[1].size()));
  for (std::size_t k = 0; k < arrays[1].size(); ++k) {
    EXPECT_EQ(arrays[1][k], norm(Vec3{arrays[0][3 * k], arrays[0][3 * k + 1], arrays[0][3 * k + 2]}));
  }
}

TEST(PatchAverage, HasTheIndexOfAKnownOscillation) {
  const real a = 0.5, b = 1;  // |a + b cos| has the mean 2/pi (a asin(a/b) + sqrt(b^2 - a^2))
  const real magnitude = 2 / pi * (a * std::asin(a / b) + std::sqrt(b * b - a * a));
  const Shear shear = [&](real t) { return Vec3{a + b * std::cos(2 * pi * t), 0, 0}; };
  real error[2]{};
  for (int k = 0; k < 2; ++k) {
    const Found found = average_of(shear, 64 << (2 * k));
    EXPECT_NEAR(found.mean.x, a, 10 * round_off);  // the rule of trapezia is exact for a period of a cosine
    error[k] = std::abs(found.index - (1 - a / magnitude) / 2);
    EXPECT_NEAR(found.index, (1 - norm(found.mean) / found.magnitude) / 2, round_off);
  }
  EXPECT_LT(error[0], 2e-3);
  EXPECT_LT(error[1], error[0] / 8);  // of second order, but for the place of the two zeros between samples
}

TEST(PatchAverage, OfAShearThatTurnsOrReversesIsAHalf) {
  const Found reverses = average_of([](real t) { return Vec3{std::cos(2 * pi * t), 0, 0}; }, 64);
  EXPECT_NEAR(reverses.index, 0.5, 10 * round_off);
  const Found turns = average_of([](real t) { return Vec3{std::cos(2 * pi * t), std::sin(2 * pi * t), 0}; }, 64);
  EXPECT_NEAR(turns.index, 0.5, 10 * round_off);
  EXPECT_NEAR(turns.magnitude, 1, 10 * round_off);
  const Found pulses = average_of([](real t) { return Vec3{2 + std::cos(2 * pi * t), 0, 0}; }, 64);
  EXPECT_NEAR(pulses.index, 0, 10 * round_off);  // it never reverses
  EXPECT_NEAR(pulses.magnitude, 2, 10 * round_off);
}

/// Restores lists and numbers, but no array: a checkpoint has none of another size.
class PatchesOnly : public StateVisitor {
 public:
  explicit PatchesOnly(StateVisitor& from) : from_(from) {}
  void number(const std::string& name, real& value) override { from_.number(name, value); }
  void number(const std::string& name, std::int64_t& value) override { from_.number(name, value); }
  void list(const std::string& name, std::vector<double>& values) override { from_.list(name, values); }

 private:
  bool array(const std::string&, const LocalNumbering&, real*, int) override { return false; }
  StateVisitor& from_;
};

TEST(PatchAverage, GoesOnInBitsOnTheSamePatchesOnly) {
  const auto mesh = make_mesh(Comm(), unit_square(5, 0.3));
  const auto of = [&](const std::vector<std::string>& names) {
    return std::make_unique<PatchFaces>(*mesh, numbers_of(*mesh, names));
  };
  const auto both = of({"wall", "lid"}), turned = of({"lid", "wall"}), lid = of({"lid"});
  ShearOfFaces on{*mesh};
  const Quantity quantity = on.quantity([](real t) { return Vec3{std::cos(t), std::sin(3 * t), 0}; });
  const auto whole = averaged_on_patches(*both, quantity, true), first = averaged_on_patches(*both, quantity, true);
  sample_period(on, *whole, 0, 12, 12);
  sample_period(on, *first, 0, 5, 12);
  KeptState kept(mesh->comm());
  first->visit_state("a", kept);
  kept.restores = true;
  const auto again = averaged_on_patches(*turned, quantity, true);
  again->visit_state("a", kept);
  EXPECT_EQ(again->fault(), "");
  sample_period(on, *again, 6, 12, 12);
  const std::vector<Quantity> expected = whole->quantities(), found = again->quantities();
  ASSERT_EQ(found.size(), 5u);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].info.name, expected[k].info.name);
    EXPECT_EQ(to_host(found[k].evaluate()), to_host(expected[k].evaluate())) << found[k].info.name;
  }
  KeptState of_lid(mesh->comm());  // as many patches as the next, and other ones
  averaged_on_patches(*lid, quantity, false)->visit_state("a", of_lid);
  of_lid.restores = true;
  const auto wall = of({"wall"});
  const auto other = averaged_on_patches(*wall, quantity, false);
  EXPECT_EQ(other->fault(), "");
  PatchesOnly patches(of_lid);
  other->visit_state("a", patches);
  EXPECT_EQ(other->fault(), "the samples so far are of other patches");
  other->begin_anew();
  EXPECT_EQ(other->fault(), "");
}

}  // namespace
}  // namespace solenoid::test
