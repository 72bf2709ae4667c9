// What both servers run: a room that tells each line to all sessions, and the buffer of what a client has not read yet.
// docs/server.md.
#pragma once

#include <tact/tact.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tact/patterns/ask_all.hpp>
#include <utility>
#include <vector>

namespace chat {

using text = std::shared_ptr<const std::string>;  // one copy for all sessions

// -- what sessions are told
struct show {
  text line;
};
struct finish {  // say goodbye, and answer when the client has read it
  using reply = void;
};
struct session_mail : tact::protocol<show, tact::request<finish>> {};

// -- what the room is told
struct enter {
  tact::ref<session_mail> who;
};
struct say {  // answered when the room has taken it: until then the session reads nothing more from its client
  using reply = void;
  std::string line;
};
struct close_all {  // answered when all clients have read the goodbye, or after `patience`
  using reply = void;
  std::chrono::milliseconds patience;
};
struct room_mail : tact::protocol<enter, tact::request<say>, tact::request<close_all>, tact::ended> {};

class room : public tact::actor<room, room_mail> {
 public:
  void receive(tact::self<room>& self, const enter& m) {
    self.monitor(m.who);
    here_.push_back(m.who);
    self.send(m.who, show{std::make_shared<std::string>("welcome\n")});
  }
  void receive(tact::self<room>& self, const tact::request<say>& m) {
    self.send_all(here_, show{std::make_shared<std::string>(m.body.line + "\n")});
    self.reply(m);
  }
  void receive(tact::self<room>& self, const tact::request<close_all>& m) {
    self.defer(m);
    self.ask_all(here_, finish{}, m.body.patience,
                 [m](tact::transaction& tx, const std::vector<tact::outcome<tact::done>>&) { tx.reply(m); });
  }
  void receive(tact::self<room>&, const tact::ended& m) {
    std::erase_if(here_, [&](const auto& who) { return m.was(who); });
  }

 private:
  std::vector<tact::ref<session_mail>> here_;
};

// What was written for a client and has not left yet. A client that reads slowly misses lines when `bytes_max` wait for
// it, and is told how many; neither the room nor the other clients wait for it, and its memory has a bound.
class outgoing {
 public:
  static constexpr std::size_t bytes_max = 64 * 1024;

  void add(const std::string& line) {
    if (waiting_.size() + line.size() > bytes_max) {
      ++missed_;
      return;
    }
    if (missed_ != 0) waiting_ += "(" + std::to_string(std::exchange(missed_, 0)) + " lines missed)\n";
    waiting_ += line;
  }
  // The last line always has room.
  void add_last(const std::string& line) {
    if (missed_ != 0) waiting_ += "(" + std::to_string(std::exchange(missed_, 0)) + " lines missed)\n";
    waiting_ += line;
  }
  [[nodiscard]] std::string_view waiting() const { return waiting_; }
  void has_left(std::size_t bytes) { waiting_.erase(0, bytes); }
  void come_back(std::string_view bytes) { waiting_.insert(0, bytes); }  // they have not left after all

 private:
  std::string waiting_{};
  unsigned missed_ = 0;
};

}  // namespace chat
