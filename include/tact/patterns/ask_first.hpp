// For programs that call self.ask_first or self.ask_any: of several requests the first outcome, or the first answer.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/patterns/detail/racing.hpp"  // IWYU pragma: export
#include "tact/patterns/outcome.hpp"        // IWYU pragma: export
#include "tact/transaction.hpp"             // IWYU pragma: export

#include "tact/detail/end.hpp"  // last
