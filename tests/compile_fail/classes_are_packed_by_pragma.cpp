// error: tact: .* a #pragma pack before #include <tact/...>, .* compile without it
#pragma pack(push, 1)
#include "tact/ref.hpp"  // here
#pragma pack(pop)

tact::ref<int> nobody;
