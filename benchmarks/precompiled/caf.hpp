// What programs of the suite on CAF include.

#include <caf/all.hpp>

#include "precompiled/standard.hpp"
