// Assertions with a sentence. They stay on in release builds: each one here is cheap and guards memory.
#pragma once

namespace tact::base {

// Prints the sentence and the place of the assertion, and ends the process.
[[noreturn]] void assertion_failed(const char* sentence, const char* file, int line) noexcept;

}  // namespace tact::base

#define TACT_ASSERT(condition, sentence) \
  ((condition) ? static_cast<void>(0) : ::tact::base::assertion_failed(sentence, __FILE__, __LINE__))
