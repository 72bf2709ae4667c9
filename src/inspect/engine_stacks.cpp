#include "tact/inspect/engine_stacks.hpp"

#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

#include "inspect/handler_stack.hpp"
#include "tact/detail/access.hpp"

namespace tact::inspect {

std::ostream& operator<<(std::ostream& out, const engine_stacks& s) {
  engine_description rest = s.engine;
  rest.threads.clear();
  std::ostringstream text;
  text << rest;
  const std::string lines = text.str();
  const std::size_t first_line = lines.find('\n') + 1;  // the sums; the threads come next
  out << std::string_view(lines).substr(0, first_line);
  if (!s.engine.threads.empty()) out << "threads:\n";
  for (std::size_t i = 0; i < s.engine.threads.size(); ++i) {
    const engine_stacks::handler none;
    const engine_stacks::handler& h = i < s.handlers.size() ? s.handlers[i] : none;
    out << "  " << late_handler{s.engine.threads[i], h.runs_for, h.stack} << '\n';
  }
  return out << std::string_view(lines).substr(first_line);
}

engine_stacks describe_with_stacks(engine& of, const stack_options& options, const watchdog* watched) {
  detail::core& core = detail::access::core_of(of);
  engine_stacks found{of.describe(), {}};
  found.handlers.resize(found.engine.threads.size());
  for (std::size_t i = 0; i < found.handlers.size(); ++i) {
    const thread_description& t = found.engine.threads[i];
    if (t.doing != thread_doing::handling) continue;
    if (watched != nullptr) found.handlers[i].runs_for = watched->runs_for(t);
    found.handlers[i].stack = stack_of_handler(core, i, t, options);
  }
  return found;
}

}  // namespace tact::inspect
