#include "tools/modelled/memory.hpp"

#include <algorithm>

namespace tact::modelled {
namespace {

constexpr std::size_t lines_of(double kib) noexcept { return static_cast<std::size_t>(std::max(kib, 1.0) * 1024 / 64); }

}  // namespace

memory::memory(const machine& on, const model_costs& costs)
    : machine_(on),
      times_{of_ns(costs.l2),
             of_ns(costs.l3),
             of_ns(costs.same_l3),
             of_ns(costs.same_package),
             of_ns(costs.other_package),
             of_ns(costs.memory),
             of_ns(costs.other_memory)},
      hop_(of_ns(costs.hop)),
      window_(of_ns(costs.window)),
      fault_(of_ns(costs.fault)),
      stores_waited_(costs.stores_waited),
      streams_waited_(costs.streams_waited),
      translations_(translations),
      first_levels_(on.cores().size()),
      cores_(on.cores().size(), {lines_of(costs.l2_kib), static_cast<unsigned>(std::max(costs.fetches_max, 1.0))}),
      shared_(on.caches(), {lines_of(costs.l3_kib), 16}),
      accounts_(own_.resource(), on.nodes()) {}

// -- reaching a line

picoseconds memory::reach(unsigned core, std::uintptr_t address, use how, picoseconds now, std::uintptr_t place) {
  picoseconds waited = 0;
  const std::uint32_t number = number_of(core, address, waited);
  const bool writes = is_write(how);
  line& l = at(number);
  nearest& near = first_levels_[core][number % first_level_lines];
  if (near.line == number && (l.is_owned_by(core) || !writes)) {
    // It was only the translation of the address that was not at hand, which depends on where the system puts things;
    // or it is the first write to a line that no other core has read.
    if (writes) l.is_changed = near.may_write = true;
    return waited;
  }
  core_state& c = cores_[core];
  const bool in_stream = is_next_of_stream(c, number);
  const picoseconds rest = rest_of_fetch(c, number, now);
  way w{source::l2, times_[0]};
  if (l.holders.has(core) && (!writes || l.is_owned_by(core))) {
    static_cast<void>(c.l2.use(number));
    if (writes) l.is_changed = true;
    near = {number, may_write(core, l)};
    waited += std::max(part_waited(w.time, how, in_stream), rest);
  } else {
    w = writes ? way_to_own(core, number, l) : way_to(core, number, l);
    const picoseconds begins = std::max(now, l.free_at);
    // Copies of a line that is shared can be given to several cores at a time.
    if (writes || l.owner >= 0) l.free_at = begins + std::max(hop_, w.time / 2);
    if (writes) l.is_changed = true;
    writes ? own(core, number, l) : share(core, number, l);
    waited += std::max(begins - now + part_waited(w.time, how, in_stream), rest);
  }
  note(w, number, l, place, core, how, waited);
  return waited;
}

void memory::fetch(unsigned core, std::uintptr_t address, use how, picoseconds now, std::uintptr_t place) {
  const bool to_write = is_write(how);
  picoseconds waited = 0;
  const std::uint32_t number = number_of(core, address, waited);
  line& l = at(number);
  if (to_write ? l.is_owned_by(core) : l.holders.has(core)) return;
  const way w = to_write ? way_to_own(core, number, l) : way_to(core, number, l);
  const picoseconds begins = std::max(now, l.free_at);
  if (to_write || l.owner >= 0) l.free_at = begins + std::max(hop_, w.time / 2);
  to_write ? own(core, number, l) : share(core, number, l);
  forget(core, number);  // its first access waits for the rest
  note(w, number, l, place, core, how, 0);
  core_state& c = cores_[core];
  fetched& f = c.on_the_way[c.next_fetch];
  c.next_fetch = (c.next_fetch + 1) % static_cast<unsigned>(c.on_the_way.size());
  // When all are on their way, this one begins as the oldest one arrives.
  f = {number, std::max(begins, f.ready_at) + w.time};
}

void memory::note(const way& w, std::uint32_t number, line& l, std::uintptr_t place, unsigned core, use how,
                  picoseconds waited) {
  accounts_.note(w.from, l.account, place, core, how, waited);
  if (w.from == source::memory || w.from == source::other_memory) accounts_.note_memory(node_of(number));
}

picoseconds memory::rest_of_fetch(core_state& c, std::uint32_t number, picoseconds now) noexcept {
  for (fetched& f : c.on_the_way) {
    if (f.line != number) continue;
    f.line = no_line;
    return f.ready_at > now ? f.ready_at - now : 0;
  }
  return 0;
}

picoseconds memory::part_waited(picoseconds time, use how, bool in_stream) const noexcept {
  if (how == use::update) return time;
  if (in_stream) return static_cast<picoseconds>(static_cast<double>(time) * streams_waited_);
  if (how == use::write) return static_cast<picoseconds>(static_cast<double>(time) * stores_waited_);
  return time <= window_ ? time / 4 : time - window_ * 3 / 4;
}

bool memory::is_next_of_stream(core_state& c, std::uint32_t number) noexcept {
  for (std::uint32_t& last : c.stream) {
    if (number - last - 1 > 1) continue;  // one of the next two
    last = number;
    return true;
  }
  c.stream[c.next_stream] = number;
  c.next_stream = (c.next_stream + 1) % streams;
  return false;
}

std::uint32_t memory::number_of(unsigned core, std::uintptr_t address, picoseconds& waited) {
  translation& t = translations_[slot_of(address)];
  const std::uintptr_t wanted = address / page_bytes;
  if (t.page != wanted) {
    const auto [at, is_new] = numbers_.try_emplace(wanted, static_cast<std::uint32_t>(pages_.size() + 1));
    if (is_new) {
      pages_.emplace_back();
      pages_.back().node = node_for(wanted, core);
      waited += fault_;
    }
    t = {wanted, at->second * page::lines};
  }
  return t.first + static_cast<std::uint32_t>(address / line_bytes % page::lines);
}

// -- where a page lies

std::uint16_t memory::node_for(std::uintptr_t page, unsigned core) const {
  const auto told = told_nodes_.find(page);
  return told != told_nodes_.end() ? told->second : static_cast<std::uint16_t>(machine_.cores()[core].node);
}

// The first page of each range lies on the first memory, so that nothing depends on its address.
void memory::interleave(std::uintptr_t first, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes / page_bytes; ++i)
    told_nodes_[first / page_bytes + i] = static_cast<std::uint16_t>(i % machine_.nodes());
}

