// A pipeline whose requests come in bursts, faster than they can be done; each has a deadline, and no queue grows
// beyond its limit.
//
//   pipeline [ORDERS [CLIENTS [DEADLINE_MS]]]      20000 orders, of 4 clients, within 20 ms, unless you say otherwise
//
//   clients  -- try_send --> desks (32 each, reject)       \                     / directory
//   archive  -- send_for --> its desk (16, hold_back)       --  ask, with limit -- press
//                                                          /                     \ ... book --> progress
//
// - A client that finds a desk's mailbox full hears so at once, and its order is refused. A desk takes one order at a
//   time through all stages: so as many are under way as there are desks, whatever comes.
// - The archive has time: its thread is held back until its desk has room.
// - An order whose deadline has passed is not worked at any more, wherever it is. What waits for an answer waits until
//   the deadline, with its stack put aside, and keeps no worker.
// - Progress is told of each order that is done; of more news than it can read the oldest are dropped.
//
// In the end each order must have become exactly one of refused, expired and done, or the program ends with 1.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "stages.hpp"

namespace {

using namespace pipeline;
using namespace std::chrono_literals;

constexpr std::uint32_t customers = 500;
constexpr std::uint32_t burst = 400;
constexpr std::size_t desks_count = 16;

struct size {
  std::uint32_t orders = 20'000;  // of which a tenth are the archive's
  std::uint32_t clients = 4;
  std::chrono::milliseconds deadline{20};

  [[nodiscard]] std::uint32_t of_archive() const { return orders / 10; }  // the first ones
};

class office {
 public:
  explicit office(const size& s)
      : size_(s),
        refused_(s.orders),
        progress_(engine_.spawn<progress>(
            tact::named("progress"), tact::mailbox_limit{.messages = 8, .when_full = tact::when_full::drop_oldest})),
        book_(engine_.spawn<book>(s.orders, progress_)) {
    const colleagues with{engine_.spawn<directory>(customers), engine_.create(open_press(), tact::parallel), book_};
    for (std::size_t i = 0; i < desks_count; ++i) {
      desks_.push_back(engine_.create(open_desk(with), tact::parallel, tact::named("desk " + std::to_string(i + 1)),
                                      tact::mailbox_limit{.messages = 32, .when_full = tact::when_full::reject}));
    }
    archive_desk_ = engine_.create(open_desk(with), tact::parallel, tact::named("the archive's desk"),
                                   tact::mailbox_limit{.messages = 16, .when_full = tact::when_full::hold_back});
    for (std::uint32_t i = 0; i < pages_.size(); ++i) pages_[i] = std::make_shared<const std::string>(make_page(i));
  }

  void work() {
    std::vector<std::thread> threads;
    threads.emplace_back([this] { bring_archive(); });
    for (std::uint32_t c = 0; c < size_.clients; ++c) threads.emplace_back([this, c] { bring_bursts(c); });
    for (std::thread& t : threads) t.join();
    engine_.wait_idle();
    result_ = engine_.ask(book_, close_book{});
    seen_ = engine_.ask(progress_, count_news{});
  }

  void print() const;
  // Empty: each order is accounted for once.
  [[nodiscard]] std::string mistake() const;

 private:
  [[nodiscard]] order make_order(std::uint32_t number) const {
    return {number, clock::now(), "PUT page of customer " + std::to_string(number % customers),
            pages_[number % pages_.size()]};
  }

  // All orders of the client but those of others, a burst at a time; then it takes breath.
  void bring_bursts(std::uint32_t client) {
    std::uint32_t in_burst = 0;
    for (std::uint32_t n = size_.of_archive() + client; n < size_.orders; n += size_.clients) {
      const order o = make_order(n);
      const auto until = tact::context().with_deadline(o.made + size_.deadline);
      const auto how = tact::with_context(until, [&] { return engine_.try_send(desks_[n % desks_.size()], o); });
      if (how != tact::send_result::sent) refused_[n] = true;
      if (++in_burst % burst != 0) continue;
      if (client == 0) look();
      std::this_thread::sleep_for(5ms);
    }
  }

  // Has no deadline but patience: its thread waits for room.
  void bring_archive() {
    for (std::uint32_t n = 0; n < size_.of_archive(); ++n) {
      const auto began = clock::now();
      if (engine_.send_for(10s, archive_desk_, make_order(n)) != tact::send_result::sent) refused_[n] = true;
      held_back_ += clock::now() - began;
    }
  }

  // How full is it at the worst moment?
  void look() {
    auto now = engine_.fullest_mailboxes(4);
    if (fullest_.empty() || (!now.empty() && now.front().fill() >= fullest_.front().fill())) fullest_ = std::move(now);
  }

