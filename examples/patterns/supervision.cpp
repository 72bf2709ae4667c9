// Supervision: a plant with sensors and tapes. A sensor that fails is made anew, what cannot be handled is put away
// after three attempts, tapes are restarted together, and in the end all go in the reverse order of their start.
#include <chrono>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

struct reading {
  double celsius;
};
struct mean {
  using reply = double;
};
struct sensor : tact::protocol<reading, tact::request<mean>> {};

tact::behavior<sensor> open_sensor(int count = 0, double sum = 0) {
  return {[=](tact::self<sensor>& self, const reading& m) {
            if (m.celsius < -273.15) throw std::invalid_argument("colder than cold");
            if (m.celsius == 85) throw std::invalid_argument("it was just switched on");
            self.become(open_sensor(count + 1, sum + m.celsius));
          },
          [=](auto& self, const tact::request<mean>& m) { self.reply(m, count == 0 ? 0 : sum / count); }};
}

// Looks at the message that failed: of a device that was just switched on the next reading is good, and the mean stays.
tact::failure_verdict decide(const tact::failure_report& report) {
  const reading* const m = report.message_as<reading>();
  return m != nullptr && m->celsius == 85 ? tact::failure_policy::go_on : tact::failure_policy::restart;
}

struct line {
  std::string text;
};

// Its object says in `ended` when it goes.
class tape : public tact::actor<tape, line> {
 public:
  tape(std::string name, std::vector<std::string>& ended) : name_(std::move(name)), ended_(&ended) {}
  ~tape() { ended_->push_back(name_); }
  void receive(tact::self<tape>&, const line& m) {
    if (m.text.empty()) throw std::runtime_error(name_ + " is torn");
    lines_.push_back(m.text);
  }

 private:
  std::string name_;
  std::vector<std::string>* ended_;
  std::vector<std::string> lines_;
};

// The plant when all has happened but its end.
constexpr auto tree_then =
    "plant [one for one, 1 within 5000 ms]: 1 restart\n"
    "  tape 1 (transient)\n"
    "  sensors [one for one, 3 within 5000 ms]: 1 restart\n"
    "    north (permanent): 1 restart, last failure: colder than cold\n"
    "    south (transient)\n"
    "    printer (temporary)\n"
    "  tapes [one for all, 0 within 5000 ms]\n"
    "    tape 2 (transient): last failure: tape 2 is torn\n"
    "    tape 3 (transient)\n";

int main() {
  int dead = 0;
  int attempts = 0;
  std::vector<std::string> ended;  // declared before the engine, so that it goes after it
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // the tree below says what has failed
  options.on_dead_letter = [&dead](const tact::dead_letter& d) {
    ++dead;
    std::cout << "put away: a " << d.message << ", " << to_string(d.reason) << '\n';
  };
  tact::engine engine(options);
  tact::supervisor plant(engine, {.restarts = 1, .name = "plant"});
  const auto first_tape = plant.spawn<tape>(tact::restartable, tact::named("tape 1"), "tape 1", std::ref(ended));

  // One for one: the sensor that fails loses its mean and the reading that it could not handle, and nothing else.
  tact::supervisor sensors(engine, plant, {.first_delay = 1ms, .name = "sensors"});
  const tact::restarting makes_sensor([] { return open_sensor(); });
  const auto north = sensors.create(makes_sensor, tact::named("north"), tact::permanent);
  const auto south = sensors.create(makes_sensor, tact::named("south"), tact::failure_rule(decide));
  north | reading{20} | reading{22} | reading{-500} | reading{10} | reading{12};
  south | reading{4} | reading{85} | reading{6};
  const double in_north = engine.ask(north, mean{});  // it rests for 1 ms, and who asks waits so long
  const double in_south = engine.ask(south, mean{});
  std::cout << "north: " << in_north << ", south: " << in_south << '\n';

  // A poison message: three attempts, and then it is a dead letter. The lines behind it wait meanwhile.
  const auto printer = sensors.create(tact::behavior<line>{[&attempts](auto&, const line& m) {
                                        if (m.text != "?") return;
                                        ++attempts;
                                        throw std::invalid_argument("there is no such letter");
                                      }},
                                      tact::named("printer"), tact::tried_up_to(3));
  printer | line{"dear"} | line{"?"} | line{"reader"};
  engine.wait_idle();

  // One for all, and not even one restart: the supervisor of these tapes fails, and the plant restarts both.
  tact::supervisor tapes(engine, plant,
                         {.strategy = tact::restart_strategy::one_for_all, .restarts = 0, .name = "tapes"});
  const auto second_tape = tapes.spawn<tape>(tact::restartable, tact::named("tape 2"), "tape 2", std::ref(ended));
  const auto third_tape = tapes.spawn<tape>(tact::restartable, tact::named("tape 3"), "tape 3", std::ref(ended));
  first_tape | line{"one"};
  third_tape | line{"three"};
  second_tape | line{""};
  engine.wait_idle();
  const bool are_both_new = ended.size() == 2;

  std::ostringstream tree;
  tree << plant;
  std::cout << tree.str();

  ended.clear();
  plant.end();
  plant.wait();
  for (const std::string& name : ended) std::cout << name << " has ended\n";

  const bool right = in_north == 11 && in_south == 5 && attempts == 3 && dead == 1 && are_both_new &&
                     tree.str() == tree_then && ended == std::vector<std::string>{"tape 3", "tape 2", "tape 1"};
  return right ? 0 : 1;
}
