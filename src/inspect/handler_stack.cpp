#include "inspect/handler_stack.hpp"

#include <vector>

#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

bool is_same_handler(const thread_description& a, const thread_description& b) noexcept {
  return a.doing == thread_doing::handling && b.doing == a.doing && a.handled == b.handled && a.actor == b.actor &&
         a.message == b.message;
}

thread_stack stack_of_handler(detail::core& engine, std::size_t number, const thread_description& seen,
                              const stack_options& options) {
  if (options.signal == 0) return {};
  if (seen.number_in_system == 0) return {{}, "the system does not say which thread this is"};
  thread_stack stack = stack_of_thread(seen.number_in_system, options);
  const std::vector<thread_description> now = detail::describe_threads(engine);
  if (number < now.size() && is_same_handler(seen, now[number])) return stack;
  return {{}, "the handler has returned meanwhile"};
}

}  // namespace tact::inspect