  // Of the orders from..to.
  [[nodiscard]] std::uint32_t count(outcome what, std::uint32_t from, std::uint32_t to) const {
    std::uint32_t found = 0;
    for (std::uint32_t n = from; n < to; ++n) {
      if ((refused_[n] ? outcome::refused : result_.outcomes[n]) == what) ++found;
    }
    return found;
  }

  [[nodiscard]] std::uint64_t dropped() const {
    for (const tact::mailbox_depth& d : engine_.fullest_mailboxes(desks_count + 2)) {
      if (d.actor.starts_with("progress")) return d.refused;
    }
    return 0;
  }

  const size size_;
  std::vector<char> refused_;  // by number; each written by the thread that brings it
  std::array<std::shared_ptr<const std::string>, 64> pages_;
  std::vector<tact::mailbox_depth> fullest_;
  clock::duration held_back_{};
  account result_;
  std::uint64_t seen_ = 0;
  tact::engine engine_;
  tact::ref<progress> progress_;
  tact::ref<book> book_;
  std::vector<tact::ref<order>> desks_;
  tact::ref<order> archive_desk_;
};

double in_ms(clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

void office::print() const {
  std::printf("%10s %9s %9s %9s %9s %9s\n", "", "made", "refused", "accepted", "expired", "done");
  const auto row = [&](const char* who, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t refused = count(outcome::refused, from, to);
    std::printf("%10s %9u %9u %9u %9u %9u\n", who, to - from, refused, to - from - refused,
                count(outcome::expired, from, to), count(outcome::done, from, to));
  };
  row("clients", size_.of_archive(), size_.orders);
  row("archive", 0, size_.of_archive());
  std::vector<clock::duration> latencies = result_.latencies;
  std::sort(latencies.begin(), latencies.end());
  if (!latencies.empty()) {
    std::printf("latency of what was done: half within %.2f ms, 99 of 100 within %.2f ms\n",
                in_ms(latencies[latencies.size() / 2]), in_ms(latencies[latencies.size() * 99 / 100]));
  }
  std::printf("the archive's thread was held back for %.0f ms\n", in_ms(held_back_));
  std::printf("progress read %llu news, %llu were dropped\n", static_cast<unsigned long long>(seen_),
              static_cast<unsigned long long>(dropped()));
  std::printf("the fullest mailboxes, when they were fullest:\n");
  for (const tact::mailbox_depth& d : fullest_) {
    std::printf("  %-20s %3llu of %llu\n", d.actor.substr(0, d.actor.find(" (")).c_str(),
                static_cast<unsigned long long>(d.messages), static_cast<unsigned long long>(d.limit.messages));
  }
  for (std::size_t i = 0; i < region_names.size(); ++i) {
    std::printf("%s%s %llu", i == 0 ? "done for the " : ", the ", region_names[i].data(),
                static_cast<unsigned long long>(result_.by_region[i]));
  }
  std::printf("\n");
}

std::string office::mistake() const {
  if (result_.twice != 0) return "an order was settled twice";
  for (std::uint32_t n = 0; n < size_.orders; ++n) {
    if ((result_.outcomes[n] == outcome::none) != (refused_[n] != 0)) {
      return "order " + std::to_string(n) + (refused_[n] ? " was refused and settled" : " was lost");
    }
  }
  if (count(outcome::broken, 0, size_.orders) != 0) return "a page is not what it was";
  const std::uint64_t done = count(outcome::done, 0, size_.orders);
  std::uint64_t of_regions = 0;
  for (const std::uint64_t r : result_.by_region) of_regions += r;
  if (of_regions != done) return "the regions have another sum";
  if (count(outcome::done, 0, size_.of_archive()) != size_.of_archive()) return "the archive is not complete";
  if (seen_ + dropped() != result_.told || result_.told != done) return "news are missing";
  return {};
}

std::uint32_t number_from(const char* text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), number);
  if (error != std::errc() || *end != '\0' || number == 0 || number > 100'000'000) {
    throw std::runtime_error(std::string(text) + " is no number of orders, clients or milliseconds");
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 4) throw std::runtime_error("usage: pipeline [ORDERS [CLIENTS [DEADLINE_MS]]]");
    size s;
    if (argc > 1) s.orders = number_from(argv[1]);
    if (argc > 2) s.clients = number_from(argv[2]);
    if (argc > 3) s.deadline = std::chrono::milliseconds(number_from(argv[3]));
    office o(s);
    o.work();
    o.print();
    const std::string mistake = o.mistake();
    if (mistake.empty()) return 0;
    std::cerr << mistake << "\n";
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "pipeline: " << e.what() << "\n";
    return 2;
  }
}
