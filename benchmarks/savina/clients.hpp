// Clients of one actor, on tact: each asks it one request after the other; when the last client has ended, that actor
// is told. What they ask for is the program's: an object with
//   bool ask(Self& self, ref<P> asked);    // sends the next request, or returns false because there is none
//   void hear(std::int32_t answer);
//   const record& record() const;          // what this client has asked for and heard
#pragma once

#include <cstdint>
#include <vector>

#include "tact/tact.hpp"

namespace bench {
namespace {

struct result {
  std::int32_t value;
};
struct work_ended {};
struct start {};

// Tells the actor that the clients asked when all of them have ended.
template <class P>
class last_client : public tact::actor<last_client<P>, work_ended> {
 public:
  last_client(tact::ref<P> asked, std::uint64_t clients) : asked_(asked), left_(clients) {}
  tact::allocation receive(tact::self<last_client>& self, const work_ended& m) {
    if (--left_ != 0) return tact::allocation::nodelete;
    self.send(asked_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<P> asked_;
  std::uint64_t left_;
};

template <class P, class Requests, class Record>
class client : public tact::actor<client<P, Requests, Record>, start, result> {
 public:
  client(const Requests& mine, tact::ref<P> asked, tact::ref<last_client<P>> end, Record& record)
      : mine_(mine), asked_(asked), end_(end), record_(&record) {}
  tact::allocation receive(tact::self<client>& self, const start&) { return go_on(self); }
  tact::allocation receive(tact::self<client>& self, const result& m) {
    mine_.hear(m.value);
    return go_on(self);
  }

 private:
  tact::allocation go_on(tact::self<client>& self) {
    if (mine_.ask(self, asked_)) return tact::allocation::nodelete;
    *record_ = mine_.record();
    self.send(end_, work_ended{});
    return tact::allocation::delete_;
  }

  Requests mine_;
  tact::ref<P> asked_;
  tact::ref<last_client<P>> end_;
  Record* record_;
};

// Makes a client for each record, by make(i), and begins them.
template <class P, class Record, class Make>
void begin_clients(tact::engine& engine, tact::ref<P> asked, std::vector<Record>& records, Make make) {
  const auto end = engine.spawn<last_client<P>>(asked, records.size());
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    const auto one = engine.spawn<client<P, decltype(make(i)), Record>>(make(i), asked, end, records[i]);
    engine.send(one, start{});
  }
}

}  // namespace
}  // namespace bench
