// error: tact needs exceptions, .* compile without -fno-exceptions
// error: tact/needs/-fexceptions
// flags: -fno-exceptions
// once
#include "tact/tact.hpp"  // here

tact::ref<int> nobody;
