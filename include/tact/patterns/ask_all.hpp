// For programs that call self.ask_all: all answers of several requests, and no failure lost.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/patterns/detail/gathering.hpp"  // IWYU pragma: export
#include "tact/patterns/outcome.hpp"           // IWYU pragma: export
#include "tact/transaction.hpp"                // IWYU pragma: export

#include "tact/detail/end.hpp"  // last
