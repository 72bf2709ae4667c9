// Bare threads that divide work evenly, and do nothing else.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

namespace bench {

// work(first, last) on each of the threads; all of [0, total) is done on return.
template <class Work>
void share(unsigned threads, std::uint64_t total, Work work) {
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([=] { work(total * t / threads, total * (t + 1) / threads); });
  }
  for (std::thread& t : all) t.join();
}

}  // namespace bench