std::vector<std::uint64_t> memory::pages_by_node() const {
  std::vector<std::uint64_t> counts(machine_.nodes());
  for (const page& p : pages_) ++counts[p.node];
  return counts;
}

memory::way memory::way_to(unsigned core, std::uint32_t number, const line& l) const noexcept {
  const auto from = [this](source s) { return way{s, times_[static_cast<std::size_t>(s)]}; };
  const machine::core& asker = machine_.cores()[core];
  if (l.owner >= 0) return from(machine_.between(static_cast<unsigned>(l.owner), core));
  if ((l.caches >> asker.cache & 1) != 0) return from(source::l3);
  way best = from(node_of(number) == asker.node ? source::memory : source::other_memory);
  if (l.is_changed) best.time = ~picoseconds{0};  // what memory has is out of date
  const auto consider = [&](source s) {
    if (from(s).time < best.time) best = from(s);
  };
  for (std::uint64_t caches = l.caches; caches != 0; caches &= caches - 1)
    consider(machine_.from_cache(static_cast<unsigned>(__builtin_ctzll(caches)), core));
  l.holders.for_each([&](unsigned holder) {
    consider(machine_.cores()[holder].cache == asker.cache ? source::l3 : machine_.between(holder, core));
  });
  return best;
}

memory::way memory::way_to_own(unsigned core, std::uint32_t number, const line& l) const noexcept {
  const bool has_it = l.holders.has(core);
  way farthest = has_it ? way{source::l3, times_[static_cast<std::size_t>(source::l3)]} : way_to(core, number, l);
  const auto consider = [&](source s) {
    const picoseconds time = times_[static_cast<std::size_t>(s)];
    if (time > farthest.time) farthest = {s, time};
  };
  const unsigned cache = machine_.cores()[core].cache;
  for (std::uint64_t caches = l.caches & ~(std::uint64_t{1} << cache); caches != 0; caches &= caches - 1)
    consider(machine_.from_cache(static_cast<unsigned>(__builtin_ctzll(caches)), core));
  l.holders.for_each([&](unsigned holder) {
    if (holder != core) consider(machine_.between(holder, core));
  });
  return farthest;
}

