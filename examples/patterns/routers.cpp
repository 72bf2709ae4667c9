// A post office: letters go to clerks by turns, by name, or to all, and postcards as letters; parcels are put in order
// again; and a guest has an address that can be taken back.
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>
#include <vector>

using namespace std::chrono_literals;

struct letter {
  std::string name;
};
// What a friend writes, who knows nothing of letters.
struct postcard {
  std::string from;
};
struct letters_seen {
  using reply = int;
};
struct clerk : tact::protocol<letter, tact::request<letters_seen>> {};

tact::behavior<clerk> hire(int seen = 0) {
  return {
      [=](tact::self<clerk>& self, const letter&) { self.become(hire(seen + 1)); },
      [=](auto& self, const tact::request<letters_seen>& m) { self.reply(m, seen); },
  };
}

struct office {
  tact::engine& engine;
  std::vector<tact::ref<clerk>> clerks{};

  void open(int count) {
    clerks.clear();
    for (int i = 0; i < count; ++i) clerks.push_back(engine.create(hire()));
  }
  [[nodiscard]] std::vector<int> seen() const {
    engine.wait_idle();
    return engine.ask_all(clerks, letters_seen{});
  }
};

// A clerk gets postcards as letters.
int look_at_cards(office& post) {
  const auto box = post.engine.create(
      tact::adapter<postcard>(post.clerks[0], [](const postcard& card) { return letter{"a card from " + card.from}; }));
  box | postcard{"Oslo"};
  return post.seen() != std::vector<int>{2, 1, 1};
}

// Guests may look: one until he is sent away, the other one until the door is shut.
int look_at_guests(office& post) {
  int wrong = 0;
  const auto skin = post.engine.create(tact::membrane<clerk>());
  const tact::ref<clerk> rude = post.engine.ask(skin, tact::handle_to<clerk>{post.clerks[0]});
  const tact::ref<clerk> guest = post.engine.ask(skin, tact::handle_to<clerk>{post.clerks[0]});
  wrong += post.engine.ask(rude, letters_seen{}) != 2;
  post.engine.ask(skin, tact::revoke_handle<clerk>{rude});
  rude | letter{"a last word"};
  post.engine.wait_idle();
  wrong += post.engine.ask(guest, letters_seen{}) != 2;
  wrong += post.engine.ask(skin, tact::count_refusals<clerk>{rude}) != 1;
  post.engine.ask(skin, tact::cut_handles{});
  try {
    wrong += post.engine.ask(guest, letters_seen{}) != -1;
  } catch (const tact::ask_error& e) {
    wrong += e.reason() != tact::failure_reason::target_ended;
  }
  return wrong;
}

int main() {
  int wrong = 0;
  tact::engine engine;
  office post{engine};

  // By turns, on all workers; a clerk who comes later has his turns too.
  post.open(2);
  const auto turns = engine.create(tact::router<clerk>(post.clerks, tact::round_robin()), tact::parallel);
  turns | letter{"anyone"};  // from now on it watches them, and no run collides with this one
  engine.wait_idle();
  for (int i = 0; i < 9; ++i) turns | letter{"anyone"};
  wrong += post.seen() != std::vector<int>{5, 5};
  post.clerks.push_back(engine.create(hire()));
  turns | tact::add_member<clerk>{post.clerks.back()};
  engine.wait_idle();
  for (int i = 0; i < 9; ++i) turns | letter{"anyone"};
  wrong += post.seen() != std::vector<int>{8, 8, 3};

  // One name, one clerk.
  post.open(4);
  std::vector<tact::ref<letter>> readers(post.clerks.begin(), post.clerks.end());
  const auto by_name = tact::by_key([](const letter& l) { return l.name; });
  const auto names = engine.create(tact::router<letter>(readers, by_name));
  for (int i = 0; i < 6; ++i) names | letter{"Ada"};
  int clerks_of_ada = 0;
  for (const int n : post.seen()) clerks_of_ada += n == 6;
  wrong += clerks_of_ada != 1;

  // To all.
  post.open(3);
  const auto all = engine.create(tact::router<letter>({post.clerks.begin(), post.clerks.end()}, tact::broadcast()));
  all | letter{"everybody"};
  wrong += post.seen() != std::vector<int>{1, 1, 1};

  // Parcels 1 to 4 come in another order, and one of them twice.
  std::vector<int> unpacked;
  std::uint64_t twice = 0;
  const auto unpacker = engine.create(tact::behavior<int>{[&](auto&, int parcel) { unpacked.push_back(parcel); }});
  const auto watcher = engine.create(tact::behavior<tact::sequence_trouble>{
      [](auto&, const tact::sequence_gap&) {},
      [&](auto&, const tact::out_of_sequence& m) { twice = m.number; },
  });
  const auto parcels = engine.create(tact::resequencer<int>(unpacker, watcher, 1min));
  for (const int n : {2, 4, 1, 2, 3}) parcels | tact::numbered<int>{static_cast<std::uint64_t>(n), n * 10};
  engine.wait_idle();
  wrong += unpacked != std::vector<int>{10, 20, 30, 40} || twice != 2;

  wrong += look_at_cards(post);
  wrong += look_at_guests(post);
  return wrong;
}
