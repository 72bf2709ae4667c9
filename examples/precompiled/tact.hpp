// What all examples include, compiled once for those that are one source each.

#include <tact/tact.hpp>
