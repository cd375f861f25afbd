/// Files of depths: each input as a grid and as soundings, and the depth at places within and beyond them.
#include <cmath>

#include "case/depth_file.hpp"
#include "fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  const CaseText text{std::string(fuzz::text_of(data, size)), ""};
  for (const char* name : {"bay.asc", "bay.xyz"}) {
    fuzz::accepts([&] {
      const DepthFile file(text, name, 2.0);
      for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{10.5, 20.25, 0}, Vec3{-1e300, 1e300, 0}}) {
        fuzz::accepts([&] { fuzz::expect(std::isfinite(file.depth().at(x, 0)), "a depth that is not finite"); });
      }
    });
  }
  return 0;
}
