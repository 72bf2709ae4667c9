// What is kept of fibers that are given up where they stand.
#include <array>
#include <cstddef>
#include <memory>

#include "fiber/fiber.hpp"
#include "support/catch.hpp"
#include "support/resident.hpp"

namespace given_up_test {

namespace {

using tact::fiber::fiber;

// The compiler does not know what it does with the objects.
[[gnu::noinline]] void look_at(std::array<int, 16>& objects) { asm volatile("" : : "r"(objects.data()) : "memory"); }

// Goes back again and again, and never leaves.
struct guest {
  fiber* home = nullptr;
  fiber* self = nullptr;
  static void run(void* argument) {
    const auto& g = *static_cast<guest*>(argument);
    std::array<int, 16> watched{};  // a sanitizer keeps such objects apart from the stack
    for (;;) {
      look_at(watched);
      g.self->switch_to(*g.home);
    }
  }
};

}  // namespace

// AddressSanitizer keeps 17 KiB at least for each fiber that has run, which would be 50 MiB.
TEST_CASE("fiber: of those that are given up nothing is kept, by a sanitizer neither", "[fiber]") {
  constexpr std::size_t stack_bytes = 256 * 1024;
  constexpr int fibers = 3'000;
  constexpr std::uint64_t most = 16 << 20;
  const auto memory = std::make_unique<std::byte[]>(stack_bytes);
  fiber home;
  const auto visit = [&] {
    guest g{&home};
    fiber visited({memory.get(), stack_bytes, nullptr}, &guest::run, &g);
    g.self = &visited;
    home.switch_to(visited);
    home.switch_to(visited);
  };
  visit();  // touches the stack
  const std::uint64_t before = tact::support::resident_bytes();
  for (int i = 0; i < fibers; ++i) visit();
  CHECK(tact::support::resident_bytes() < before + most);
}

}  // namespace given_up_test
