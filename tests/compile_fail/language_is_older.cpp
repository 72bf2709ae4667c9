// error: tact needs C\+\+20: compile with -std=c\+\+20
// error: tact/needs/-std=c\+\+20
// flags: -std=c++17
// once
#include "tact/tact.hpp"  // here

tact::ref<int> nobody;
