// Flipped bits: a file in which a bit is not as it was written is found to be damaged, or says what it should.
#include <algorithm>
#include <string>
#include <vector>

#include "store/crash/hunt.hpp"
#include "store/crash/trial.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace flipped_bits_test {

namespace {

using namespace tact::store_tests;
using tact::base::random;

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t head_bytes = 192;  // of a page: what says how it is read
constexpr std::uint64_t flips_here = 300;

struct closed_file {
  image bytes;
  contents state;
  tact::store_options options;
};

closed_file make_file(const scratch& in, std::uint64_t seed) {
  const program p = random_program(seed, 12);
  closed_file f{.bytes = {}, .state = {}, .options = p.options};
  const std::filesystem::path folder = in.folder("made");
  {
    subject store(folder / data_file, p.options);
    for (const auto& group : p.groups) {
      if (store.commit(group).what != tact::detail::commit_result::fate::durable) throw broken("not durable");
      f.state = after(f.state, group);
    }
  }
  f.bytes = read_folder(folder);
  std::erase_if(f.bytes, [](const auto& each) { return is_lock_file(each.first); });
  return f;
}

// Half of them where the file says how it is read.
std::size_t random_place(std::size_t bytes, random& luck) {
  std::size_t place = luck.below(static_cast<std::uint32_t>(bytes));
  if (luck.one_in(2)) place = place / page_bytes * page_bytes + place % head_bytes;
  return luck.one_in(8) ? place % (2 * page_bytes) : place;
}

enum outcome : unsigned { done, found, right, missed, wrong, outcomes };

// Whether each value that is there is one that was written for its key.
bool has_right_values(const contents& expected, const contents& there) {
  return std::all_of(there.begin(), there.end(), [&expected](const auto& entry) {
    const auto at = expected.find(entry.first);
    return at != expected.end() && at->second == entry.second;
  });
}

outcome open_flipped(const closed_file& f, const std::filesystem::path& folder, bool read_only) {
  tact::store_options options = f.options;
  options.read_only = read_only;
  try {
    subject store(folder / data_file, options);
    const contents there = store.read();
    if (there == f.state) return right;
    return has_right_values(f.state, there) ? missed : wrong;
  } catch (const tact::store_error&) {
    return found;
  } catch (const unlike_reads&) {
    return missed;
  }
}

// Goes on with the flips behind the first `from` ones.
child_end flip_bits(std::uint64_t seed, std::uint64_t from, std::uint64_t flips) {
  const scratch in;
  return in_child([&](child_report& report) {
    closed_file f;
    for (std::uint64_t n = from; n < flips; ++n) {
      random luck(seed + n);
      if (n % 100 == 0 || n == from) f = make_file(in, seed + n / 100);
      image flipped = f.bytes;
      std::string& bytes = flipped.begin()->second;
      const std::size_t place = random_place(bytes.size(), luck);
      const unsigned bit = luck.below(8);
      bytes[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ (1U << bit));
      report.say("bit " + std::to_string(bit) + " of byte " + std::to_string(place % page_bytes) + " of page " +
                 std::to_string(place / page_bytes));
      ++report.counts[done];
      const std::filesystem::path folder = in.folder("flipped");
      write_folder(folder, flipped);
      ++report.counts[open_flipped(f, folder, luck.one_in(2))];
      if (report.counts[wrong] != 0) throw broken("a value is not what was written");
    }
  });
}

}  // namespace

TEST_CASE("crash: a flipped bit in a file never makes a value wrong", "[crash]") {
  TACT_SEEDED(seed);
  const std::uint64_t flips = tact::support::count_from_environment("TACT_PROGRAMS", flips_here);
  std::uint64_t counts[outcomes] = {};
  std::uint64_t ended = 0;
  while (counts[done] < flips) {
    const child_end end = flip_bits(seed, counts[done], flips);
    for (unsigned n = 0; n < outcomes; ++n) counts[n] += end.counts[n];
    INFO(end.now << ": " << end.problem);
    CHECK(counts[wrong] == 0);
    if (end.problem.empty()) continue;
    WARN(end.now << ": " << end.problem);
    ++ended;
  }
  UNSCOPED_INFO(counts[found] << " found, " << counts[right] << " right, " << counts[missed] << " missed, " << ended
                              << " ended the process");
  CHECK(counts[found] != 0);
  // What says how a page is read has no checksum.
  CHECK(counts[missed] + ended <= flips / 20);
}

}  // namespace flipped_bits_test
