// What most tests include of others' headers, compiled once for a program. Nothing of tact, which changes, and where a
// test may want its own NDEBUG.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "support/catch.hpp"
