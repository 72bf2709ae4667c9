// The stack of a handler that runs.
#pragma once

#include "tact/description.hpp"
#include "tact/detail/core.hpp"
#include "tact/inspect/thread_stack.hpp"

namespace tact::inspect {

// Both were seen of the same handler, or of one that handles the same type of message for the same actor behind it.
[[nodiscard]] bool is_same_handler(const thread_description& a, const thread_description& b) noexcept;

// The stack of the thread, which ran that handler when it was described. `number`: of the thread among those of
// detail::describe_threads. No frames: the handler has returned meanwhile. Throws what stack_of_thread throws.
[[nodiscard]] thread_stack stack_of_handler(detail::core& engine, std::size_t number, const thread_description& seen,
                                            const stack_options& options);

}  // namespace tact::inspect
