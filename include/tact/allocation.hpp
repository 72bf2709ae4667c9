// tact::allocation: what happens to a classic actor after a `receive`, and to a message sent by reference after it was
// handled.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iosfwd>

namespace tact {

// The four allocation states of a classic actor or of a message that is sent by reference.
// Source of the idea: the allocation states of C∀ actors.
enum class allocation : unsigned char {
  nodelete,  // actor: stays alive.               message: left alone, may be sent again.
  delete_,   // actor: ends, is destroyed, freed. message: `delete`d.
  destroy,   // actor: ends, destructor only.     message: destructor only, storage stays its owner's.
  finished,  // actor: ends, is left untouched.   message: left alone, as nodelete.
};
std::ostream& operator<<(std::ostream&, allocation);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
