// What programs of the suite on tact include.

#include <tact/tact.hpp>

#include "precompiled/standard.hpp"
