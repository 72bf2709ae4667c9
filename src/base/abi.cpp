// The symbol whose name says with which settings the library was built: see tact/detail/abi.hpp.
#include "tact/detail/abi.hpp"

namespace tact::this_program_needs_a_tact_library_built::TACT_ABI_SETTINGS {
extern const char settings = 0;
}  // namespace tact::this_program_needs_a_tact_library_built::TACT_ABI_SETTINGS
