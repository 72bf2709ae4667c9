// error: tact: -fpack-struct, .* compile without it
// flags: -fpack-struct=8
#include "tact/ref.hpp"  // here

tact::ref<int> nobody;
