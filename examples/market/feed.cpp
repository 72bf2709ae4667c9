#include "feed.hpp"

#include <utility>

namespace market {
namespace {

class feed {
  using self_type = tact::self<feed_protocol>;

 public:
  feed(std::shared_ptr<const session> day, std::size_t number, tact::ref<tact::request<read_records>> handler)
      : day_(std::move(day)), number_(number), handler_(handler) {}

  void operator()(self_type& self, const open_until& m) const {
    feed next = *this;
    next.opened_ = m.round;
    if (!is_asking_) next.ask(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const tact::done&) const {
    feed next = *this;
    next.so_far_.records += end_ - begin_;
    next.pass(end_);
    next.go_on(self);
  }
  void operator()(self_type& self, const tact::failure& f) const {
    if (f.reason != tact::failure_reason::handler_threw) return;  // there is no handler any more: the feed stops
    feed next = *this;
    ++next.so_far_.crashes;
    if (end_ - begin_ <= 1) {
      ++next.so_far_.malformed;
      ++next.so_far_.records;
      next.begin_ = end_;  // the next piece is empty if this was the last record
    }
    next.is_careful_ = true;
    next.go_on(self);
  }
  void operator()(self_type& self, const tact::request<feed_question>& m) const { self.reply(m, so_far_); }

 private:
  [[nodiscard]] const shared_packet& now() const { return day_->feeds[number_][so_far_.rounds]; }

  // The records before `end` are read.
  void pass(std::uint32_t end) {
    begin_ = end;
    if (end != now()->size()) return;
    ++so_far_.rounds;
    begin_ = 0;
    is_careful_ = false;
  }
  void go_on(self_type& self) {
    is_asking_ = false;
    ask(self);
    self.become(std::move(*this));
  }
  void ask(self_type& self) {
    if (so_far_.rounds == opened_) return;
    end_ = is_careful_ && begin_ != now()->size() ? begin_ + 1 : now()->size();
    self.send(handler_, tact::request<read_records>{self.ref(), {now(), begin_, end_}});
    is_asking_ = true;
  }

  std::shared_ptr<const session> day_;
  std::size_t number_;
  tact::ref<tact::request<read_records>> handler_;
  feed_figures so_far_{};
  round_number opened_ = 0;
  std::uint32_t begin_ = 0;  // what the handler reads, or read last
  std::uint32_t end_ = 0;
  bool is_asking_ = false;
  bool is_careful_ = false;  // one record at a time
};

}  // namespace

tact::behavior<feed_protocol> open_feed(std::shared_ptr<const session> day, std::size_t number,
                                        tact::ref<tact::request<read_records>> handler) {
  return feed(std::move(day), number, handler);
}

}  // namespace market
