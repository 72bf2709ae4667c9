// The trace of a random program, held against the history that the model knows.
#pragma once

#include "model/chronicle.hpp"
#include "tact/inspect/trace.hpp"

namespace tact::model {

// Complains of each step that the trace lacks, has twice, or tells otherwise. The runs have noted their names in it.
// `in_turns`: the order of the steps is that in which they happened, also those of several threads.
// REQUIRES: the chronicle is decided, and nothing of the trace is lost.
void check_told(chronicle&, const inspect::trace&, bool in_turns);

}  // namespace tact::model
