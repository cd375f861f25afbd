#include "base/vec3.hpp"

#include "base/error.hpp"

namespace solenoid {

std::string text_of_place(const Vec3& x, int dimension) {
  return dimension == 2 ? message("({:.6g}, {:.6g})", x.x, x.y) : message("({:.6g}, {:.6g}, {:.6g})", x.x, x.y, x.z);
}

}  // namespace solenoid
