// The other half of every header test: includes what the first half includes.
#include "tact/tact.hpp"

int main() {}
