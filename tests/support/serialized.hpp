// A service that does one thing at a time, and threads that want it at once: the promise of serializers, checked.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::support {

enum class fate : unsigned char { answered, answered_twice, thrown, forgotten, lost };
inline constexpr unsigned fates = 5;

struct job {
  using reply = long;
  int client = 0;
  int number = 0;
  fate how = fate::answered;

  [[nodiscard]] long answer() const noexcept { return client * 1'000'000L + number; }
};

// What went on at the service and at its clients.
struct books {
  explicit books(int clients) : last(static_cast<std::size_t>(clients), -1) {}

  void wrong(const char* what) {
    const char* none = nullptr;
    complaint.compare_exchange_strong(none, what);
  }
  void begin(const job& j) {
    if (inside.exchange(true)) wrong("two requests are at the service at once");
    int& before = last[static_cast<std::size_t>(j.client)];
    if (in_order && j.number <= before) wrong("requests of one client changed places");
    before = j.number;
  }
  void end() {
    if (!inside.exchange(false)) wrong("a request that is not at the service ended");
  }
  // A client hears of what it asked.
  void hear(const job& j, const long* answer, failure_reason why) {
    ++heard;
    const bool good = j.how == fate::answered || j.how == fate::answered_twice;
    if (good != (answer != nullptr)) return wrong("a client hears of another one's fate");
    if (good && *answer != j.answer()) return wrong("a client has another one's answer");
    const auto reason = j.how == fate::thrown ? failure_reason::handler_threw
                        : j.how == fate::lost ? failure_reason::target_ended
                                              : failure_reason::unanswered;
    if (!good && why != reason) wrong("a client hears a wrong reason");
  }

  bool in_order = true;
  std::atomic<bool> inside{false};
  std::atomic<int> heard{0};
  std::atomic<const char*> complaint{nullptr};
  std::vector<int> last;  // by the service
};

// The service begins a job, and another actor brings the answer.
struct finish {
  request<job> asked;
};

inline behavior<finish> hire_messenger(std::shared_ptr<books> b) {
  return {[b](auto& self, const finish& m) {
    b->end();
    self.reply(m.asked, m.asked.body.answer());
    if (m.asked.body.how == fate::answered_twice) self.reply(m.asked, m.asked.body.answer());
  }};
}

inline behavior<request<job>> open_service(std::shared_ptr<books> b, ref<finish> messenger) {
  return {[b, messenger](auto& self, const request<job>& m) {
    b->begin(m.body);
    if (m.body.how == fate::answered || m.body.how == fate::answered_twice) {
      self.send(messenger, finish{m});
      return self.defer(m);
    }
    b->end();
    if (m.body.how == fate::thrown) throw std::runtime_error("the service is out of order");
    if (m.body.how == fate::lost) self.send(ref<request<job>>{}, m);
  }};
}

// Asks for so many jobs at once.
struct start {
  int client;
  int jobs;
  unsigned salt;
};
inline behavior<start> hire_client(std::shared_ptr<books> b, ref<request<job>> serializer) {
  return {[b, serializer](auto& self, const start& m) {
    for (int i = 0; i < m.jobs; ++i) {
      const job j{m.client, i, static_cast<fate>((static_cast<unsigned>(i * i + m.client) + m.salt) % fates)};
      self.ask(
          serializer, j, [b, j](transaction&, long answer) { b->hear(j, &answer, {}); },
          [b, j](transaction&, const failure& f) { b->hear(j, nullptr, f.reason); });
    }
  }};
}

// Opens a serializer of a kind, and sends it what the clients want. What is wrong; null: nothing.
template <class Make>
const char* serve_all(engine& e, Make make, bool ordered_one, int clients, int jobs, unsigned salt) {
  const auto b = std::make_shared<books>(clients);  // what is asked may fail when the engine ends
  b->in_order = ordered_one;
  const auto service = e.create(open_service(b, e.create(hire_messenger(b), tact::parallel)));
  const ref<request<job>> gate = ordered_one ? e.create(make(service)) : e.create(make(service), tact::parallel);
  for (int c = 0; c < clients; ++c) e.send(e.create(hire_client(b, gate)), start{c, jobs, salt});
  if (!e.wait_idle(generous)) return "something goes on for ever";
  if (b->complaint != nullptr) return b->complaint;
  if (b->heard < clients * jobs) return "a client was not told";
  return b->heard > clients * jobs ? "a client was told twice" : nullptr;
}

}  // namespace tact::support
