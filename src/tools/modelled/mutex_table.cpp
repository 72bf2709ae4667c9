#include "tools/modelled/mutex_table.hpp"

namespace tact::modelled {

void mutex_table::lock(const void* mutex, std::uintptr_t place) {
  while (!try_lock(mutex, place)) {
    const outside_of_model mine;
    mutexes_[mutex].waiting.push_back(scheduler_.running_thread());
    scheduler_.sleep(mutex, never);  // until `unlock` wakes it
  }
}

bool mutex_table::try_lock(const void* mutex, std::uintptr_t place) {
  const outside_of_model mine;
  spend(here.update);
  spend(here.memory->reach(here.core, reinterpret_cast<std::uintptr_t>(mutex), use::update, here.now, place));
  scheduler_.pass_if_far();
  mutex_state& m = mutexes_[mutex];
  if (m.owner != nobody) return false;
  m.owner = scheduler_.running_thread();
  return true;
}

void mutex_table::unlock(const void* mutex) {
  const outside_of_model mine;
  spend(here.update);
  scheduler_.pass_if_far();  // a thread that is less far must find it locked
  const auto at = mutexes_.find(mutex);
  if (at == mutexes_.end()) return;  // it was locked before the model began
  mutex_state& m = at->second;
  if (m.waiting.empty()) {
    mutexes_.erase(at);
    return;
  }
  m.owner = nobody;
  const unsigned woken = m.waiting.front();
  m.waiting.pop_front();
  scheduler_.wake_thread(woken);
}

}  // namespace tact::modelled
