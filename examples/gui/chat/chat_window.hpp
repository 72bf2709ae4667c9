// A window of the chat: what was said, who is there, and a field to say something.
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Browser.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Double_Window.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Toggle_Button.H>

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "inbox.hpp"
#include "room.hpp"

namespace chat {

// It joins the room when it is made, and leaves when it is destroyed, also while its inbox is stopped.
class chat_window : public Fl_Double_Window {
 public:
  chat_window(tact::engine& engine, tact::gui::fltk_loop& loop, tact::ref<room> r, const std::string& name)
      : Fl_Double_Window(380, 300), room_(r) {
    copy_label(("Chat: " + name).c_str());
    end();
    resizable(history);
    history.format_char(0);  // what people say has no meaning for the list
    people.format_char(0);
    field.when(FL_WHEN_ENTER_KEY_ALWAYS);
    const auto shown = loop.shows<display>(
        *this, [](chat_window& w, const line& m) { w.show(m); }, [](chat_window& w, const roster& m) { w.show(m); });
    inbox_ = engine.create(make_inbox(brake_, shown), tact::blocking, tact::named("inbox of " + name));
    room_ | join{{name, inbox_}};
    loop.sends(
        field, [this](Fl_Input& f) { return typed(f); }, room_);
    loop.does(stop, [this](Fl_Toggle_Button& b) {
      brake_->set(b.value() != 0);
      b.label(b.value() != 0 ? "Go on" : "Stop me");
    });
  }
  ~chat_window() override {
    room_ | leave{inbox_};
    brake_->set(false);  // so that the inbox comes to the farewell
  }

  using Fl_Double_Window::show;
  void show(const line& m) {
    history.add(m.text.c_str());
    history.bottomline(history.size());
  }
  void show(const roster& m) {
    people.clear();
    for (const std::string& n : m.names) people.add(n.c_str());
  }

  Fl_Browser history{10, 10, 250, 240};
  Fl_Browser people{270, 10, 100, 160};
  Fl_Toggle_Button stop{270, 180, 100, 30, "Stop me"};
  Fl_Button another{270, 220, 100, 30, "New window"};
  Fl_Input field{10, 260, 360, 30};

 private:
  std::optional<say> typed(Fl_Input& f) const {
    const std::string text = f.value();
    f.value("");
    if (text.empty()) return std::nullopt;
    return say{inbox_, text};
  }

  tact::ref<room> room_;
  std::shared_ptr<brake> brake_ = std::make_shared<brake>();
  tact::ref<inbox> inbox_;
};

// Opens windows, and closes those that are left at its end.
class conversation {
 public:
  conversation(tact::engine& engine, tact::gui::fltk_loop& loop)
      : engine_(engine), loop_(loop), room_(engine.create(empty_room(), tact::named("room"))) {}
  conversation(const conversation&) = delete;
  conversation& operator=(const conversation&) = delete;
  ~conversation() {
    for (const auto& w : windows_) delete w.get();
  }

  chat_window& open() {
    static constexpr const char* names[] = {"Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Fibonacci"};
    const std::size_t n = windows_.size();
    const std::size_t count = std::size(names);
    const std::string name = n < count ? names[n] : names[n % count] + (" " + std::to_string(n / count + 1));
    auto* const w = new chat_window(engine_, loop_, room_, name);
    windows_.emplace_back(*w);
    w->callback([](Fl_Widget* closed, void*) { Fl::delete_widget(closed); });  // it may be in one of its callbacks
    loop_.does(w->another, [this](Fl_Button&) { open(); });
    w->position(20 + static_cast<int>(n % 3) * 400, 20 + static_cast<int>(n / 3 % 2) * 360);
    w->show();
    return *w;
  }

 private:
  tact::engine& engine_;
  tact::gui::fltk_loop& loop_;
  tact::ref<room> room_;
  std::vector<tact::gui::fltk_widget<chat_window>> windows_;
};

}  // namespace chat
