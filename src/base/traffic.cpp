#include "base/traffic.hpp"

namespace solenoid {

namespace {
std::int64_t counted = 0;
}  // namespace

void count_traffic(std::int64_t bytes) { counted += bytes; }
std::int64_t traffic() { return counted; }

}  // namespace solenoid