// -- who has a line

void memory::own(unsigned core, std::uint32_t number, line& l) {
  l.holders.for_each([&](unsigned holder) {
    if (holder == core) return;
    cores_[holder].l2.remove(number);
    forget(holder, number);
  });
  for (std::uint64_t caches = l.caches; caches != 0; caches &= caches - 1)
    shared_[static_cast<unsigned>(__builtin_ctzll(caches))].remove(number);
  l.holders = {};
  l.caches = 0;
  l.owner = static_cast<std::int16_t>(core);
  keep(core, number, l);
}

void memory::share(unsigned core, std::uint32_t number, line& l) {
  const unsigned cache = machine_.cores()[core].cache;
  if (l.owner >= 0) {
    const auto owner = static_cast<unsigned>(l.owner);
    l.owner = -1;
    nearest& n = first_levels_[owner][number % first_level_lines];
    if (n.line == number) n.may_write = false;
    put_in_cache(machine_.cores()[owner].cache, number);
  } else if (l.holders.is_empty() && (l.caches & ~(std::uint64_t{1} << cache)) == 0) {
    if (l.caches != 0) shared_[cache].remove(number);
    l.caches = 0;
    l.owner = static_cast<std::int16_t>(core);
  }
  keep(core, number, l);
}

void memory::keep(unsigned core, std::uint32_t number, const line& l) {
  first_levels_[core][number % first_level_lines] = {number, may_write(core, l)};
  at(number).holders.add(core);
  if (cores_[core].l2.use(number)) return;
  if (const std::uint32_t dropped = cores_[core].l2.add(number); dropped != no_line) leave_core(core, dropped);
}

// A line that falls out of a core's cache goes to the shared one.
void memory::leave_core(unsigned core, std::uint32_t number) {
  line& l = at(number);
  l.holders.remove(core);
  if (l.is_owned_by(core)) l.owner = -1;
  forget(core, number);
  put_in_cache(machine_.cores()[core].cache, number);
}

void memory::put_in_cache(unsigned cache, std::uint32_t number) {
  line& l = at(number);
  if ((l.caches >> cache & 1) != 0) return;
  l.caches |= std::uint64_t{1} << cache;
  if (const std::uint32_t dropped = shared_[cache].add(number); dropped != no_line) leave_cache(cache, dropped);
}

void memory::leave_cache(unsigned cache, std::uint32_t number) {
  line& l = at(number);
  l.caches &= ~(std::uint64_t{1} << cache);
  if (l.caches == 0 && l.holders.is_empty()) l.is_changed = false;  // it is written to memory
}

void memory::forget(unsigned core, std::uint32_t number) noexcept {
  nearest& n = first_levels_[core][number % first_level_lines];
  if (n.line == number) n.line = no_line;
}

// -- for tests

bool memory::is_consistent() const {
  bool is = true;
  std::size_t in_cores = 0, in_caches = 0;
  for (unsigned core = 0; core < cores_.size(); ++core) {
    cores_[core].l2.for_each([&](std::uint32_t number) {
      is = is && at(number).holders.has(core);
      ++in_cores;
    });
    for (const nearest& n : first_levels_[core])
      if (n.line != no_line) is = is && at(n.line).holders.has(core) && (!n.may_write || may_write(core, at(n.line)));
  }
  for (unsigned cache = 0; cache < shared_.size(); ++cache) {
    shared_[cache].for_each([&](std::uint32_t number) {
      is = is && (at(number).caches >> cache & 1) != 0;
      ++in_caches;
    });
  }
  // What tags have was found, so equal numbers mean that they have all.
  for (const page& p : pages_) {
    for (const line& l : p.all) {
      if (l.owner >= 0)
        is = is && l.holders.has(static_cast<unsigned>(l.owner)) && l.holders.count() == 1 && l.caches == 0;
      in_cores -= l.holders.count();
      in_caches -= static_cast<std::size_t>(__builtin_popcountll(l.caches));
    }
  }
  return is && in_cores == 0 && in_caches == 0;
}

}  // namespace tact::modelled
