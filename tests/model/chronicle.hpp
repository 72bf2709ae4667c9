// A history put together: what each message was, what each run must have done by the model, and which runs committed.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/history.hpp"
#include "model/outcome.hpp"

namespace tact::model {

struct run_facts {
  enum class progress : unsigned char { fresh, in_progress, known, senseless };
  enum class fate : unsigned char { undecided, committed, collided, failed };

  const run_record* record = nullptr;
  progress how_far = progress::fresh;
  fate ended = fate::undecided;
  scene entry{};
  std::vector<step> steps{};
  outcome must{};

  [[nodiscard]] bool committed() const noexcept { return ended == fate::committed; }
  [[nodiscard]] bool is_known() const noexcept { return how_far == progress::known; }
};

struct message_facts {
  contents sent{};
  address to{};
  run_name by = 0;
  bool left = false;  // its sender committed, or is a thread outside
  std::vector<run_facts*> runs{};

  // The run that consumed it; null: none has.
  [[nodiscard]] const run_facts* consumer() const noexcept;
};

struct actor_facts {
  item who{};
  place where = place::parallel;
  unsigned script = 0;
  run_name creator = 0;
  bool exists = false;             // it is a founder, or its creator committed
  std::vector<run_facts*> runs{};  // an exclusive one's in their order
  std::optional<survivor> alive{};
  unsigned pills = 0;

  [[nodiscard]] bool exclusive() const noexcept { return is_exclusive(where); }
};

// Which law was broken and how, in words.
class complaints {
 public:
  void add(const char* law, item actor, item message, const std::string& what);
  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return all_; }
  [[nodiscard]] bool none() const noexcept { return all_.empty(); }

  static constexpr std::size_t most = 20;

 private:
  std::vector<std::string> all_;
};

struct chronicle {
  // REQUIRES: both live as long as this.
  chronicle(const program&, const history&, complaints&);
  chronicle(const chronicle&) = delete;
  chronicle& operator=(const chronicle&) = delete;

  const program& plan_of_all;
  const history& seen;
  complaints& wrong;
  std::deque<run_facts> runs;
  std::map<run_name, run_facts*> run_by_name;
  std::map<item, message_facts> messages;  // of all that were staged
  std::map<item, actor_facts> actors;
  std::map<item, const run_facts*> askers;  // the run that made a customer

  [[nodiscard]] message_facts* message(item);
  [[nodiscard]] actor_facts* actor(item);
  // One that is no actor of the program: a beta, or a thread outside.
  [[nodiscard]] bool is_customer(item i) const { return is_asker(i) || askers.contains(i); }

 private:
  void read_outside();
  void add_founders();
  run_facts* resolve(run_name);
  bool set_scene(run_facts&);
  bool set_message(run_facts&);
  bool set_state(run_facts&, const actor_facts&);
  bool set_customer(run_facts&);
  void note_steps(run_facts&);
  void compare(const run_facts&);
};

// Decides which runs committed. REQUIRES: no complaint about the chronicle.
void decide(chronicle&);

}  // namespace tact::model
