/// Removal of outputs beyond the time of a restart.
#pragma once

#include "base/output_folder.hpp"

namespace solenoid {

/// Removes from `folder` the listed outputs beyond the restart moment, in step or in time, including those of observers
/// that this run lacks, and reports them to `say`. Cuts the tables of such observers. The remaining files belong to the
/// history of the restarted run. Serial: rank 0, after the run has opened its series and tables. Throws Error (exit
/// code 1).
void remove_later_outputs(const OutputFolder& folder, const OutputList::Say& say);

}  // namespace solenoid
