// The steps of a trace may be any, in any order, begin and end anywhere: what can be read of them is read.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "inspect/handled_messages.hpp"
#include "inspect/json_builder.hpp"
#include "inspect/packed_event.hpp"
#include "inspect/page/trace_summary.hpp"
#include "inspect/trace_reader.hpp"

namespace {

using namespace tact::inspect;

constexpr std::size_t threads = 3;
constexpr unsigned steps = static_cast<unsigned>(step::restarted) + 1;

// Four characters are a step. Few messages, actors and times: so they meet.
event_words unpacked(std::string_view four, std::uint64_t& ticks) {
  const auto number = [&](std::size_t i) { return static_cast<unsigned char>(four[i]); };
  const unsigned what = (number(0) + 256U - 'a') % (steps + 1);
  ticks += number(3) % 4U;
  if (what == steps) return packed_event::pack_text({number(1), number(2), number(3)});
  const unsigned how = number(3) / 4U % (static_cast<unsigned>(outcome::waits) + 1);
  const tact::detail::trace_note n{.step = static_cast<step>(what),
                                   .outcome = static_cast<outcome>(how),
                                   .id = number(1) % 16U,
                                   .actor = number(2) % 8U * 64U};
  return packed_event::pack(n, ticks, n.step == step::marked ? number(2) : number(2) / 8U % 5U, number(3) / 32U);
}

probe::contents written(std::string_view text) {
  probe::contents all;
  all.names = {"", "deposit", "quoted \"\n\xff", "account"};
  all.steps.resize(threads);
  std::array<std::uint64_t, threads> ticks{};
  for (std::size_t t = 0; t < threads; ++t) all.threads.push_back("worker " + std::to_string(t));
  for (; text.size() >= 5; text.remove_prefix(5)) {
    const std::size_t t = static_cast<unsigned char>(text[0]) % threads;
    all.steps[t].events.push_back(unpacked(text.substr(1, 4), ticks[t]));
  }
  return all;
}

void require(bool is_right, const char* what) {
  if (is_right) return;
  std::cerr << what << '\n';
  std::abort();
}

// How many steps there are beside parts of texts, and those that say of the next one what it comes of.
std::size_t count(const probe::contents& all) {
  std::size_t n = 0;
  for (const auto& t : all.steps) {
    n += static_cast<std::size_t>(std::count_if(t.events.begin(), t.events.end(), [](const event_words& e) {
      const unsigned what = packed_event::step(e);
      return what != packed_event::part_of_text && what != static_cast<unsigned>(step::caused);
    }));
  }
  return n;
}

void read_by_people(const trace& t) {
  std::ostringstream text;
  t.write_chrome_json(text);
  for (std::uint64_t message = 0; message < 16; message += 3) {
    text << t.why(message);
    t.write_mermaid(text, message, 20);
    t.write_svg(text, message);
  }
  handled_messages of_one(64);
  for (const handled_message& m : of_one.find(t)) text << m.text();
  json_builder page;
  page.open_object();
  summarize(t, page);
  require(!page.close_object().take().empty() && !text.str().empty(), "nothing is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  probe::contents all = written({reinterpret_cast<const char*>(data), size});
  const std::size_t there = count(all);
  const trace t = trace_reader::read(std::move(all));
  require(t.events().size() == there, "a step is left out, or there twice");
  require(
      std::is_sorted(t.events().begin(), t.events().end(), [](const event& a, const event& b) { return a.at < b.at; }),
      "a step is at an earlier time than the one before it");
  read_by_people(t);
  return 0;
}
