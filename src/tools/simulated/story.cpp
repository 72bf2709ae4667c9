#include "tools/simulated/story.hpp"

#include <algorithm>
#include <utility>

#include "base/answer_name.hpp"

namespace tact::simulated {
namespace {

std::string_view verb(sync::event what) noexcept {
  using sync::event;
  switch (what) {
    case event::sent:
      return "is sent";
    case event::handling:
      return "handles";
    case event::put_aside:
      return "waits, and puts aside";
    case event::committed:
      return "has committed";
    case event::collided:
      return "collided over";
    case event::failed:
      return "threw over";
    case event::forwarded:
      return "sends home";
    case event::dead:
      return "does not get";
  }
  return "";
}

}  // namespace

void story::note(unsigned thread, sync::event what, std::uint64_t actor, std::string_view name,
                 const sync::noted_message& message, std::string_view thread_name) noexcept {
  const unsigned number = number_of(actor);
  std::string contents = contents_.text_of(message);  // printing may send, which is noted before this line
  add({thread, what, number, name, message.name, std::move(contents), {}}, actor, thread_name);
}

unsigned story::number_of(std::uint64_t actor) noexcept {
  return numbers_.try_emplace(actor, static_cast<unsigned>(numbers_.size() + 1)).first->second;
}

void story::say(unsigned thread, std::string_view text, std::string_view thread_name) noexcept {
  try {
    add({thread, sync::event::sent, 0, {}, {}, {}, std::string(text)}, 0, thread_name);
  } catch (...) {
    // Without memory the line is left out: the story is only for people to read.
  }
}

void story::add(line l, std::uint64_t address, std::string_view thread_name) {
  if (watcher_ != nullptr) watcher_->hear_line({l.thread, thread_name, l.what, address, l.actor, l.name, text_of(l)});
  if (lines_.size() < lines_max) lines_.push_back(std::move(l));
}

std::string story::text_of(const line& l) {
  std::string text = l.said;
  if (text.empty()) {
    text = base::with_address(l.name, "@" + std::to_string(l.actor)) + " " + std::string(verb(l.what)) + " " +
           std::string(l.message) + (l.contents.empty() ? "" : " (" + l.contents + ")");
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string story::text(const std::vector<std::string>& names) const {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string all;
  for (const line& l : lines_) {
    const std::string& who = names[l.thread];
    all += "  " + who + std::string(width - who.size() + 2, ' ') + text_of(l) + '\n';
  }
  if (lines_.size() == lines_max) all += "  (and more)\n";
  return all;
}

}  // namespace tact::simulated
