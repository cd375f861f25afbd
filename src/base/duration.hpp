/// Wall-clock times in words.
#pragma once

#include <string>

namespace solenoid {

/// "0.4 s", "12 s", "3 min 20 s", "2 h 05 min", "4 d 06 h"; `seconds` of at least 0.
std::string duration_text(double seconds);

}  // namespace solenoid
