/// Removal of outputs beyond the time of a restart.
#pragma once

#include "base/output_folder.hpp"

namespace solenoid {

/// Removes from `folder` the listed outputs beyond the moment that its run goes on from, in step or in time, whether
/// that run has them too or not, and tells `say` which; and cuts the tables of what looks on no more. What is left is
/// of the run that led there. Serial: rank 0, once the run has taken up its series and tables. Throws Error (exit code
/// 1).
void remove_later_outputs(const OutputFolder& folder, const OutputList::Say& say);

}  // namespace solenoid
