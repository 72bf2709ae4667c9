// The actors of the spreadsheet: one holds the sheet, and each cell with content is one of its own. No widgets.
//
// Why no value can be stale. The sheet numbers the edits. For each it finds out which cells depend on the one that was
// edited, and sends only these an order to evaluate under that number. A cell that has the order waits for all
// its inputs under that number: cells that depend on the edit send theirs when they have evaluated, all others are told
// to send the value that they have. A cell carries out the sheet's orders in their order, and the sheet keeps cells
// that are on a cycle from waiting. So what a cell evaluates for an edit is what its inputs were behind that edit,
// whichever workers run the cells and however their messages meet; nothing has to be subscribed, invalidated or looked
// at twice. Edits do not wait for each other: while one still spreads the next does already.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

#include "formula.hpp"

namespace seven::cells {

struct edit {
  position at;
  std::string text;
};
struct undo {};
struct spreadsheet : tact::protocol<edit, undo> {};

// A cell has evaluated: one message for each time.
struct evaluated {
  position at;
  int edit;  // its number; a window leaves out values that are older than what it shows
  cell_value value;
};
// What a cell shows when it is edited.
struct entered {
  position at;
  std::string text;
};
struct history {
  std::size_t edits;  // that can be undone
};
struct sheet_view : tact::protocol<evaluated, entered, history> {};

using sheet_contents = std::map<position, std::shared_ptr<const cell_content>>;

// What one edit asks of one cell.
struct cell_task {
  bool evaluates = false;           // else it sends the value that it has
  std::string cycle{};              // #cycle and the cells on it, if it is on one: then that is its value
  std::size_t inputs = 0;           // for how many it waits
  std::vector<position> readers{};  // the cells that wait for it
};

// Through which cells does that one depend on itself? The shortest way, "A0 B1 A0", or nothing. `among`: no other cells
// can be on it.
inline std::string cycle_of(const sheet_contents& contents, position start, const std::set<position>& among) {
  std::map<position, position> reached_from;
  std::vector<position> open{start};
  for (std::size_t i = 0; i < open.size() && !reached_from.contains(start); ++i) {
    const auto found = contents.find(open[i]);
    if (found == contents.end()) continue;
    for (const position input : found->second->inputs) {
      if (among.contains(input) && reached_from.emplace(input, open[i]).second) open.push_back(input);
    }
  }
  if (!reached_from.contains(start)) return {};
  std::string names = name_of(start);
  for (position p = reached_from[start]; p != start; p = reached_from[p]) names = name_of(p) + ' ' + names;
  return name_of(start) + ' ' + names;
}

// Which cells read which cell.
using cell_readers = std::map<position, std::vector<position>>;

inline cell_readers readers_in(const sheet_contents& contents) {
  cell_readers readers;
  for (const auto& [at, content] : contents) {
    for (const position input : content->inputs) readers[input].push_back(at);
  }
  return readers;
}

// The cell and all that depend on it.
inline std::set<position> dependents_of(position edited, cell_readers& readers) {
  std::set<position> dependents{edited};
  for (std::vector<position> open{edited}; !open.empty();) {
    const position next = open.back();
    open.pop_back();
    for (const position reader : readers[next]) {
      if (dependents.insert(reader).second) open.push_back(reader);
    }
  }
  return dependents;
}

// Those of them that are on a cycle or depend on one: what is left when all that can be worked out one after the other
// have been taken away. It spares a long chain of cells the search for a cycle from each of them.
inline std::set<position> entangled(std::set<position> dependents, const sheet_contents& contents,
                                    cell_readers& readers) {
  std::map<position, int> inputs;
  std::vector<position> ready;
  for (const position p : dependents) {
    const auto found = contents.find(p);
    if (found != contents.end()) {
      for (const position input : found->second->inputs) inputs[p] += dependents.contains(input) ? 1 : 0;
    }
    if (inputs[p] == 0) ready.push_back(p);
  }
  while (!ready.empty()) {
    const position next = ready.back();
    ready.pop_back();
    dependents.erase(next);
    for (const position reader : readers[next]) {
      if (--inputs[reader] == 0) ready.push_back(reader);
    }
  }
  return dependents;
}

// What has to be done behind the edit of a cell: by that cell and by all that depend on it, and by those that they
// read.
inline std::map<position, cell_task> tasks_of(const sheet_contents& contents, position edited) {
  cell_readers readers = readers_in(contents);
  const std::set<position> dependents = dependents_of(edited, readers);
  const std::set<position> in_doubt = entangled(dependents, contents, readers);
  std::map<position, cell_task> tasks;
  for (const position p : dependents) {
    tasks[p].evaluates = true;
    const std::string cycle = in_doubt.contains(p) ? cycle_of(contents, p, in_doubt) : "";
    if (!cycle.empty()) {
      tasks[p].cycle = "#cycle " + cycle;
      continue;
    }
    const auto found = contents.find(p);
    if (found == contents.end()) continue;
    for (const position input : found->second->inputs) {
      if (!contents.contains(input)) continue;  // it is empty for all
      tasks[input].readers.push_back(p);
      ++tasks[p].inputs;
    }
  }
  return tasks;
}

// A cell. Its messages come from the sheet and from other cells.
struct input {
  int edit;
  position from;
  cell_value value;
};
struct order {
  int edit;
  std::shared_ptr<const cell_content> content;  // null: the cell is empty from now on
  cell_task task;
  std::vector<tact::ref<input>> readers;
};
struct cell : tact::protocol<order, input> {};

// What a cell knows of an edit that it has not finished: inputs may come before the order.
struct open_edit {
  std::optional<order> ordered{};
  std::map<position, cell_value> inputs{};
};
struct cell_state {
  position at;
  tact::ref<sheet_view> view;
  cell_value value{};
  std::map<int, open_edit> open{};
};

inline tact::behavior<cell> cell_with(cell_state state);

// Carries out the orders for which everything is there, the oldest first. The oldest edit that the cell knows of has
// its order, or is only known by inputs; then no order for a later one can have come.
inline void carry_out(tact::self<cell>& self, cell_state state) {
  while (!state.open.empty()) {
    const auto& [number, next] = *state.open.begin();
    if (!next.ordered || next.inputs.size() < next.ordered->task.inputs) break;
    const order& o = *next.ordered;
    if (o.task.evaluates) {
      state.value = !o.task.cycle.empty()  ? cell_value(formula_error{o.task.cycle})
                    : o.content == nullptr ? cell_value()
                                           : evaluate(*o.content, [&inputs = next.inputs](position p) {
                                               const auto found = inputs.find(p);
                                               return found == inputs.end() ? cell_value() : found->second;
                                             });
      self.send(state.view, evaluated{state.at, number, state.value});
    }
    for (const auto& reader : o.readers) self.send(reader, input{number, state.at, state.value});
    if (o.content == nullptr) return self.stop();  // the sheet knows it no longer, so this order is the last message
    state.open.erase(state.open.begin());
  }
  self.become(cell_with(std::move(state)));
}

inline tact::behavior<cell> cell_with(cell_state state) {
  return {
      [state](tact::self<cell>& self, const order& m) {
        cell_state next = state;
        next.open[m.edit].ordered = m;
        carry_out(self, std::move(next));
      },
      [state](tact::self<cell>& self, const input& m) {
        cell_state next = state;
        next.open[m.edit].inputs.emplace(m.from, m.value);
        carry_out(self, std::move(next));
      },
  };
}

// The sheet as it was behind an edit, and the way back: undo is to become what was before.
struct sheet_version {
  sheet_contents contents{};
  position edited{};  // by the last edit
  std::size_t edits = 0;
  std::shared_ptr<const sheet_version> before{};
};
struct sheet_state {
  std::shared_ptr<const sheet_version> version;
  std::map<position, tact::ref<cell>> cells;  // an undo ends and makes cells as any edit does
  int edit;                                   // its number, which an undo counts up too
  tact::ref<sheet_view> view;
};

inline tact::behavior<spreadsheet> sheet_with(sheet_state state);

// The sheet becomes `next`, which differs from what it was in the content of that cell.
inline void change(tact::self<spreadsheet>& self, sheet_state state, std::shared_ptr<const sheet_version> next,
                   position at) {
  state.version = std::move(next);
  ++state.edit;
  const sheet_contents& contents = state.version->contents;
  if (!state.cells.contains(at)) {
    state.cells[at] = self.create(cell_with({at, state.view}), tact::named("cell " + name_of(at)));
  }
  const auto content_of = [&](position p) {
    const auto found = contents.find(p);
    return found == contents.end() ? nullptr : found->second;
  };
  for (auto& [p, task] : tasks_of(contents, at)) {
    std::vector<tact::ref<input>> readers;
    for (const position reader : task.readers) readers.emplace_back(state.cells.at(reader));
    self.send(state.cells.at(p), order{state.edit, content_of(p), task, std::move(readers)});
  }
  const auto content = content_of(at);
  if (content == nullptr) state.cells.erase(at);
  self.send(state.view, entered{at, content == nullptr ? "" : content->text});
  self.send(state.view, history{state.version->edits});
  self.become(sheet_with(std::move(state)));
}

inline tact::behavior<spreadsheet> sheet_with(sheet_state state) {
  return {
      [state](tact::self<spreadsheet>& self, const edit& m) {
        const auto& now = state.version;
        const auto old = now->contents.find(m.at);
        cell_content content = read_content(m.text);
        if (content.text == (old == now->contents.end() ? "" : old->second->text)) return;
        auto next = std::make_shared<sheet_version>(sheet_version{now->contents, m.at, now->edits + 1, now});
        if (content.text.empty()) {
          next->contents.erase(m.at);
        } else {
          next->contents[m.at] = std::make_shared<const cell_content>(std::move(content));
        }
        change(self, state, std::move(next), m.at);
      },
      [state](tact::self<spreadsheet>& self, const undo&) {
        const auto& now = state.version;
        if (now->before != nullptr) change(self, state, now->before, now->edited);
      },
  };
}

inline tact::behavior<spreadsheet> empty_sheet(tact::ref<sheet_view> view) {
  return sheet_with({std::make_shared<const sheet_version>(), {}, 0, view});
}

}  // namespace seven::cells
