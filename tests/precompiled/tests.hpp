// What nearly all tests include, compiled once for each program that has several sources.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "tact/tact.hpp"
