// The actor that measures. It never becomes anything: its runs go in parallel, and none is repeated after a collision.
#pragma once

#include <tact/tact.hpp>

#include "agenda.hpp"
#include "catalog.hpp"
#include "progress.hpp"

namespace loudness {

struct analyst : tact::protocol<candidate> {};

// Each run measures one file, tells the result, and asks the agenda for the next file.
tact::behavior<analyst> make_analyst(tact::ref<next_file> agenda, tact::ref<shared_result> results,
                                     tact::ref<work_done> progress);

}  // namespace loudness
