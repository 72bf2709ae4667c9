// What the headers alone are linked with: includes them all once more.
#include "tact/tact.hpp"

int main() {}
