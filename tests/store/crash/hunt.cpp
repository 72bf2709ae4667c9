#include "store/crash/hunt.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "store/crash/platters.hpp"
#include "store/crash/trial.hpp"
#include "support/processor_time.hpp"
#include "support/seed.hpp"

namespace tact::store_tests {

namespace {

constexpr unsigned short_groups = 3;
constexpr unsigned long_groups = 12;
constexpr int programs_time = 4;  // of exploring_time(), of the processor

std::filesystem::path new_folder() {
  const bool has_memory = ::access("/dev/shm", W_OK) == 0;
  std::string name = (has_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/tact-store-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
  return name;
}

using call = planned_failure::call;

struct failure_to_try {
  call of;
  int error;
};
constexpr std::array failures_to_try{
    failure_to_try{call::flush, EIO},           failure_to_try{call::write, ENOSPC},
    failure_to_try{call::write, EIO},           failure_to_try{call::write, 0},
    failure_to_try{call::write, EINTR},         failure_to_try{call::synced_write, ENOSPC},
    failure_to_try{call::synced_write, EINTR},  failure_to_try{call::flush, ENOSPC},
    failure_to_try{call::directory_flush, EIO},
};

// What a store must make of a call that has failed while it wrote groups.
void require_right_answer(const trial& t, const failure_to_try& f, std::size_t groups) {
  if (f.error == EINTR && t.durable_count() != groups) throw broken("an interrupted call was not done again");
  const bool may_go_on = f.of == call::write;
  if (!may_go_on && f.error != EINTR && !t.has_stopped()) throw broken("a store goes on although its disk has failed");
  if (f.of == call::write && f.error == ENOSPC && (t.has_stopped() || t.refused_count() == 0))
    throw broken("a full disk did not refuse one group, and no more");
}

// False: the program has fewer such calls.
bool play_failure(const scratch& in, std::uint64_t seed, const failure_to_try& f, std::uint64_t nth, mistake wrong,
                  std::uint64_t& images) {
  const program p = random_program(seed, short_groups);
  trial t(in.folder("failing"), {{}}, wrong);
  base::random luck(seed + nth);
  const bool at_opening = f.of == call::directory_flush || luck.one_in(4);
  const planned_failure plan{.of = f.of, .nth = nth, .times = luck.below(3) + 1, .error = f.error, .luck = luck.next()};
  if (!at_opening) t.open(p.options);
  t.disk().plan(plan);
  const std::string what = "call " + std::to_string(nth) + " of kind " + std::to_string(static_cast<int>(f.of)) +
                           (at_opening ? " at opening" : "") + " fails with error " + std::to_string(f.error);
  report_of_child().say_more(what);
  if (at_opening) t.open(p.options, true);
  const bool was_opened = !at_opening || !t.disk().has_failed();
  if (was_opened && f.of != call::directory_flush) t.write(p.groups);
  const bool failed = t.disk().has_failed();
  if (failed && was_opened) require_right_answer(t, f, p.groups.size());
  t.close();
  if (!failed) return false;
  t.disk().plan({});
  t.open(p.options);
  t.write(random_program(seed + 1, 2).groups);
  t.close();
  images += audit(t, platters(t.disk().at_first()), in.folder("found"), p.options, luck.next(),
                  {.cuts_most = 8, .images_each = 2});
  return true;
}

// Each call of this kind fails in turn.
std::uint64_t play_each(const scratch& in, std::uint64_t seed, const failure_to_try& f, mistake wrong) {
  constexpr std::uint64_t calls_most = 100;
  std::uint64_t images = 0;
  for (std::uint64_t nth = 1; nth < calls_most; ++nth) {
    try {
      if (!play_failure(in, seed, f, nth, wrong, images)) return images;
    } catch (const std::exception& what) {
      throw broken("call " + std::to_string(nth) + " of kind " + std::to_string(static_cast<int>(f.of)) +
                   " fails with error " + std::to_string(f.error) + ": " + what.what());
    }
  }
  throw broken("a short program has no end");
}

// The states in which the store may be behind a call of the trial, by chance; the platters follow the log as far.
std::vector<contents> states_after(const trial& t, base::random& luck, platters& on_disk) {
  allowance allowed(t.at_first());
  const auto& log = t.disk().log();
  for (std::size_t end = luck.below(static_cast<std::uint32_t>(log.size())) + 1, at = 0; at < end; ++at) {
    on_disk.take(log[at]);
    if (log[at].what == disk_event::sort::mark) allowed.take(log[at]);
  }
  std::vector<contents> states;
  for (const std::size_t n : allowed.states()) states.push_back(t.states()[n]);
  return states;
}

}  // namespace

scratch::scratch() : path_(new_folder()) {}
scratch::~scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path scratch::folder(const std::string& name) const {
  std::filesystem::path path = path_ / name;
  write_folder(path, {});
  return path;
}

std::uint64_t play_short(const scratch& in, std::uint64_t seed, mistake wrong) {
  const program p = random_program(seed, short_groups);
  trial t(in.folder("live"), {{}}, wrong);
  t.open(p.options);
  t.write(p.groups);
  t.close();
  return audit(t, platters(t.disk().at_first()), in.folder("found"), p.options, seed);
}

std::uint64_t play_lives(const scratch& in, std::uint64_t seed, mistake wrong) {
  constexpr unsigned lives = 3;
  base::random luck(seed);
  image there;
  std::vector<contents> may_be_there{{}};
  std::uint64_t images = 0;
  for (unsigned n = 0; n < lives; ++n) {
    const program p = random_program(seed * lives + n, n == 0 ? long_groups : short_groups);
    const std::filesystem::path folder = in.folder("live");
    write_folder(folder, there);
    trial t(folder, may_be_there, wrong);
    t.open(p.options);
    t.write(p.groups);
    t.close();
    images += audit(t, platters(t.disk().at_first()), in.folder("found"), p.options, luck.next(),
                    {.cuts_most = 12, .images_each = 2});
    // The next one begins with what a cut has left.
    platters on_disk(t.disk().at_first());
    may_be_there = states_after(t, luck, on_disk);
    there = on_disk.power_cut(luck);
  }
  return images;
}

std::uint64_t play_restarts(const scratch& in, std::uint64_t seed, mistake wrong) {
  base::random luck(seed);
  const std::filesystem::path folder = in.folder("live");
  program p = random_program(seed, long_groups);
  std::vector<contents> may_be_there;
  platters on_disk{image()};
  {
    trial t(folder, {{}}, wrong);
    t.open(p.options);
    t.write(p.groups);
    t.close();
    do {
      on_disk = platters(t.disk().at_first());
      may_be_there = states_after(t, luck, on_disk);
    } while (!on_disk.has_lasting_names());
  }
  on_disk = on_disk.numbered_anew();
  write_folder(folder, on_disk.cached());
  p = random_program(seed + 1, short_groups);
  trial t(folder, may_be_there, wrong);
  t.open(p.options);
  t.write(p.groups);
  t.close();
  return audit(t, on_disk, in.folder("found"), p.options, luck.next(), {.cuts_most = 20, .images_each = 2});
}

std::uint64_t play_failures(const scratch& in, std::uint64_t seed, mistake wrong) {
  std::uint64_t images = 0;
  for (const failure_to_try& f : failures_to_try) images += play_each(in, seed, f, wrong);
  return images;
}

std::uint64_t play_meta_failures(const scratch& in, std::uint64_t seed, mistake wrong) {
  return play_each(in, seed, {call::synced_write, EIO}, wrong);
}

child_end hunt(play p, std::uint64_t seed, mistake wrong, std::uint64_t programs_most) {
  const auto time = support::exploring_time() * programs_time;
  const bool is_counted = std::getenv("TACT_PROGRAMS") != nullptr;
  const std::uint64_t most =
      programs_most != 0 ? programs_most : support::count_from_environment("TACT_PROGRAMS", ~std::uint64_t{0});
  const scratch in;  // goes also when the child ends by a signal
  return in_child([&](child_report& report) {
    for (std::uint64_t n = 0; n < most; ++n) {
      if (programs_most == 0 && !is_counted && support::processor_time(CLOCK_PROCESS_CPUTIME_ID) > time) return;
      report.say("TACT_SEED=" + std::to_string(seed + n) + " TACT_PROGRAMS=1");
      ++report.counts[0];
      report.counts[1] += p(in, seed + n, wrong);
    }
  });
}

}  // namespace tact::store_tests
