// CRUD: a list of people that a person makes, changes, deletes and filters. It is the state of an actor on a worker.
#pragma once

#include <FL/Fl_Button.H>
#include <FL/Fl_Hold_Browser.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Window.H>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "widget.hpp"

namespace seven::crud {

struct full_name {
  std::string first;
  std::string surname;
};
// Equal names are no equal entries.
struct entry {
  int id;
  full_name name;
};
using entries = std::shared_ptr<const std::vector<entry>>;  // the ids ascend

struct filter {
  std::string prefix;  // of the surname
};
struct pick {
  std::optional<int> id;
};
struct create {
  full_name name;
};
// Of the entry that is selected.
struct update {
  full_name name;
};
struct erase {};
struct directory : tact::protocol<filter, pick, create, update, erase> {};

struct listing {
  entries visible;  // the same object, as long as nothing in it has changed
  std::optional<int> selected;
};
struct display : tact::protocol<listing> {};

// Where an entry is in the list, or the end.
inline auto find(const std::vector<entry>& in, int id) {
  const auto found = std::lower_bound(in.begin(), in.end(), id, [](const entry& e, int i) { return e.id < i; });
  return found != in.end() && found->id == id ? found : in.end();
}

struct directory_state {
  tact::ref<display> shown;
  entries all;
  int next_id;
  std::string prefix{};
  entries visible = all;
  std::optional<int> selected{};
};

inline tact::behavior<directory> directory_with(directory_state s);

// Shows what it is now. What is not to be seen is not selected.
inline void go_on(tact::self<directory>& self, directory_state s) {
  if (s.selected && find(*s.visible, *s.selected) == s.visible->end()) s.selected.reset();
  self.send(s.shown, listing{s.visible, s.selected});
  self.become(directory_with(std::move(s)));
}

inline void go_on_filtered(tact::self<directory>& self, directory_state s) {
  std::vector<entry> visible;
  std::copy_if(s.all->begin(), s.all->end(), std::back_inserter(visible),
               [&](const entry& e) { return e.name.surname.starts_with(s.prefix); });
  s.visible = std::make_shared<const std::vector<entry>>(std::move(visible));
  go_on(self, std::move(s));
}

// The entries after a change of the list.
template <class Change>
entries changed(const entries& old, Change change) {
  auto list = std::make_shared<std::vector<entry>>(*old);
  change(*list);
  return list;
}

inline tact::behavior<directory> directory_with(directory_state s) {
  return {
      [s](tact::self<directory>& self, const filter& m) {
        directory_state next = s;
        next.prefix = m.prefix;
        go_on_filtered(self, std::move(next));
      },
      [s](tact::self<directory>& self, const pick& m) {
        directory_state next = s;
        next.selected = m.id;
        go_on(self, std::move(next));
      },
      [s](tact::self<directory>& self, const create& m) {
        directory_state next = s;
        next.all = changed(s.all, [&](std::vector<entry>& list) { list.push_back({s.next_id, m.name}); });
        next.selected = s.next_id;
        ++next.next_id;
        go_on_filtered(self, std::move(next));
      },
      [s](tact::self<directory>& self, const update& m) {
        if (!s.selected) return;
        directory_state next = s;
        next.all = changed(s.all, [&](std::vector<entry>& list) {
          list[static_cast<std::size_t>(find(list, *s.selected) - list.begin())].name = m.name;
        });
        go_on_filtered(self, std::move(next));
      },
      [s](tact::self<directory>& self, const erase&) {
        if (!s.selected) return;
        directory_state next = s;
        next.all = changed(s.all, [&](std::vector<entry>& list) { list.erase(find(list, *s.selected)); });
        go_on_filtered(self, std::move(next));
      },
  };
}

// With an entry for each name.
inline tact::behavior<directory> directory_of(const std::vector<full_name>& names, tact::ref<display> shown) {
  std::vector<entry> all;
  for (const full_name& n : names) all.push_back({static_cast<int>(all.size()), n});
  const int next_id = static_cast<int>(all.size());
  return directory_with({shown, std::make_shared<const std::vector<entry>>(std::move(all)), next_id});
}

}  // namespace seven::crud

namespace seven {

class crud_window : public Fl_Window {
 public:
  crud_window(tact::engine& engine, tact::gui::fltk_loop& loop,
              const std::vector<crud::full_name>& names = {{"Hans", "Emil"}, {"Max", "Mustermann"}, {"Roman", "Tisch"}})
      : Fl_Window(480, 270, "CRUD") {
    end();
    resizable(list);
    list.format_char(0);  // what is typed has no meaning for the list
    const auto shown = loop.shows<crud::display>(*this, [](crud_window& w, const crud::listing& m) { w.show(m); });
    const auto directory = engine.create(crud::directory_of(names, shown));
    prefix.when(FL_WHEN_CHANGED);
    loop.sends(
        prefix, [](Fl_Input& f) { return crud::filter{f.value()}; }, directory);
    loop.sends(
        list, [this](Fl_Hold_Browser&) { return picked(); }, directory);
    loop.sends(
        create, [this](Fl_Button&) { return crud::create{typed_name()}; }, directory);
    loop.sends(
        update, [this](Fl_Button&) { return crud::update{typed_name()}; }, directory);
    loop.sends(
        erase, [](Fl_Button&) { return crud::erase{}; }, directory);
    directory | crud::filter{};
  }

  using Fl_Window::show;
  void show(const crud::listing& m) {
    if (m.visible != visible_) fill_list(m.visible);
    if (m.selected) {
      list.select(static_cast<int>(crud::find(*visible_, *m.selected) - visible_->begin()) + 1);  // scrolls to it
    } else {
      list.deselect();
    }
    enable(update, m.selected.has_value());
    enable(erase, m.selected.has_value());
  }

  Fl_Input prefix{110, 10, 140, 28, "Filter prefix"};
  Fl_Hold_Browser list{10, 48, 240, 172};
  Fl_Input first_name{340, 48, 130, 28, "Name"};
  Fl_Input surname{340, 84, 130, 28, "Surname"};
  Fl_Button create{10, 230, 100, 30, "Create"};
  Fl_Button update{120, 230, 100, 30, "Update"};
  Fl_Button erase{230, 230, 100, 30, "Delete"};

 private:
  void fill_list(crud::entries visible) {
    const int top = list.topline();
    visible_ = std::move(visible);
    list.clear();
    for (const auto& e : *visible_) list.add((e.name.surname + ", " + e.name.first).c_str());
    list.topline(std::min(top, list.size()));
  }
  // The entry of the line that was clicked, whose names are put into the fields; none behind the last line.
  crud::pick picked() {
    if (list.value() == 0) return {};
    const auto& e = (*visible_)[static_cast<std::size_t>(list.value() - 1)];
    first_name.value(e.name.first.c_str());
    surname.value(e.name.surname.c_str());
    return {e.id};
  }
  [[nodiscard]] crud::full_name typed_name() const { return {first_name.value(), surname.value()}; }

  crud::entries visible_;  // a line for each
};

}  // namespace seven
