// What a reader sees while the writer goes on: a snapshot of the file and what was accepted since are of one moment.
#include <string>
#include <string_view>
#include <vector>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "tact/store/detail/store_core.hpp"

namespace store_front_test {

namespace {

using namespace tact::detail;

// A writer of one key, whose values are numbers.
struct writer {
  explicit writer(const std::filesystem::path& path)
      : front(disk::open(path, {.durable_within = std::chrono::hours(1)})), table(front.file().table("a")) {
    version = front.file().read().version();
  }
  void accept(int n) {
    last = std::to_string(n);
    front.publish(version, in_file, ++order, change_table{}.insert({table, "x"}, last));
  }
  void commit() {
    const std::vector<byte_change> all{{table, "x", last}};
    version = front.file().commit(all).version;
    in_file = order;
  }
  void publish() { front.publish(version, in_file, order, {}); }

  // The value in a reading, and how many writes it says that it has.
  std::string seen(byte_reading now) {
    CHECK(now.order == order);
    byte_view view(now.in_file, now.accepted, false);
    return std::string(view.find(table, "x").value_or("none"));
  }

  store_front front;
  table_number table;
  std::uint64_t version = 0;
  write_order in_file = 0;
  write_order order = 0;
  std::string last;
};

TEST_CASE("store front: a reader sees all that was accepted before it looked, whatever the writer does meanwhile") {
  const tact::support::store_folder folder;
  writer w(folder / "a");
  // What the writer does between the reader's snapshot and its look at what was accepted: nothing, or one of its steps.
  for (int step = 0; step < 4; ++step) {
    w.accept(step * 10);
    CHECK(w.seen(w.front.look()) == w.last);
    int looks = 0;
    const auto now = w.front.reading([&] {
      auto in_file = w.front.file().read();
      if (++looks == 1) {
        if (step >= 1) w.accept(step * 10 + 1);
        if (step >= 2) w.commit();
        if (step >= 3) w.publish();
      }
      return in_file;
    });
    CHECK(looks == (step == 3 ? 2 : 1));
    byte_view view(now.in_file, now.accepted, false);
    CHECK(view.find(w.table, "x") == w.last);
    CHECK(now.order == w.order);
    w.commit();
    CHECK(w.seen(w.front.look()) == w.last);  // the file has it, and the writer has not said so yet
    w.publish();
    CHECK(w.seen(w.front.look()) == w.last);
  }
}

}  // namespace

}  // namespace store_front_test
