// What most sources include of others' headers, compiled once. Nothing of tact, which changes.

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
