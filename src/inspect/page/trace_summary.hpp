// What a live page shows of a trace, as JSON: the format is in docs/inspect/live_page.md.
#pragma once

#include "inspect/json_builder.hpp"
#include "tact/inspect/trace.hpp"

namespace tact::inspect {

// Adds members to the object that is open.
void summarize(const trace& t, json_builder& to);

}  // namespace tact::inspect
